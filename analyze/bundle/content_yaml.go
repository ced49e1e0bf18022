package bundle

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// startsYAML says whether a line at column 0 can begin a Kubernetes object, a list of them, or a version.
func startsYAML(line []byte) bool {
	key, ok := topKey(bytes.TrimPrefix(line, []byte("- ")))
	if !ok {
		return false
	}
	switch key {
	case "apiVersion", "kind", "items", "metadata", "spec", "status", "data", "action",
		"clientVersion", "serverVersion", "kustomizeVersion", "gitVersion":
		return true
	}
	return false
}

// topKey gives the key of a line of a block mapping at column 0. Keys of Kubernetes objects begin in lower case, which
// tells them from "Warning: ..." and from describe text.
func topKey(line []byte) (string, bool) {
	if len(line) == 0 || line[0] < 'a' || line[0] > 'z' {
		return "", false
	}
	for i, b := range line {
		switch {
		case b == ':':
			return string(line[:i]), i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t'
		case b == ' ':
			return "", false
		}
	}
	return "", false
}

// yamlDoc is one YAML document that is being read: the text of an object, or the text around the items of a list.
type yamlDoc struct {
	text  piece
	seen  map[string]bool // top-level keys
	items itemState
	item  piece
	count int // items read
	col   int // column of the items' dashes
	// hint is the kind to assume for items that name none.
	hint string
}

type itemState int

const (
	noItems itemState = iota
	itemsAnnounced
	inItems
	afterItems
)

// piece is text that is collected line by line.
type piece struct {
	raw  []byte
	line int
	gaps []int
}

func (p *piece) add(line []byte, number int, ended bool) {
	if len(p.raw) == 0 {
		p.line = number
	}
	p.raw = append(p.raw, line...)
	if ended {
		p.raw = append(p.raw, '\n')
	}
}

func (p *piece) take() kube.Text {
	t := kube.Text{Format: kube.YAML, Raw: p.raw, Line: p.line, Gaps: p.gaps}
	*p = piece{}
	return t
}

// readYAML reads one document. It ends at a document mark, at the next document's apiVersion (outputs are often
// appended to one file without a mark), and at whatever is no YAML; messages of kubectl amid its output are cut out.
func (c *content) readYAML() {
	d := &yamlDoc{seen: map[string]bool{}, hint: c.hint}
	defer func() { c.endList(d.text.raw) }()
	for {
		line, next, ok := c.w.lineAt(0)
		if !ok {
			c.endYAML(d, true)
			return
		}
		if len(d.text.raw)+len(d.item.raw) > maxPiece {
			c.report(c.w.line, tooBig("a YAML object"))
			c.skipYAML()
			return
		}
		if d.startsItem(line) {
			c.endItem(d)
			// A copy needs the text of every item.
			if c.lim.copy == nil && c.fastItems(d) {
				continue
			}
			line, next, _ = c.w.lineAt(0)
		}
		switch {
		case c.belongs(d, line):
			c.yamlLine(d, line, next)
		case c.noise(line):
			if p := d.current(); len(p.raw) > 0 {
				p.gaps = append(p.gaps, c.w.line)
			}
		default:
			c.endYAML(d, false)
			return
		}
		c.w.advance(next)
	}
}

func (d *yamlDoc) current() *piece {
	if d.items == inItems {
		return &d.item
	}
	return &d.text
}

// belongs says whether a line continues the document.
func (c *content) belongs(d *yamlDoc, line []byte) bool {
	if len(line) == 0 {
		return true
	}
	switch line[0] {
	case ' ', '\t', '#':
		return true
	case '-':
		return len(line) == 1 || line[1] == ' ' || line[1] == '\t'
	case '"', '\'', '}', ']':
		return len(d.text.raw)+len(d.item.raw) > 0
	}
	key, ok := topKey(line)
	return ok && (key != "apiVersion" || !d.seen[key])
}

// yamlLine adds a line to the document or to the current item, and decodes an item that it ends.
func (c *content) yamlLine(d *yamlDoc, line []byte, next int) {
	ended := next > len(line)
	bare := bytes.TrimSpace(line)
	col := len(line) - len(bytes.TrimLeft(line, " "))
	dash := len(bare) > 0 && bare[0] == '-' && (len(bare) == 1 || bare[1] == ' ')
	blank := len(bare) == 0 || bare[0] == '#'
	switch d.items {
	case itemsAnnounced:
		if !blank {
			d.items = noItems
		}
	case inItems:
		switch {
		case dash && col == d.col, blank || col > d.col:
			d.item.add(line, c.w.line, ended)
			return
		}
		c.endItem(d)
		d.items = afterItems
	}
	if key, ok := topKey(line); ok {
		d.seen[key] = true
		if kind, ok := strings.CutSuffix(string(bare), "List"); ok && key == "kind" && kind != "kind: " {
			d.hint = strings.TrimPrefix(kind, "kind: ")
		}
		if key == "items" && string(bare) == "items:" && d.items == noItems {
			d.items = itemsAnnounced
		}
	}
	d.text.add(line, c.w.line, ended)
}

// startsItem says whether a line begins an item of the document's list. The first one tells where all dashes stand.
func (d *yamlDoc) startsItem(line []byte) bool {
	col := len(line) - len(bytes.TrimLeft(line, " "))
	if len(line) < col+2 || line[col] != '-' || line[col+1] != ' ' {
		return false
	}
	if d.items == itemsAnnounced || d.items == noItems && col == 0 && len(bytes.TrimSpace(d.text.raw)) == 0 { // a bare array
		d.items, d.col = inItems, col
	}
	return d.items == inItems && col == d.col
}

// fastWindow is how much text is read ahead to find items in.
const fastWindow = 256 << 10

// fastItems reads the items from here to the last one whose end is in sight, as far as they are surely of kubectl's
// form. False means that none was: the next item must be read line by line.
func (c *content) fastItems(d *yamlDoc) bool {
	for len(c.w.rest()) < fastWindow && c.w.fill() {
	}
	text := c.w.rest()
	end := bytes.LastIndex(text, []byte("\n"+strings.Repeat(" ", d.col)+"- ")) + 1
	c.strength()
	items, size := c.dec.Items(text[:end], d.col, c.w.line, d.hint)
	d.count += items
	c.w.advance(size)
	return items > 0
}

// endItem decodes the item that was read line by line, if there is one.
func (c *content) endItem(d *yamlDoc) {
	if len(d.item.raw) == 0 {
		return
	}
	d.count++
	c.startYAMLList(d)
	c.object(d.item.take(), fmt.Sprintf("item %d of the list", d.count), d.hint)
}

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
