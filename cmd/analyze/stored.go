package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
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
		find := &finder{wanted: o}
		if _, err := e.readWith(ctx, path, nil, func(opt *bundle.Options) { opt.Copy, opt.Progress = find, nil }); err != nil {
			return nil, fmt.Errorf("reading %s again: %w", o.Ref(), err)
		}
		return find.only()
	}
}

// finder takes one object from what the reader recognises. It goes by who the object is: a line alone tells nothing, for
// compact JSON has all objects on one.
type finder struct {
	wanted *kube.Object

	mu    sync.Mutex
	found []map[string]any
}

// only gives the object. Of copies with one spec any will do; of others none can be told to be the one.
func (f *finder) only() (map[string]any, error) {
	ref := f.wanted.Ref()
	if len(f.found) == 0 {
		return nil, fmt.Errorf("%s is not in the bundle as whole YAML or JSON", ref)
	}
	for _, other := range f.found[1:] {
		if !reflect.DeepEqual(other["spec"], f.found[0]["spec"]) {
			return nil, fmt.Errorf("%s stands more than once, and differently, at %s: give a file in which it stands once", ref, f.wanted.Ev("", "").Where())
		}
	}
	return f.found[0], nil
}

// File implements bundle.Copier.
func (f *finder) File(name string) bundle.FileCopy {
	if name != f.wanted.Origin.File {
		return ignored{}
	}
	return f
}

// Left implements bundle.Copier.
func (f *finder) Left(string, string) {}

// Piece implements bundle.FileCopy.
func (f *finder) Piece(p bundle.Piece) {
	if p.Kind != bundle.PieceItem && p.Kind != bundle.PieceObject || !reaches(p.Text, f.wanted.Origin.Line) {
		return
	}
	v, err := kube.Generic(p.Text)
	if err != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.take(v, p.Hint)
}

// reaches says that a line of the file is one of a text.
func reaches(t kube.Text, line int) bool {
	return t.Line <= line && line <= t.Line+bytes.Count(t.Raw, []byte("\n"))+len(t.Gaps)
}

// take keeps the object where it is the one, or each such item of a list that came as a whole.
func (f *finder) take(v any, hint string) {
	items, isList := v.([]any)
	m, _ := v.(map[string]any)
	if m != nil {
		if of, itemHint, ok := kube.ItemsOf(m, hint); ok {
			items, hint, isList = of, itemHint, true
		}
	}
	if isList {
		for _, item := range items {
			f.take(item, hint)
		}
		return
	}
	if m != nil && isObject(m, hint, f.wanted) {
		f.found = append(f.found, m)
	}
}

// isObject says that a text is that of an object, by all that tells one from another.
func isObject(m map[string]any, hint string, o *kube.Object) bool {
	apiVersion, kind := kube.KindOf(m, hint)
	meta, _ := m["metadata"].(map[string]any)
	same := func(key, want string) bool {
		got, _ := meta[key].(string)
		return got == want
	}
	namespace := same("namespace", o.Meta.Namespace) || o.Manifest() && same("namespace", "") // which facts may have given it
	return kind == o.Kind && apiVersion == o.APIVersion && namespace && same("name", o.Meta.Name) &&
		same("generateName", o.Meta.GenerateName) && same("uid", o.Meta.UID) && same("resourceVersion", o.Meta.ResourceVersion)
}

// Skipped and End implement bundle.FileCopy.
func (f *finder) Skipped(int) {}
func (f *finder) End(bool)    {}

// ignored is the copy of every other file.
type ignored struct{}

func (ignored) Piece(bundle.Piece) {}
func (ignored) Skipped(int)        {}
func (ignored) End(bool)           {}
