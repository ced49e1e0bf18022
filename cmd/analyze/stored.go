package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// stored reads the bundle a second time for the whole text of one object: the first reading keeps the few fields that
// are judged. Standard input can be read only once.
func (e *engine) stored(ctx context.Context, path string) func(*kube.Object) (map[string]any, error) {
	return func(o *kube.Object) (map[string]any, error) {
		if path == standardInput {
			return nil, errors.New("standard input cannot be read twice: give the bundle as a file")
		}
		find := &finder{file: o.Origin.File, line: o.Origin.Line}
		if _, err := e.readWith(ctx, path, nil, func(opt *bundle.Options) { opt.Copy, opt.Progress = find, nil }); err != nil {
			return nil, fmt.Errorf("reading %s again: %w", o.Ref(), err)
		}
		m, ok := find.found.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s is not in the bundle as whole YAML or JSON", o.Ref())
		}
		return m, nil
	}
}

// finder takes the object at one place of one file from what the reader recognises.
type finder struct {
	file string
	line int

	mu    sync.Mutex
	found any
}

// File implements bundle.Copier.
func (f *finder) File(name string) bundle.FileCopy {
	if name != f.file {
		return ignored{}
	}
	return f
}

// Left implements bundle.Copier.
func (f *finder) Left(string, string) {}

// Piece implements bundle.FileCopy.
func (f *finder) Piece(p bundle.Piece) {
	if p.Kind != bundle.PieceItem && p.Kind != bundle.PieceObject || p.Text.Line != f.line {
		return
	}
	v, err := kube.Generic(p.Text)
	if err != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.found = v
}

// Skipped and End implement bundle.FileCopy.
func (f *finder) Skipped(int) {}
func (f *finder) End(bool)    {}

// ignored is the copy of every other file.
type ignored struct{}

func (ignored) Piece(bundle.Piece) {}
func (ignored) Skipped(int)        {}
func (ignored) End(bool)           {}
