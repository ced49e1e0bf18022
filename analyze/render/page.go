package render

import (
	"bytes"
	"strings"
)

// style is an SGR parameter list; the empty style leaves text alone. Colour never says more than the words beside it.
type style string

const (
	plainText style = ""
	bold      style = "1"
	dim       style = "2"
	red       style = "1;31"
	yellow    style = "33"
	cyan      style = "36"
)

// page writes lines for people: indented, wrapped between words at the reader's width, coloured if asked. It expects
// text that clean has made safe.
type page struct {
	catalogue
	buf    *bytes.Buffer
	width  int
	color  bool
	indent int
}

// paint wraps s in a style. Only whole cells and line starts are painted, after their width is known.
func (p *page) paint(st style, s string) string {
	if !p.color || st == plainText || s == "" {
		return s
	}
	return "\x1b[" + string(st) + "m" + s + "\x1b[0m"
}

// in runs body with a deeper indentation.
func (p *page) in(body func()) {
	p.indent += 2
	body()
	p.indent -= 2
}

func (p *page) blank() { p.buf.WriteByte('\n') }

// raw writes one line as it is, below the present indentation.
func (p *page) raw(s string) {
	if s != "" {
		p.buf.WriteString(strings.Repeat(" ", p.indent))
		p.buf.WriteString(s)
	}
	p.buf.WriteByte('\n')
}

// para writes text wrapped.
func (p *page) para(s string) { p.item(plainText, "", s) }

// item writes text behind a label such as "1. ", wrapped; it goes on below the text, not below the label. If the text
// has lines of its own, the ones behind the first are commands or output, to be copied, and are not wrapped.
func (p *page) item(st style, label, s string) {
	hang := textWidth(label)
	first, rest, more := strings.Cut(s, "\n")
	parts := wrap(first, p.room(hang))
	if more {
		parts = append(parts, strings.Split(rest, "\n")...)
	}
	for i, part := range parts {
		head := strings.Repeat(" ", hang)
		if i == 0 {
			head = p.paint(st, label)
		}
		p.raw(strings.TrimRight(head+part, " "))
	}
}

// room is the width left for text, never so small that every word stands alone; 0 is no limit.
func (p *page) room(hang int) int {
	if p.width <= 0 {
		return 0
	}
	return max(p.width-p.indent-hang, 24)
}
