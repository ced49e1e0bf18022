package bundle

import (
	"bufio"
	"compress/bzip2"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// decompress opens a compressed stream. done must be called when it is no longer read.
func (w *walker) decompress(f format, r io.Reader) (out *meter, done func(), err error) {
	in := &counter{r: r}
	plain, done, err := openDecompressor(f, bufio.NewReaderSize(in, 64<<10))
	if err != nil {
		return nil, nil, fmt.Errorf("opening %s: %w", f, err)
	}
	return &meter{r: plain, b: w.budget, packed: func() int64 { return in.n }}, done, nil
}

func openDecompressor(f format, r *bufio.Reader) (io.Reader, func(), error) {
	nothing := func() {}
	switch f {
	case formatGzip:
		z, err := gzip.NewReader(r)
		return z, nothing, err
	case formatBzip2:
		return bzip2.NewReader(r), nothing, nil
	case formatXz:
		return newXzReader(r), nothing, nil
	case formatZstd:
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxDictionary), zstd.WithDecoderMaxMemory(DefaultMaxBytes))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}
	return nil, nil, fmt.Errorf("no decompressor for %s", f)
}
