package kube

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

// yamlPieces is a YAML list cut into the texts of its items and the text around them.
type yamlPieces struct {
	around []byte
	items  []source
}

// splitYAML cuts a document whose items stand as a block sequence under the key items, or which is a block sequence.
// Items start where a dash stands at the column of the first one: such a line can not be inside a block scalar.
func splitYAML(raw []byte) (yamlPieces, bool) {
	var p yamlPieces
	rest, line, col := raw, 0, -1
	inItems := false
	for len(rest) > 0 {
		text := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			text = rest[:i+1]
		}
		rest = rest[len(text):]
		bare := bytes.TrimRight(text, "\n")
		c, dash := block{lines: [][]byte{bare}}.column(0)
		switch {
		case silent(bare) && inItems && len(p.items) > 0:
			p.grow(len(text))
		case silent(bare):
		case inItems && dash && (col < 0 || c == col):
			col = c
			p.items = append(p.items, source{raw: raw[len(raw)-len(rest)-len(text) : len(raw)-len(rest)], line: line})
		case inItems && col >= 0 && c > col:
			p.grow(len(text))
		case !inItems && len(p.items) == 0 && dash && c == 0 && len(bytes.TrimSpace(p.around)) == 0:
			inItems, col = true, c
			p.items = append(p.items, source{raw: raw[len(raw)-len(rest)-len(text) : len(raw)-len(rest)], line: line})
		case c == 0 && string(bytes.TrimSpace(bare)) == "items:" && len(p.items) == 0:
			inItems = true
		default:
			inItems = false
			p.around = append(p.around, text...)
		}
		line++
	}
	return p, len(p.items) > 0
}

// grow lengthens the last item by the n bytes that follow it.
func (p *yamlPieces) grow(n int) {
	last := &p.items[len(p.items)-1]
	last.raw = last.raw[: len(last.raw)+n : cap(last.raw)]
}

// yamlList decodes a list item by item, so that a broken one costs only itself.
func (d *Decoder) yamlList(p yamlPieces, src source, hint string) error {
	var h head
	around, err := yaml.YAMLToJSON(p.around)
	if err == nil {
		err = lenient(json.Unmarshal(around, &h))
	}
	if err != nil {
		d.Report(src.line, "reading the text around the items: "+oneLine(err.Error()))
	}
	kind := strings.TrimSuffix(h.Kind, "List")
	if kind == "" {
		kind = hint
	}
	for i, it := range p.items {
		it.line += src.line
		if err := d.yamlItem(it, kind); err != nil {
			d.Report(it.line, fmt.Sprintf("item %d of %d: %v", i+1, len(p.items), err))
		}
	}
	return nil
}

func (d *Decoder) yamlItem(it source, kind string) error {
	text, err := d.yamlToJSON(it.raw, it.line)
	if err != nil {
		return err
	}
	c := cursor{b: text, i: 1}
	c.space()
	it.raw = bytes.Clone(it.raw)
	return d.item(c.skip(), it, kind)
}
