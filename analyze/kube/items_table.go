package kube

import (
	"strings"
	"unicode/utf8"
)

// Columns are the offsets of a table's columns, in runes, which is how kubectl pads its tables.
type Columns []int

// NewColumns finds where the titles of a header begin. Titles may hold single spaces; they stand at least two apart.
func NewColumns(header string) Columns {
	var cols Columns
	gap, at := 2, 0
	for _, r := range header {
		if r == ' ' {
			gap++
		} else {
			if gap >= 2 {
				cols = append(cols, at)
			}
			gap = 0
		}
		at++
	}
	return cols
}

// Cut gives the cells of a row; ok is false when a cell does not begin where its title does.
func (cols Columns) Cut(row string) (cells []string, ok bool) {
	offset := cols
	if len(row) != utf8.RuneCountInString(row) {
		offset = make(Columns, len(cols))
		for i, c := range cols {
			offset[i] = byteOffset(row, c)
		}
	}
	cells = make([]string, len(cols))
	for i, from := range offset {
		if from >= len(row) {
			break
		}
		if from > 0 && row[from-1] != ' ' {
			return nil, false
		}
		to := len(row)
		if i+1 < len(offset) {
			to = min(offset[i+1], to)
		}
		cells[i] = strings.TrimSpace(row[from:to])
	}
	return cells, true
}

// byteOffset turns an offset in runes into one in bytes.
func byteOffset(s string, runes int) int {
	for i := range s {
		if runes == 0 {
			return i
		}
		runes--
	}
	return len(s) + runes
}
