package bundle

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube/describe"
)

// startsDescribe says whether describe text begins here.
func (c *content) startsDescribe(line []byte) bool {
	if len(line) < 6 || string(line[:5]) != "Name:" {
		return false
	}
	_, next, _ := c.w.lineAt(0)
	second, _, _ := c.w.lineAt(next)
	first, _, _ := c.w.lineAt(0)
	return describe.Starts(string(first), string(second))
}

// readDescribe reads the describe text of one object or of several. In a terminal session it ends at the next prompt;
// in a file of its own nothing but the file's end is sure to be no part of a message in it. So what follows an event
// table without a prompt between is read, but not as what an API server has stored.
func (c *content) readDescribe() {
	c.recognised = true
	d := &describe.Decoder{File: c.name, Set: c.dst, Report: c.report}
	defer d.End()
	for {
		line, next, ok := c.w.lineAt(0)
		if !ok {
			return
		}
		text := string(line)
		following, _, _ := c.w.lineAt(next)
		if d.MayEnd() {
			if _, ok := prompt(line); ok && c.session {
				return
			}
			if startsYAML(line) || startsJSON(line) || c.startsTable(text) {
				c.dec.Strength = evidence.Text
				return
			}
			if _, ok := noteClass(text); ok {
				c.readNote()
				continue
			}
		}
		d.Line(text, string(following), c.w.line)
		c.w.advance(next)
	}
}
