package redact

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// knownTitles are the columns that kubectl prints of the kinds that are read. Whoever names columns can print anything.
var knownTitles = strings.Split("NAMESPACE,NAME,READY,STATUS,RESTARTS,AGE,IP,NODE,NOMINATED NODE,READINESS GATES,LABELS,COMPLETIONS,"+
	"DURATION,CONTAINERS,IMAGES,SELECTOR,SCHEDULE,TIMEZONE,SUSPEND,ACTIVE,LAST SCHEDULE,ROLES,VERSION,INTERNAL-IP,EXTERNAL-IP,"+
	"OS-IMAGE,KERNEL-VERSION,CONTAINER-RUNTIME,UP-TO-DATE,AVAILABLE,LAST SEEN,TYPE,REASON,OBJECT,SUBOBJECT,SOURCE,MESSAGE,"+
	"FIRST SEEN,COUNT", ",")

// table is a table on its way; open says that rows of it stay.
type table struct {
	open    bool
	tabs    bool
	columns kube.Columns
	titles  []string
}

// tableLine keeps tables of the kinds that are read; other tables may have any column.
func (f *file) tableLine(p bundle.Piece) {
	line := p.Lines[0]
	switch {
	case p.What == "":
		f.count(ofRows)
	case p.Kind == bundle.PieceTable:
		f.table = table{open: true, tabs: strings.Contains(line, "\t"), columns: kube.NewColumns(line)}
		f.table.titles, _ = f.table.cells(line)
		f.write("\n" + line + "\n")
	case f.table.open:
		f.row(line)
	}
}

// cells cuts a row; spaced says that the cells stand below their titles.
func (t table) cells(line string) (cells []string, spaced bool) {
	if t.tabs {
		for _, cell := range strings.FieldsFunc(line, func(r rune) bool { return r == '\t' }) {
			cells = append(cells, strings.TrimSpace(cell))
		}
		return cells, false
	}
	if cells, ok := t.columns.Cut(line); ok {
		return cells, true
	}
	// Somebody has squeezed the blanks, or moved the cells, of which one may hold a blank: "9 (10s ago)".
	if cells = strings.Fields(line); len(cells) != len(t.titles) {
		cells = gap.Split(strings.Trim(line, " "), -1)
	}
	return cells, false
}

// gap is what stands between two cells.
var gap = regexp.MustCompile(` {2,}`)

// row takes secrets out of the cells of a row, which keep their columns.
func (f *file) row(line string) {
	cells, spaced := f.table.cells(line)
	if len(cells) != len(f.table.titles) {
		f.count(ofRows)
		return
	}
	columns := f.table.columns
	for i, cell := range cells {
		if !slices.Contains(knownTitles, f.table.titles[i]) && cell != "" {
			f.count(ofRows)
			cell = Mark
		}
		cell = f.scrubbed(cell)
		if spaced && i+1 < len(columns) {
			width := columns[i+1] - columns[i]
			cell = cut(cell, width-1)
			cell += strings.Repeat(" ", width-utf8.RuneCountInString(cell))
		}
		cells[i] = cell
	}
	f.write(strings.TrimRight(strings.Join(cells, f.table.between(spaced)), " ") + "\n")
}

// between is what stands between the cells of a row.
func (t table) between(spaced bool) string {
	switch {
	case spaced:
		return ""
	case t.tabs:
		return "\t"
	}
	return "   "
}

// cut shortens a cell to so many runes.
func cut(s string, runes int) string {
	if utf8.RuneCountInString(s) <= runes {
		return s
	}
	return string([]rune(s)[:max(runes, 0)])
}
