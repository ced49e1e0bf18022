package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writeFile writes a file as a whole: a reader sees the old content or the new, never half of it, and a failure leaves
// the old one. What is no regular file (a pipe, /dev/stdout) is written to as it stands.
func writeFile(name string, content []byte) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return fmt.Errorf("writing %s: it is a folder; name a file in it", name)
		}
		return inPlace(name, content)
	}
	partial := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%d.partial", filepath.Base(name), os.Getpid()))
	if err := createExclusive(partial, content); err != nil {
		return fmt.Errorf("writing %s: %w", name, withAdvice(err))
	}
	if err := os.Rename(partial, name); err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", name, err), os.Remove(partial))
	}
	return nil
}

func inPlace(name string, content []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// createExclusive makes a new file; permissions are the user's umask's business.
func createExclusive(name string, content []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

func withAdvice(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w; make the folder first", err)
	}
	return err
}
