package render

import (
	"bytes"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render/columns"
)

// The styles in use. Colour never says more than the words beside it.
const (
	plainText columns.Style = ""
	bold      columns.Style = "1"
	dim       columns.Style = "2"
	red       columns.Style = "1;31"
	yellow    columns.Style = "33"
	cyan      columns.Style = "36"
)

// page writes lines for people: indented, wrapped between words at the reader's width, coloured if asked. It expects
// text that clean has made safe.
type page struct {
	catalogue
	buf    *bytes.Buffer
	width  int
	color  bool
	indent int
	drawer columns.Drawer
}

// paint wraps s in a style, if the reader wants colours.
func (p *page) paint(st columns.Style, s string) string {
	if !p.color {
		return s
	}
	return st.Paint(s)
}

// columns writes a table whose columns are named by the catalogue's ids. Names are never wrapped.
func (p *page) columns(ids []string, rows [][]columns.Cell) { p.aligned(ids, rows, 0) }

// prose is columns for a table whose last column holds sentences.
func (p *page) prose(ids []string, rows [][]columns.Cell) { p.aligned(ids, rows, p.room(0)) }

func (p *page) aligned(ids []string, rows [][]columns.Cell, width int) {
	t := columns.Table{Rows: rows, Width: width, Color: p.color}
	for _, id := range ids {
		t.Header = append(t.Header, columns.Cell{Text: p.say(id), Style: bold})
	}
	for _, line := range p.drawer.Lines(t) {
		p.raw(line)
	}
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
func (p *page) item(st columns.Style, label, s string) {
	hang := columns.Width(label)
	first, rest, more := strings.Cut(s, "\n")
	parts := columns.Wrap(first, p.room(hang))
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
