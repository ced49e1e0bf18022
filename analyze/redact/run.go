package redact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
)

// Options say how a bundle is read and what is taken out besides what always is.
type Options struct {
	// Patterns are the user's own: a text in which one of them matches does not stay.
	Patterns []*regexp.Regexp
	// Version is that of the program, for the manifest.
	Version string
	// MaxBytes, MaxFiles, Layout and Progress are those of the bundle reader.
	MaxBytes int64
	MaxFiles int
	Layout   string
	Progress func(bundle.Progress)
}

// maxHeld bounds the copy in memory, packed: what is written is sorted, so all of it must be known first. 100 000 pods
// take about 100 MiB.
const maxHeld = 1 << 30

var errTooLarge = errors.New("the copy is too large to be put together in memory; redact parts of the bundle")

// run is one copy in the making.
type run struct {
	patterns patterns
	version  string

	mu    sync.Mutex
	files map[string]*file
	taken map[string]bool
	// names maps the name of a file of the bundle to that of its copy.
	names  map[string]string
	left   map[string][]string
	counts map[string]int
	held   int64
	failed bool
}

// Copy reads the bundle at path and writes a redacted copy of it to w. Its bytes depend on the bundle and the options
// only. An error of the bundle reader is given as it is: nothing was written then.
func Copy(ctx context.Context, path string, stdin io.Reader, w io.Writer, format Format, opt Options) (*Manifest, error) {
	r := &run{patterns: patterns{own: opt.Patterns}, version: opt.Version, files: map[string]*file{},
		taken: map[string]bool{}, names: map[string]string{}, left: map[string][]string{}, counts: map[string]int{}}
	read, err := bundle.Read(ctx, path, stdin, bundle.Options{MaxBytes: opt.MaxBytes, MaxFiles: opt.MaxFiles, Layout: opt.Layout,
		Progress: opt.Progress, Copy: r})
	switch {
	case err != nil:
		return nil, err
	case r.held > maxHeld:
		return nil, errTooLarge
	case len(r.files) == 0:
		return nil, fmt.Errorf("nothing of %s can be copied: all that was recognised in it could not be followed", path)
	}
	top := r.top()
	m := r.manifest(read, top)
	if err := r.pack(ctx, w, format, top, m); err != nil {
		return nil, fmt.Errorf("writing the copy: %w", err)
	}
	return m, nil
}

// File implements bundle.Copier. Names are given out here, where files come in the order of the bundle.
func (r *run) File(name string) bundle.FileCopy {
	r.mu.Lock()
	defer r.mu.Unlock()
	copied := nameFor(name, r.taken)
	if r.names[name] == "" {
		r.names[name] = copied
	}
	return &file{run: r, patterns: r.patterns, name: copied, original: name, to: newBlob(), counts: map[string]int{}}
}

// Left implements bundle.Copier.
func (r *run) Left(name, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left[reason] = append(r.left[reason], name)
}

const (
	leftFault   = "files at which this program failed"
	leftNothing = "files of which nothing could be kept"
)

// end takes a finished file. One in which something went wrong is left out as a whole.
func (r *run) end(f *file, failed bool) {
	err := f.to.close()
	r.mu.Lock()
	defer r.mu.Unlock()
	for what, n := range f.counts {
		r.counts[what] += n
	}
	switch {
	case failed || err != nil:
		r.failed = true
		r.left[leftFault] = append(r.left[leftFault], f.original)
		return
	case f.pieces == 0:
		r.left[leftNothing] = append(r.left[leftNothing], f.original)
		return
	}
	if r.held += int64(f.to.packed.Len()); r.held > maxHeld {
		f.to = nil
		return
	}
	r.files[f.name] = f
}
