package bundle

import (
	"bytes"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Copier is handed what the reader recognises, file by file, so that a copy can be made of exactly that. It gets no
// bytes of which the reader has made nothing: what is not recognised cannot get into a copy.
type Copier interface {
	// File begins a file. Files are begun one after another; their pieces arrive from several goroutines.
	File(name string) FileCopy
	// Left says that a file is not read, and why.
	Left(name, reason string)
}

// FileCopy takes the pieces of one file in their order, from one goroutine.
type FileCopy interface {
	Piece(Piece)
	// Skipped counts lines in which nothing was recognised.
	Skipped(lines int)
	// End ends the file. With failed set the reader came to a fault of ours: nothing of the file may be used.
	End(failed bool)
}

// PieceKind says what a piece is.
type PieceKind uint8

// The kinds of pieces. A list is a PieceListStart, items and a PieceListEnd; a table a PieceTable and rows.
const (
	// PieceObject is an object, a list that was decoded as a whole, or what tells a server's version.
	PieceObject PieceKind = iota + 1
	// PieceListStart has what stands before the first item in Text, in YAML; in JSON What and APIVersion tell it.
	PieceListStart
	PieceItem
	// PieceListEnd has what stands around the items of a list in YAML.
	PieceListEnd
	// PieceDescribe is the describe text of one object of the kind What, which is empty for one that is not read.
	PieceDescribe
	// PieceTable is the header of a table of objects of the kind What, PieceRow a row of it.
	PieceTable
	PieceRow
	// PieceNote is a message of kubectl of the class What; PieceCommand the command behind a prompt, with What in its place
	// when its output is not read.
	PieceNote
	PieceCommand
	// PieceVersion is what kubectl version or istioctl version says of the other side, PieceManifest a collection.json,
	// PieceRefusals a list of errors.
	PieceVersion
	PieceManifest
	PieceRefusals
)

// Piece is one part of a file. What it refers to is the receiver's.
type Piece struct {
	Kind PieceKind
	// Text is that of objects, items and frames; Hint the kind to assume for what names none.
	Text kube.Text
	Hint string
	// What is the kind of the objects of a piece, or the class of a note; APIVersion that of a JSON list.
	What, APIVersion string
	// Lines are those of text, without their ends.
	Lines []string
	// Bare marks a list without an object around it.
	Bare bool
}

// emit hands a piece over, if a copy is made.
func (c *content) emit(p Piece) {
	if c.lim.copy != nil {
		c.lim.copy.Piece(p)
	}
}

// emitObject hands an object over that was decoded. While a copy is made the objects themselves are only counted: a
// bundle may be larger than memory.
func (c *content) emitObject(t kube.Text, hint string, err error) {
	if c.lim.copy == nil {
		return
	}
	if err != nil {
		c.lim.copy.Skipped(1 + bytes.Count(t.Raw, newline))
		return
	}
	kind := PieceObject
	if c.inList {
		kind = PieceItem
	}
	c.emit(Piece{Kind: kind, Text: t, Hint: hint})
	c.forget()
}

// forget counts the objects read so far and lets them go, when a copy is made.
func (c *content) forget() {
	if c.lim.copy != nil {
		c.found += setSize(c.dst)
		*c.dst = kube.Set{}
	}
}

// startYAMLList begins the copy of a list at its first item.
func (c *content) startYAMLList(d *yamlDoc) {
	if c.inList || c.lim.copy == nil {
		return
	}
	c.inList = true
	c.emit(Piece{Kind: PieceListStart, Text: kube.Text{Format: kube.YAML, Raw: bytes.Clone(d.text.raw)}, Bare: len(bytes.TrimSpace(d.text.raw)) == 0})
}

// endList ends the copy of a list.
func (c *content) endList(frame []byte) {
	if c.inList {
		c.inList = false
		c.emit(Piece{Kind: PieceListEnd, Text: kube.Text{Format: kube.YAML, Raw: frame}})
	}
}

// startJSONList begins the copy of a list whose head was read.
func (c *content) startJSONList(l jsonList) {
	if c.lim.copy != nil {
		c.inList = true
		c.emit(Piece{Kind: PieceListStart, Text: kube.Text{Format: kube.JSON}, What: l.kind, APIVersion: l.apiVersion, Bare: l.bare})
	}
}

// skipped counts a line in which nothing was recognised.
func (c *content) skipped() {
	if c.lim.copy != nil {
		c.lim.copy.Skipped(1)
	}
	c.w.skipLine()
}

// fileCopy begins the copy of a file, if one is made.
func (w *walker) fileCopy(it item) FileCopy {
	if w.copier == nil {
		return nil
	}
	return w.copier.File(it.name())
}

// copyWhole copies a file that was read as a whole.
func (w *walker) copyWhole(it item, kind PieceKind, lines ...string) {
	if f := w.fileCopy(it); f != nil {
		f.Piece(Piece{Kind: kind, Lines: lines})
		f.End(false)
	}
}

// left tells the copy of a file that is not read.
func (w *walker) left(it item, reason string) {
	if w.copier != nil {
		w.copier.Left(it.name(), reason)
	}
}
