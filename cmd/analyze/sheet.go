package main

import (
	"fmt"
	"io"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render/columns"
)

// sheet is what a command that makes no report writes its text to.
type sheet struct {
	io.Writer
	// width is the terminal's, 0 when there is none.
	width  int
	drawer *columns.Drawer
}

func newSheet(w io.Writer, width int) sheet {
	return sheet{Writer: w, width: width, drawer: &columns.Drawer{}}
}

// table writes aligned columns behind an indentation; no header is nil. The last column holds sentences, which are
// wrapped at the terminal's width. Text is made safe before it is measured: names and messages come from the bundle.
func (s sheet) table(indent string, header []string, rows [][]string) {
	t := columns.Table{}
	if s.width > 0 {
		t.Width = max(s.width-len(indent), 1)
	}
	if header != nil {
		t.Header = columns.Cells(header...)
	}
	for _, row := range rows {
		var cells []columns.Cell
		for _, text := range row {
			cells = append(cells, columns.Cell{Text: render.Text(text)})
		}
		t.Rows = append(t.Rows, cells)
	}
	for _, line := range s.drawer.Lines(t) {
		fmt.Fprintln(s, indent+line)
	}
}
