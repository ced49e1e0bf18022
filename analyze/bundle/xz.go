package bundle

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
	"runtime"

	"github.com/ulikunitz/xz/lzma"
)

// xzReader reads the container of xz around the library's LZMA2 decoder. The library's own container reader allocates
// whatever window a block asks for, up to 4 GiB, for every block anew: thirty hostile bytes. This one does not.
type xzReader struct {
	r     *bufio.Reader
	check byte
	// block is the block being read, nil between blocks; started says that a stream header was read.
	block   io.Reader
	packed  *counter
	sum     hash.Hash
	started bool
	// windows is what was allocated so far, in is what was read of blocks: see allow.
	windows, in int64
	// garbage is what was allocated since the last collection that was asked for.
	garbage int64
}

var (
	errXzDamaged  = errors.New("xz: damaged data")
	errXzChecksum = errors.New("xz: invalid checksum")
)

func newXzReader(r *bufio.Reader) *xzReader { return &xzReader{r: r} }

func (x *xzReader) Read(p []byte) (int, error) {
	for {
		if x.block == nil {
			if err := x.nextBlock(); err != nil {
				return 0, err
			}
		}
		n, err := x.block.Read(p)
		x.sum.Write(p[:n])
		if err == io.EOF {
			err = x.endBlock()
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// nextBlock reads headers up to the next block; io.EOF is the end of the last stream.
func (x *xzReader) nextBlock() error {
	for {
		if !x.started {
			if err := x.streamHeader(); err != nil {
				return err
			}
			x.started = true
		}
		size, err := x.r.ReadByte()
		if err != nil {
			return cutOff(err)
		}
		if size != 0 {
			return x.blockHeader(size)
		}
		if err := x.index(); err != nil {
			return err
		}
		x.started = false
	}
}

// streamHeader reads the 12 bytes at the head of a stream, after the zero padding that may follow an earlier stream.
func (x *xzReader) streamHeader() error {
	for {
		head, err := x.r.Peek(4)
		if len(head) == 0 && err == io.EOF {
			return io.EOF
		}
		if !bytes.Equal(head, make([]byte, 4)) {
			break
		}
		if _, err := x.r.Discard(4); err != nil {
			return cutOff(err)
		}
	}
	head := make([]byte, 12)
	if _, err := io.ReadFull(x.r, head); err != nil {
		return cutOff(err)
	}
	if string(head[:6]) != "\xfd7zXZ\x00" || head[6] != 0 || head[7] > 15 ||
		crc32.ChecksumIEEE(head[6:8]) != binary.LittleEndian.Uint32(head[8:]) {
		return errXzDamaged
	}
	x.check = head[7]
	return nil
}

// blockHeader reads the header of a block, which must have LZMA2 as its only filter, and opens the block.
func (x *xzReader) blockHeader(size byte) error {
	head := make([]byte, (int(size)+1)*4)
	head[0] = size
	if _, err := io.ReadFull(x.r, head[1:]); err != nil {
		return cutOff(err)
	}
	body, crc := head[:len(head)-4], head[len(head)-4:]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(crc) {
		return errXzDamaged
	}
	flags, rest := body[1], body[2:]
	for _, sized := range []bool{flags&0x40 != 0, flags&0x80 != 0} {
		if !sized {
			continue
		}
		_, n := binary.Uvarint(rest)
		if n <= 0 {
			return errXzDamaged
		}
		rest = rest[n:]
	}
	if flags&0x3f != 0 || len(rest) < 3 || rest[0] != 0x21 || rest[1] != 1 || rest[2] > 40 {
		return errors.New("xz: a filter that is not supported (only LZMA2 is)")
	}
	window := (int64(2) | int64(rest[2]&1)) << (rest[2]/2 + 11)
	if err := x.allow(window); err != nil {
		return err
	}
	x.packed = &counter{r: x.r}
	block, err := lzma.Reader2Config{DictCap: int(window)}.NewReader2(x.packed)
	if err != nil {
		return fmt.Errorf("xz: %w", err)
	}
	x.block, x.sum = block, newXzSum(x.check)
	return nil
}

// allow bounds the window of a block, and the windows of all blocks by what was read: xz -T makes blocks of three
// windows, which no real data shrinks to a 64th of one.
func (x *xzReader) allow(window int64) error {
	if window > maxDictionary {
		return fmt.Errorf("xz: it needs a window of %s, more than the %s allowed", sizeText(window), sizeText(maxDictionary))
	}
	x.windows += window
	if x.garbage += window; x.garbage > maxDictionary {
		// Every block gets a window of its own; those of ended blocks are garbage that a busy machine collects too late.
		runtime.GC()
		x.garbage = window
	}
	if x.windows > 1<<30+64*x.in {
		return errRatio
	}
	return nil
}

// endBlock reads padding and check value of a block.
func (x *xzReader) endBlock() error {
	x.block = nil
	x.in += x.packed.n
	pad := int(-x.packed.n & 3)
	sizes := [16]int{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}
	tail := make([]byte, pad+sizes[x.check])
	if _, err := io.ReadFull(x.r, tail); err != nil {
		return cutOff(err)
	}
	want := x.sum.Sum(nil)
	if x.check == xzCRC32 || x.check == xzCRC64 {
		for i, j := 0, len(want)-1; i < j; i, j = i+1, j-1 {
			want[i], want[j] = want[j], want[i]
		}
	}
	if len(want) == sizes[x.check] && !bytes.Equal(want, tail[pad:]) {
		return errXzChecksum
	}
	return nil
}

// The kinds of check values that are verified; others are read over.
const (
	xzCRC32  = 1
	xzCRC64  = 4
	xzSHA256 = 10
)

func newXzSum(check byte) hash.Hash {
	switch check {
	case xzCRC32:
		return crc32.NewIEEE()
	case xzCRC64:
		return crc64.New(crc64.MakeTable(crc64.ECMA))
	case xzSHA256:
		return sha256.New()
	}
	return noSum{}
}

// noSum stands for a check that is not verified.
type noSum struct{ hash.Hash }

func (noSum) Write(p []byte) (int, error) { return len(p), nil }
func (noSum) Sum(b []byte) []byte         { return b }

// index reads over the index and the footer of a stream; what they say is known from the blocks.
func (x *xzReader) index() error {
	in := &counter{r: x.r, n: 1}
	count, err := readUvarint(in)
	for i := uint64(0); err == nil && i < 2*count; i++ {
		_, err = readUvarint(in)
	}
	if err != nil {
		return err
	}
	const crc, footer = 4, 12
	if _, err := x.r.Discard(int(-in.n&3) + crc + footer); err != nil {
		return cutOff(err)
	}
	return nil
}

func readUvarint(r io.Reader) (v uint64, err error) {
	var b [1]byte
	for shift := 0; shift < 63; shift += 7 {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return 0, cutOff(err)
		}
		v |= uint64(b[0]&0x7f) << shift
		if b[0] < 0x80 {
			return v, nil
		}
	}
	return 0, errXzDamaged
}

// cutOff makes an end of file in the middle of something what it is.
func cutOff(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
