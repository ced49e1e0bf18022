package bundle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// The bounds on what a stranger's file may cost. The first two are defaults of Options, the others are fixed: nothing
// that a collector writes comes near them.
const (
	// DefaultMaxBytes is ten times the largest bundle known (100 000 pods are 1.3 GB of YAML).
	DefaultMaxBytes = 16 << 30
	// DefaultMaxFiles is ten times the files of a large must-gather.
	DefaultMaxFiles = 1_000_000
	// maxObjects bounds the objects that are kept: a cluster of 100 000 pods has half a million of all kinds.
	maxObjects = 1_000_000
	// maxRatio is the most that one compressed stream may grow, once it has given ratioFree bytes. kubectl's YAML
	// shrinks 10 to 30 times, logs up to 100 times; a bomb of zeros 1000 times and more.
	maxRatio  = 400
	ratioFree = 64 << 20
	// maxLayers bounds containers within containers, compression and archive counted alike: ticket.zip holding
	// must-gather.tar.gz holding logs.gz has four.
	maxLayers = 8
	// maxArchives bounds the tarballs and zips within one bundle.
	maxArchives = 256
	// maxName is the longest path; a must-gather's exceed 255 bytes now and then, Linux allows 4096.
	maxName = 4096
	// maxSpool is the most of a zip from a stream that is held in memory: its directory stands at the end.
	maxSpool = 64 << 20
	// maxZipDirectory bounds the central directory that is read as a whole, which costs about six times its size.
	maxZipDirectory = 16 << 20
	// maxDictionary bounds the window of xz and zstd, which must be held in memory; xz -9 and zstd --ultra -22 use 64
	// and 128 MiB.
	maxDictionary = 128 << 20
	// maxManifest bounds collection.json.
	maxManifest = 8 << 20
	// maxProblems bounds the problems that are listed; the others are counted.
	maxProblems = 500
	// maxStrange bounds the files that are listed because nothing was recognised in them.
	maxStrange = 500
)

var (
	errTotal   = errors.New("the limit of unpacked bytes is reached")
	errObjects = errors.New("the limit of objects is reached")
	errFiles   = errors.New("the limit of files is reached")
	errRatio   = fmt.Errorf("it unpacks to more than %d times its size, as only a decompression bomb does", maxRatio)
)

// sizeText gives a number of bytes in the largest unit that gives it exactly, as a limit is to be read as it was given.
func sizeText(n int64) string {
	for _, unit := range []struct {
		name  string
		shift uint
	}{{"TiB", 40}, {"GiB", 30}, {"MiB", 20}, {"KiB", 10}} {
		if n > 0 && n%(1<<unit.shift) == 0 {
			return fmt.Sprintf("%d %s", n>>unit.shift, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// budget is what is left of the bounds that hold for the bundle as a whole. Only the reading goroutine uses it.
type budget struct {
	ctx      context.Context
	maxBytes int64
	maxFiles int
	bytes    int64
	files    int
	archives int
	// objects are counted by those who read them.
	objects    atomic.Int64
	maxObjects int64
	// stopped is the reason why nothing more is read, once there is one.
	stopped error
	// taken is called after bytes were paid for.
	taken func()
}

func newBudget(ctx context.Context, opt Options) *budget {
	b := &budget{ctx: ctx, maxBytes: opt.MaxBytes, maxFiles: opt.MaxFiles, maxObjects: cmp.Or(opt.maxObjects, maxObjects), taken: func() {}}
	if b.maxBytes <= 0 {
		b.maxBytes = DefaultMaxBytes
	}
	if b.maxFiles <= 0 {
		b.maxFiles = DefaultMaxFiles
	}
	return b
}

// takeBytes pays for n unpacked bytes.
func (b *budget) takeBytes(n int) error {
	b.bytes += int64(n)
	b.taken()
	if b.stopped == nil && b.bytes > b.maxBytes {
		b.stopped = errTotal
	}
	return b.check()
}

// takeFile pays for one file, folder or link.
func (b *budget) takeFile() error {
	if b.stopped == nil && b.files >= b.maxFiles {
		b.stopped = errFiles
	}
	if b.stopped == nil {
		b.files++
	}
	return b.check()
}

// check gives the reason to stop, if there is one.
func (b *budget) check() error {
	if b.stopped == nil {
		b.stopped = b.ctx.Err()
	}
	if b.stopped == nil && b.objects.Load() > b.maxObjects {
		b.stopped = errObjects
	}
	return b.stopped
}
