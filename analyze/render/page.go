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

// para writes text wrapped, its own line breaks kept.
func (p *page) para(s string) { p.item(plainText, "", s) }

// item writes text behind a label such as "1. "; further lines stand below the text, not below the label.
func (p *page) item(st style, label, s string) {
	hang := textWidth(label)
	pad := strings.Repeat(" ", hang)
	first := true
	for _, l := range strings.Split(s, "\n") {
		for _, part := range wrap(l, p.room(hang)) {
			head := pad
			if first {
				head = p.paint(st, label)
			}
			first = false
			p.raw(strings.TrimRight(head+part, " "))
		}
	}
}

// room is the width left for text, never so small that every word stands alone; 0 is no limit.
func (p *page) room(hang int) int {
	if p.width <= 0 {
		return 0
	}
	return max(p.width-p.indent-hang, 24)
}
