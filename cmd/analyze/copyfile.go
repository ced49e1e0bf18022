package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// copyFile is the copy of a bundle that is being written, under another name beside its own: a reader finds the whole
// copy or none. It is for its owner only.
type copyFile struct {
	*os.File
	name    string
	replace bool
}

// newCopy begins the file name, a copy of the bundle at path.
func newCopy(path, name string, replace bool) (*copyFile, error) {
	if err := mayWrite(path, name, replace); err != nil {
		return nil, fmt.Errorf("writing %s: %w", name, err)
	}
	partial := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%d.partial", filepath.Base(name), os.Getpid()))
	f, err := os.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", name, withAdvice(err))
	}
	return &copyFile{File: f, name: name, replace: replace}, nil
}

// mayWrite refuses what would destroy something, the bundle above all.
func mayWrite(path, name string, replace bool) error {
	info, err := os.Lstat(name)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil && !info.Mode().IsRegular():
		return errors.New("it is there and no plain file")
	}
	if source, bad := os.Stat(path); path != standardInput && bad == nil {
		if target, none := os.Stat(name); none == nil && os.SameFile(source, target) {
			return errors.New("it is the bundle itself")
		}
		if source.IsDir() && inside(path, name) {
			return errors.New("it lies inside the bundle; give a place outside of it")
		}
	}
	if err == nil && !replace {
		return errors.New("it is there already; use --force to replace it")
	}
	return nil
}

// inside says that a file would lie in a folder, whatever links lead there.
func inside(folder, name string) bool {
	top, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(name))
	if err != nil {
		return false
	}
	top, errTop := filepath.Abs(top)
	dir, errDir := filepath.Abs(dir)
	rel, errRel := filepath.Rel(top, dir)
	return errors.Join(errTop, errDir, errRel) == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// publish gives the copy its name. Without replace a link is made, which fails when the name was taken meanwhile.
func (c *copyFile) publish() error {
	if err := errors.Join(c.Sync(), c.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", c.name, err)
	}
	err := c.take()
	if err != nil {
		return fmt.Errorf("writing %s: %w", c.name, err)
	}
	return nil
}

func (c *copyFile) take() error {
	if !c.replace {
		err := os.Link(c.File.Name(), c.name)
		if err == nil || errors.Is(err, fs.ErrExist) {
			return err
		}
		// Not every file system has links.
		if _, err := os.Lstat(c.name); err == nil {
			return errors.New("it is there already; use --force to replace it")
		}
	}
	return os.Rename(c.File.Name(), c.name)
}

// discard removes the partial file; after publish there is none, or one name too many.
func (c *copyFile) discard() {
	_ = c.Close()
	_ = os.Remove(c.File.Name())
}
