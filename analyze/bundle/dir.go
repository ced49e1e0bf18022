package bundle

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
)

// maxDepth bounds folders within folders.
const maxDepth = 64

// folder reads a directory tree. os.Root keeps every path below it, whatever links there are, even if someone changes
// the tree while it is read.
func (w *walker) folder(root *os.Root, dir string, depth int) {
	if depth > maxDepth {
		w.problem(item{rel: dir}, fmt.Sprintf("folders are nested deeper than %d; this one was not read", maxDepth))
		return
	}
	entries, err := w.listDir(root, dir)
	if err != nil {
		w.problem(item{rel: dir}, "the folder could not be read: "+err.Error())
	}
	for _, e := range entries {
		if w.budget.takeFile() != nil {
			return
		}
		rel := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			w.folder(root, rel, depth+1)
		case e.Type()&fs.ModeSymlink != 0:
			w.odd.add(oddLink, rel)
		case !e.Type().IsRegular():
			w.odd.add(oddDevice, rel)
		default:
			w.folderFile(root, rel)
		}
	}
}

// listDir gives the entries of a directory in order of their names: the first ones, no more than may still be read.
func (w *walker) listDir(root *os.Root, dir string) ([]fs.DirEntry, error) {
	f, err := root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	byName := func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) }
	most := w.budget.maxFiles - w.budget.files + 1
	var entries []fs.DirEntry
	for err == nil {
		var some []fs.DirEntry
		some, err = f.ReadDir(1024)
		entries = append(entries, some...)
		if len(entries) > 2*most+1024 {
			slices.SortFunc(entries, byName)
			entries = slices.Delete(entries, most, len(entries))
		}
	}
	slices.SortFunc(entries, byName)
	if err == io.EOF {
		err = nil
	}
	return entries[:min(most, len(entries))], err
}

// folderFile reads a file of a directory. It is opened without waiting, and looked at again once it is open: what was a
// file may be a pipe by now.
func (w *walker) folderFile(root *os.Root, rel string) {
	it := item{rel: rel, layers: 1}
	f, err := root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		w.problem(it, "could not be opened: "+err.Error())
		return
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		w.odd.add(oddDevice, rel)
		return
	}
	it.raw, it.whole, it.size = true, f, info.Size()
	_ = w.file(it, info.Size(), f)
}
