package bundle

import (
	"bytes"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube/describe"
)

// startsDescribe says whether describe text begins with the line here, behind a margin.
func (c *content) startsDescribe(line, margin []byte) bool {
	line = line[len(margin):]
	if !bytes.HasPrefix(line, []byte("Name:")) {
		return false
	}
	first := string(line) // the window may move its text to read on
	_, next, _ := c.w.lineAt(0)
	second, _, _ := c.w.lineAt(next)
	return describe.Starts(first, string(bytes.TrimPrefix(second, margin)))
}

// readDescribe reads the describe text of one object or of several.
func (c *content) readDescribe() {
	c.recognised = true
	d := &describe.Decoder{File: c.name, Set: c.dst, Report: c.report}
	if c.lim.copy != nil {
		d.Object = func(kind string, lines []string) {
			c.forget()
			c.emit(Piece{Kind: PieceDescribe, What: kind, Lines: lines})
		}
		defer c.forget()
	}
	defer d.End()
	for {
		line, next, ok := c.w.lineAt(0)
		if !ok {
			return
		}
		if c.endsDescribe(d, line) {
			return
		}
		text := string(line) // the window may move its text to read on
		following, _, _ := c.w.lineAt(next)
		d.Line(text, string(following), c.w.line)
		c.w.advance(next)
	}
}

// endsDescribe says whether a line begins something else. A container's or an event's message may hold such lines too;
// so an object that ends within the reach of one is not taken for what an API server has stored.
func (c *content) endsDescribe(d *describe.Decoder, line []byte) bool {
	reach, may := d.MayEnd()
	_, prompted := prompt(line)
	divides := d.Interruptible() && (prompted && c.session || fence(line))
	if !divides && !(may && (prompted || startsNote(line) || startsYAML(line) || startsJSON(line) || startsTable(line))) {
		return false
	}
	if reach > 0 {
		c.doubtful = c.w.offset + int64(reach)
	}
	return true
}
