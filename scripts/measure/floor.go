//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
)

// floor does the least that any program must do that reads a packed bundle line by line in Go: unpack it with the
// standard library and find where lines end.
func floor(name string, out io.Writer) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("unpacking %s: %w", name, err)
	}
	lines, buf := 0, make([]byte, 128<<10)
	for {
		n, err := z.Read(buf)
		for rest := buf[:n]; ; lines++ {
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				break
			}
			rest = rest[end+1:]
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("unpacking %s: %w", name, err)
		}
	}
	_, err = fmt.Fprintln(out, lines)
	return err
}
