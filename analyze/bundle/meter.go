package bundle

import (
	"fmt"
	"io"
)

// counter counts what is read from a compressed source.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// meter pays for everything that comes out of a source, and ends it when a bound is reached. Its error is final: a
// decompressor that failed once is never asked again.
type meter struct {
	r   io.Reader
	b   *budget
	out int64
	// packed gives the size of what was unpacked so far; nil when the source is not compressed.
	packed func() int64
	err    error
}

func (m *meter) Read(p []byte) (n int, err error) {
	if m.err != nil {
		return 0, m.err
	}
	n, err = m.guarded(p)
	m.out += int64(n)
	if stop := m.b.takeBytes(n); stop != nil {
		err = stop
	} else if m.packed != nil && m.out > ratioFree && m.out/maxRatio > m.packed() {
		err = errRatio
	}
	m.err = err
	return n, err
}

// guarded reads, and turns a fault within a decompressor into an error: a fault must not cost the rest of the bundle.
func (m *meter) guarded(p []byte) (n int, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			n, err = 0, fmt.Errorf("internal fault while unpacking: %v", fault)
		}
	}()
	return m.r.Read(p)
}
