package render

import "strings"

// cell is one field of a row; the style is put on after the width is known.
type cell struct {
	text  string
	style style
}

// cells makes unstyled cells.
func cells(texts ...string) []cell {
	row := make([]cell, len(texts))
	for i, t := range texts {
		row[i].text = t
	}
	return row
}

// maxColumn bounds how far one long name can push the columns behind it in all the other rows.
const maxColumn = 64

// columns writes rows the way kubectl does: two spaces between columns, no lines. Names are never cut or wrapped, for
// they get copied: a cell wider than its column moves only its own row.
func (p *page) columns(header []string, rows [][]cell) {
	all := rows
	if header != nil {
		head := cells(header...)
		for i := range head {
			head[i].style = bold
		}
		all = append([][]cell{head}, rows...)
	}
	widths := columnWidths(all)
	for _, row := range all {
		var b strings.Builder
		for i, c := range row {
			if i == len(row)-1 {
				b.WriteString(p.paint(c.style, c.text))
				break
			}
			b.WriteString(p.paint(c.style, c.text))
			b.WriteString(strings.Repeat(" ", max(widths[i]-textWidth(c.text), 0)+2))
		}
		p.raw(strings.TrimRight(b.String(), " "))
	}
}

func columnWidths(rows [][]cell) []int {
	var widths []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if w := textWidth(c.text); w <= maxColumn {
				widths[i] = max(widths[i], w)
			}
		}
	}
	return widths
}
