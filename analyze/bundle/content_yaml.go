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
		"clientVersion", "serverVersion", "kustomizeVersion", "gitVersion", "meshVersion":
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
	tabs bool // it was reported that lines begin with tabs
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
			c.yamlLine(d, c.untabbed(d, line), next > len(line))
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
	case ' ', '\t', '#', noBreakSpace[0]:
		return line[0] != noBreakSpace[0] || bytes.HasPrefix(line, noBreakSpace)
	case '-':
		return len(line) == 1 || line[1] == ' ' || line[1] == '\t'
	case '"', '\'', '}', ']':
		return len(d.text.raw)+len(d.item.raw) > 0
	}
	key, ok := topKey(line)
	return ok && (key != "apiVersion" || !d.seen[key])
}

// untabbed turns tabs and no-break spaces at the start of a line into blanks. No YAML has them there; terminals and web
// pages put them into what is copied from them. A tab fills up to eight columns.
func (c *content) untabbed(d *yamlDoc, line []byte) []byte {
	if len(line) == 0 || line[0] != '\t' && !bytes.HasPrefix(line, noBreakSpace) {
		return line
	}
	rest, col := line, 0
	for len(rest) > 0 {
		switch {
		case rest[0] == '\t':
			col += 8 - col%8
			rest = rest[1:]
			continue
		case rest[0] == ' ':
			rest = rest[1:]
		case bytes.HasPrefix(rest, noBreakSpace):
			rest = rest[len(noBreakSpace):]
		default:
			if !d.tabs {
				d.tabs = true
				c.report(c.w.line, "lines of this object begin with tabs or no-break spaces; they were read as blanks, a tab up to the next eighth column")
			}
			return append(bytes.Repeat([]byte(" "), col), rest...)
		}
		col++
	}
	return nil
}

var noBreakSpace = []byte("\u00a0")

// yamlLine adds a line to the document or to the current item, and decodes an item that it ends.
func (c *content) yamlLine(d *yamlDoc, line []byte, ended bool) {
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
