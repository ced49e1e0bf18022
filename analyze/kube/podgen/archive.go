package podgen

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"io"
)

// Archive writes a .tar.gz of pods.yaml, jobs.yaml and nodes.yaml for n pods. It holds none of them in memory: a tar
// tells the size of a file before its content, so each list is made twice, once to be counted.
func Archive(w io.Writer, n int) error {
	z := gzip.NewWriter(w)
	t := tar.NewWriter(z)
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"cluster/pods.yaml", func(w io.Writer) error { return Pods(w, n) }},
		{"cluster/jobs.yaml", func(w io.Writer) error { return Jobs(w, n) }},
		{"cluster/nodes.yaml", func(w io.Writer) error { return Nodes(w, n) }},
	} {
		var size counter
		if err := f.write(&size); err != nil {
			return err
		}
		if err := t.WriteHeader(&tar.Header{Name: f.name, Mode: 0o644, Size: int64(size), ModTime: now}); err != nil {
			return fmt.Errorf("packing %s: %w", f.name, err)
		}
		if err := f.write(t); err != nil {
			return fmt.Errorf("packing %s: %w", f.name, err)
		}
	}
	if err := t.Close(); err != nil {
		return fmt.Errorf("packing: %w", err)
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("packing: %w", err)
	}
	return nil
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
