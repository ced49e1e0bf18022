package bundle

import (
	"bytes"
	"fmt"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// endYAML decodes what is left when the document ends. kubectl writes the kind of a list after its items: if neither
// stands there the list was cut off, and its last item with it.
func (c *content) endYAML(d *yamlDoc, atEnd bool) {
	if d.items == inItems {
		if cut := d.seen["apiVersion"] && !d.seen["kind"]; cut {
			c.recognised = true
			c.report(d.item.line, fmt.Sprintf("the list is cut off within its item %d: %d read, 1 lost", d.count+1, d.count))
			return
		}
		c.endItem(d)
		return
	}
	if d.items == afterItems {
		return
	}
	t := d.text.take()
	if atEnd && c.w.err == nil {
		c.lastObject(t, d.hint)
		return
	}
	c.object(t, "", d.hint)
}

// lastObject decodes the object that a file ends with, which may be cut off. Of a cut off Pod the whole lines are
// kept, marked, so that what they say is not lost.
func (c *content) lastObject(t kube.Text, hint string) {
	trial := &kube.Decoder{File: c.name, Set: &kube.Set{}, Report: func(int, string) {}}
	err := trial.Object(t, hint)
	trial.Close()
	cut := err != nil && err != kube.ErrNoObject
	for _, p := range trial.Set.Pods {
		cut = cut || p.Status.Phase == "" && len(p.Status.Conditions)+len(p.Status.ContainerStatuses) > 0 && cutInStatus(t.Raw)
	}
	if !cut {
		c.object(t, "", hint)
		return
	}
	if i := bytes.LastIndexByte(t.Raw, '\n'); i >= 0 && i+1 < len(t.Raw) {
		t.Raw = t.Raw[:i+1]
	}
	t.Truncated = true
	c.object(t, "the text ends within an object", hint)
}

// cutInStatus says that status is the last thing in the text, as it is where keys are sorted.
func cutInStatus(raw []byte) bool {
	i := bytes.LastIndex(raw, []byte("\nstatus:"))
	return i >= 0 && bytes.IndexAny(raw[i+1:], "\n") > 0 && !hasTopKey(raw[i+len("\nstatus:"):])
}

func hasTopKey(raw []byte) bool {
	for line := range bytes.Lines(raw) {
		if _, ok := topKey(bytes.TrimRight(line, "\n")); ok {
			return true
		}
	}
	return false
}

// skipYAML skips the rest of an object that is too big.
func (c *content) skipYAML() {
	for {
		line, next, ok := c.w.lineAt(0)
		if !ok || len(line) > 0 && line[0] != ' ' {
			return
		}
		c.w.advance(next)
	}
}
