package columns

import (
	"slices"
	"strings"
	"testing"
)

const (
	boldStyle Style = "1"
	redStyle  Style = "1;31"
)

func lines(t Table) []string { return new(Drawer).Lines(t) }

func sample(color bool) Table {
	return Table{Color: color, Header: []Cell{{"POD", boldStyle}, {"状态", boldStyle}, {"NODE", boldStyle}}, Rows: [][]Cell{
		Cells("report", "Running", "worker-1"),
		Cells("每日结算", "Running", "worker-1"),
		{{"ノード", redStyle}, {"Running", ""}, {"", ""}},
		Cells("e\u0301te\u0301", "Running"),
		Cells("ambiguous ±…①", "Running", "worker-1", "(described)"),
	}}
}

// TestColumnsAlignWideCharacters measures in columns where the second field of each row starts.
func TestColumnsAlignWideCharacters(t *testing.T) {
	uncolour := strings.NewReplacer("\x1b[1m", "", "\x1b[1;31m", "", "\x1b[0m", "")
	for _, color := range []bool{false, true} {
		all := lines(sample(color))
		if len(all) != 6 {
			t.Fatalf("%d lines: %q", len(all), all)
		}
		for _, l := range all[1:] {
			before, _, _ := strings.Cut(uncolour.Replace(l), "Running")
			if Width(before) != Width("ambiguous ±…①")+2 {
				t.Errorf("%q: the second column starts at %d", l, Width(before))
			}
		}
	}
}

// TestColourChangesNothingElse: without its escape sequences the coloured table is the plain one.
func TestColourChangesNothingElse(t *testing.T) {
	uncolour := strings.NewReplacer("\x1b[1m", "", "\x1b[1;31m", "", "\x1b[0m", "")
	coloured := lines(sample(true))
	if !strings.HasPrefix(coloured[0], "\x1b[1mPOD\x1b[0m ") || !strings.Contains(coloured[3], "\x1b[1;31mノード\x1b[0m ") {
		t.Errorf("the colours end behind their text: %q", coloured)
	}
	for i, l := range coloured {
		coloured[i] = uncolour.Replace(l)
	}
	if plain := lines(sample(false)); !slices.Equal(coloured, plain) {
		t.Errorf("got  %q\nwant %q", coloured, plain)
	}
}

// TestTextIsLeftAlone: the library capitalises, trims, merges and hides unless told not to.
func TestTextIsLeftAlone(t *testing.T) {
	got := lines(Table{Header: Cells("col_one", "colTwo", "x"), Rows: [][]Cell{
		Cells("a  b", "a  b", ""),
		Cells("", "total", ""),
		Cells("-", "", "last"),
	}})
	want := []string{
		"col_one  colTwo  x",
		"a  b     a  b",
		"         total",
		"-                last",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestLastColumnIsWrapped(t *testing.T) {
	table := Table{Color: true, Width: 40, Header: Cells("REASON", "MESSAGE"), Rows: [][]Cell{
		{{"BackOff", ""}, {"Back-off restarting failed container report in pod", redStyle}},
		Cells("拉取失败", "无法拉取镜像：仓库没有这个名字的镜像，或者需要登录"),
		Cells("Pulled", "registry.example.com/a-name-too-long-to-fit-into-the-column"),
	}}
	want := []string{
		"REASON    MESSAGE",
		"BackOff   \x1b[1;31mBack-off restarting failed\x1b[0m",
		"          \x1b[1;31mcontainer report in pod\x1b[0m",
		"拉取失败  无法拉取镜像：仓库没有这个名字",
		"          的镜像，或者需要登录",
		"Pulled    registry.example.com/a-name-too-long-to-fit-into-the-column",
	}
	if got := lines(table); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	table.Width = 30
	if got := lines(table); len(got) != 4 {
		t.Errorf("too narrow a column is not worth wrapping: %q", got)
	}
}

// TestOneEndlessValue: what a broken bundle holds in one cell does not pad every other row without bound.
func TestOneEndlessValue(t *testing.T) {
	rows := [][]Cell{Cells(strings.Repeat("x", 1<<20), "a")}
	for range 100 {
		rows = append(rows, Cells("y", "b"))
	}
	if n := len(strings.Join(lines(Table{Rows: rows}), "\n")); n > 101*(maxCell+10) {
		t.Errorf("%d bytes", n)
	}
}

func TestNoTable(t *testing.T) {
	if got := lines(Table{}); got != nil {
		t.Errorf("got %q", got)
	}
	if got := lines(Table{Rows: [][]Cell{Cells("a", "b")}}); !slices.Equal(got, []string{"a  b"}) {
		t.Errorf("got %q", got)
	}
}

// TestTablesDoNotMix: a drawer carries nothing over from one table to the next.
func TestTablesDoNotMix(t *testing.T) {
	var d Drawer
	wide := Table{Header: Cells("A", "B", "C"), Rows: [][]Cell{Cells("a long value", "b", "c"), Cells("x")}}
	narrow := Table{Rows: [][]Cell{Cells("a", "b")}}
	for range 3 {
		for _, table := range []Table{wide, narrow, sample(true)} {
			if got, want := d.Lines(table), lines(table); !slices.Equal(got, want) {
				t.Fatalf("got  %q\nwant %q", got, want)
			}
		}
	}
}
