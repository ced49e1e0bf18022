package bundle

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"hash/fnv"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// walker goes through a bundle once, in one goroutine, opens what is packed and hands the rest to the pipeline.
type walker struct {
	budget    *budget
	pipe      *pipeline
	places    *places
	progress  func(Progress)
	manifests []*Manifest
	// reduce is Options.Reduce.
	reduce bool
	// copier takes what is recognised; nil when no copy is made.
	copier Copier
	// odd counts entries that are no plain files, ignored files that were left out.
	odd, ignored tally
	// seen holds hashes of names, to notice repeated entries.
	seen map[uint64]struct{}
	// readers are buffers for the containers being read, one for each layer.
	readers []*bufio.Reader
	// files counts files as such; budget.files counts folders and links too. at is the file being read, told is when
	// progress was last reported.
	files int
	at    item
	told  int64
}

func newWalker(b *budget, pipe *pipeline, where *places, progress func(Progress)) *walker {
	w := &walker{budget: b, pipe: pipe, places: where, progress: progress,
		odd: newTally(), ignored: newTally(), seen: map[uint64]struct{}{}}
	b.taken = w.tell
	return w
}

// problem lists a problem of a file, in its place among the others.
func (w *walker) problem(it item, message string) {
	w.pipe.note(Problem{File: it.name(), Message: message})
}

// once notices entries that stand in an archive more than once. It remembers as many names as real bundles have.
func (w *walker) once(it item) {
	const maxSeen = 200_000
	h := fnv.New64a()
	_, _ = io.WriteString(h, it.name())
	if _, again := w.seen[h.Sum64()]; again {
		w.odd.add(oddDuplicate, it.name())
	} else if len(w.seen) < maxSeen {
		w.seen[h.Sum64()] = struct{}{}
	}
}

// file takes one file of an archive or a folder; size is what the archive says. Its error is that of r: an archive that
// is read in one pass cannot go on after it.
func (w *walker) file(it item, size int64, r io.Reader) error {
	w.files++
	w.at = it
	w.tell()
	d := w.places.place(it)
	switch {
	case size == 0:
		w.leave(it, d, "empty file")
		return nil
	case d.skip != "":
		w.leave(it, d, d.skip)
		return nil
	}
	return w.open(it, d, r)
}

// leave counts a file that is not read.
func (w *walker) leave(it item, d place, reason string) {
	w.places.count(d, false)
	w.ignored.add(reason, it.name())
	w.left(it, reason)
}

// tell reports progress about every eight megabytes and every thousand files.
func (w *walker) tell() {
	now := w.budget.bytes>>23 + int64(w.budget.files/1000)
	if w.progress == nil || now == w.told {
		return
	}
	w.told = now
	w.progress(Progress{File: w.at.name(), Files: w.files, Bytes: w.budget.bytes})
}

// open looks at the first bytes of a file and reads it as what they say it is.
func (w *walker) open(it item, d place, r io.Reader) error {
	br := w.borrow(r)
	defer w.giveBack(br)
	head, err := br.Peek(headLen)
	if len(head) == 0 {
		if err != nil && err != io.EOF {
			w.problem(it, explain(err))
			return err
		}
		w.leave(it, d, "empty file")
		return nil
	}
	f, what := sniff(head)
	plain := io.Reader(br)
	if it.raw {
		plain = &meter{r: br, b: w.budget}
	}
	switch f {
	case formatText:
		return w.text(it, d, plain)
	case formatBinary:
		w.binary(it, d, what)
	case formatTar:
		w.archive(it, func() { w.tarball(it, plain) })
	case formatZip:
		w.archive(it, func() { w.zip(it, br) })
	default:
		w.packed(it, d, f, br)
	}
	return nil
}

func (w *walker) borrow(r io.Reader) *bufio.Reader {
	if n := len(w.readers); n > 0 {
		br := w.readers[n-1]
		w.readers = w.readers[:n-1]
		br.Reset(r)
		return br
	}
	return bufio.NewReaderSize(r, headLen)
}

func (w *walker) giveBack(br *bufio.Reader) {
	br.Reset(nil)
	w.readers = append(w.readers, br)
}

// text hands a file to the content reader, unless it is one of the few that are read here.
func (w *walker) text(it item, d place, r io.Reader) error {
	if d.as == asRedaction {
		return w.redaction(it, r) // it is of the copy, and of no tree in it
	}
	w.places.count(d, true)
	switch d.as {
	case asManifest:
		return w.manifest(it, d, r)
	case asRefusals:
		return w.refusals(it, r)
	}
	err := w.pipe.feed(it.name(), contentLimits{KindHint: d.kind, versions: promisesVersion(it), reduce: w.reduce, kept: &w.budget.objects, copy: w.fileCopy(it)}, r)
	if err != nil && w.budget.stopped == nil {
		w.problem(it, explain(err))
	}
	return err
}

// manifest reads collection.json. Other tools write files of that name too.
func (w *walker) manifest(it item, d place, r io.Reader) error {
	raw, err := io.ReadAll(io.LimitReader(r, maxManifest+1))
	m, bad := readManifest(it.name(), raw)
	switch {
	case bad == nil:
		w.manifests = append(w.manifests, m)
		w.copyWhole(it, PieceManifest, string(raw))
	case errors.Is(bad, errNotOurs):
		w.places.disown(d)
		_ = w.pipe.feed(it.name(), contentLimits{reduce: w.reduce, kept: &w.budget.objects, copy: w.fileCopy(it)}, bytes.NewReader(raw))
	default:
		w.problem(it, bad.Error())
	}
	return err
}

func (w *walker) binary(it item, d place, what string) {
	w.places.count(d, false)
	if what == "" {
		what = "binary data"
	}
	w.left(it, what)
	w.pipe.note(Problem{File: it.name(), Message: "not read, for it is " + what, unrecognised: true})
}

// packed reads a compressed file.
func (w *walker) packed(it item, d place, f format, r io.Reader) {
	if it.layers >= maxLayers {
		w.odd.add(oddDeep, it.name())
		return
	}
	plain, done, err := w.decompress(f, r)
	if err != nil {
		w.problem(it, explain(err))
		return
	}
	defer done()
	_ = w.open(it.unpacked(), d, plain)
}

// archive reads a tar or zip.
func (w *walker) archive(it item, read func()) {
	switch {
	case it.layers >= maxLayers:
		w.odd.add(oddDeep, it.name())
		return
	case w.budget.archives >= maxArchives:
		w.odd.add(oddMany, it.name())
		return
	}
	w.budget.archives++
	// What is counted is what is in it.
	w.files--
	read()
}

// explain says in plain words what a failed read means for the user.
func explain(err error) string {
	var corrupt flate.CorruptInputError
	const before = "; what stands before was read"
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "ends in the middle, as a cut-off download does" + before
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zstd.ErrCRCMismatch), errors.Is(err, errXzChecksum),
		errors.Is(err, zip.ErrChecksum):
		return "has a wrong checksum: what was read of it may be damaged"
	case errors.Is(err, gzip.ErrHeader):
		return "is followed by data that is not gzip" + before
	case errors.As(err, &corrupt), errors.Is(err, errXzDamaged), errors.Is(err, zip.ErrFormat):
		return "is damaged" + before
	case errors.Is(err, errRatio):
		return "was given up: " + errRatio.Error() + before
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "reading was stopped" + before
	case errors.Is(err, errIdle):
		return err.Error()
	}
	return "could not be read to its end: " + err.Error() + before
}
