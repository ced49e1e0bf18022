package columns

import "strings"

// Cell is one field of a row.
type Cell struct {
	Text  string
	Style Style
}

// Style is an SGR parameter list such as 1;31; the empty one leaves text alone.
type Style string

// Paint puts s into the style.
func (st Style) Paint(s string) string {
	if st == "" || s == "" {
		return s
	}
	return "\x1b[" + string(st) + "m" + s + "\x1b[0m"
}

// Cells makes unstyled cells.
func Cells(texts ...string) []Cell {
	row := make([]Cell, len(texts))
	for i, t := range texts {
		row[i].Text = t
	}
	return row
}

// Table is what is to be drawn. Its text must be safe to show: no line breaks, tabs or escape sequences.
type Table struct {
	// Header names the columns; nil for none.
	Header []Cell
	Rows   [][]Cell
	// Width is for tables whose last column holds sentences: they are wrapped so that the line fits into it, where there
	// is room for some words. Names are never cut or wrapped, for they get copied. 0 is no limit.
	Width int
	// Color lets the cells' styles show.
	Color bool
}

const (
	// gap stands between two columns.
	gap = "  "
	// minRoom is the narrowest last column in which wrapping helps.
	minRoom = 24
	// maxCell bounds a cell, far beyond Kubernetes' names and messages: one endless value of a broken bundle would
	// else be padded in every row. json has it whole.
	maxCell = 1024
)

// texts gives a row as the library takes it; the last column is wrapped into room.
func (t Table) texts(row []Cell, last, room int) []string {
	out := make([]string, len(row))
	for i, c := range row {
		lines := []string{Shorten(c.Text, maxCell)}
		if i == last {
			lines = Wrap(lines[0], room)
		}
		for k := 0; k < len(lines) && t.Color; k++ {
			lines[k] = c.Style.Paint(lines[k])
		}
		out[i] = strings.Join(lines, "\n")
	}
	return out
}

// columns counts the columns of the widest row.
func (t Table) columns() int {
	n := len(t.Header)
	for _, row := range t.Rows {
		n = max(n, len(row))
	}
	return n
}

// room is what the columns before the last leave of the line; 0 is no limit.
func (t Table) room(last int) int {
	if t.Width <= 0 || last < 0 {
		return 0
	}
	widths := make([]int, last)
	for _, row := range append([][]Cell{t.Header}, t.Rows...) {
		for i := range min(len(row), last) {
			widths[i] = max(widths[i], min(Width(row[i].Text), maxCell))
		}
	}
	room := t.Width
	for _, w := range widths {
		room -= w + len(gap)
	}
	if room < minRoom {
		return 0
	}
	return room
}
