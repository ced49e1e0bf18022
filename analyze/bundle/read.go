package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Read reads the bundle at path: a directory, a file of any kind, or "-" for stdin. When nothing at all is readable the
// error is an *UnreadableError, and the Bundle is given too: its Problems say why. A bundle that is partly unreadable is
// no error. A layout that does not exist, and a context that ends, are errors of other types.
func Read(ctx context.Context, path string, stdin io.Reader, opt Options) (*Bundle, error) {
	source := path
	if path == "-" {
		source = "stdin"
	}
	b := &Bundle{Source: source}
	forced, ok := layoutNamed(opt.Layout)
	if !ok {
		return nil, fmt.Errorf("no layout %q; there are %s", opt.Layout, strings.Join(LayoutIDs(), ", "))
	}
	m := newMerger()
	pipe := newPipeline(m)
	w := newWalker(newBudget(ctx, opt), pipe, newPlaces(forced), opt.Progress)
	w.copier, w.reduce = opt.Copy, opt.Reduce
	failed := w.source(path, stdin)
	pipe.close()
	w.finish(b, m)
	if err := ctx.Err(); err != nil {
		return b, fmt.Errorf("reading %s: %w", source, err)
	}
	nothing := m.found == 0 && b.Manifest == nil
	if nothing && b.Layout == looseName {
		b.Layout, b.Roots = "nothing recognised", nil
	}
	if failed != nil {
		return b, &UnreadableError{Source: source, Reason: plainPathError(failed), Err: failed, Hint: hintGive}
	}
	if nothing {
		return b, nothingReadable(b, m.empty)
	}
	return b, nil
}

// source opens what was given. Its error means that it could not even be opened.
func (w *walker) source(path string, stdin io.Reader) error {
	if path == "-" {
		if stdin == nil {
			return errNoStdin
		}
		return w.only(item{rel: "stdin", top: true, raw: true}, stdin)
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		root, err := os.OpenRoot(path)
		if err != nil {
			return err
		}
		defer func() { _ = root.Close() }()
		w.folder(root, ".", 0)
		return nil
	}
	f, err := OpenFile(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	it := item{rel: filepath.Base(path), top: true, raw: true}
	if info.Mode().IsRegular() {
		it.whole, it.size = f, info.Size()
	}
	return w.only(it, f)
}

// only reads the one file that is the bundle. A pipe (kubectl ... | analyze -, or <(kubectl ...)) is as good as a file.
func (w *walker) only(it item, r io.Reader) error {
	_ = w.budget.takeFile()
	_ = w.file(it, -1, r)
	return nil
}

// finish puts together what was found.
func (w *walker) finish(b *Bundle, m *merger) {
	b.Set = m.set
	b.Files, b.Bytes = w.files, w.budget.bytes
	b.Manifests = w.manifests
	if len(w.manifests) > 0 {
		b.Manifest = w.manifests[0]
	}
	b.Roots = w.places.roots()
	b.Layout = layoutNames(b.Roots)
	w.strange(m)
	b.Ignored = w.ignored.list()
	b.Problems = append(withoutRepeated(m.listed()), w.odd.problems()...)
	if stopped := w.budget.stopped; stopped != nil {
		b.Problems = append(b.Problems, Problem{Message: w.stopMessage(stopped)})
	}
}

// strange lists the loose files in which nothing was recognised: they may have been meant to be read. In the tree of a
// known layout, and past the first twenty of them, they are only counted.
func (w *walker) strange(m *merger) {
	const listed = 20
	const reason = "nothing of Kubernetes in it"
	loose := 0
	for _, p := range m.strange {
		if loose < listed && w.places.isLoose(p.File) {
			loose++
			m.addProblem(Problem{File: p.File, Line: p.Line, Message: p.Message})
			continue
		}
		w.ignored.add(reason, p.File)
	}
	if m.moreStrange > 0 {
		w.ignored.addMany(reason, m.moreStrange)
	}
}

// stopMessage says why reading ended early, and how to read on.
func (w *walker) stopMessage(stopped error) string {
	switch {
	case errors.Is(stopped, errTotal):
		return fmt.Sprintf("%v (%s, --max-bytes); what comes after was not read", stopped, sizeText(w.budget.maxBytes))
	case errors.Is(stopped, errObjects):
		return fmt.Sprintf("%v (%d); what comes after was not read", stopped, w.budget.maxObjects)
	case errors.Is(stopped, errFiles):
		return fmt.Sprintf("%v (%d, --max-files); what comes after was not read", stopped, w.budget.maxFiles)
	}
	return "reading was stopped; what comes after was not read"
}
