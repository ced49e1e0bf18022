package columns

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twcache"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Drawer draws tables one after another; the zero value is ready. A report may have thousands, and the library's own
// table is costly to make (it comes with a large cache), so it is made once and emptied between tables.
type Drawer struct {
	buf   bytes.Buffer
	table *tablewriter.Table
}

// Lines draws a table the way kubectl does: aligned columns, no lines, nothing behind the last word.
func (d *Drawer) Lines(t Table) []string {
	if len(t.Header)+len(t.Rows) == 0 {
		return nil
	}
	fixMeasure()
	d.empty()
	last := t.columns() - 1
	room := t.room(last)
	if t.Header != nil {
		d.table.Header(t.texts(t.Header, last, 0))
	}
	for _, row := range t.Rows {
		if err := d.table.Append(t.texts(row, last, room)); err != nil {
			return []string{fmt.Sprintf("(a row could not be drawn: %v)", err)}
		}
	}
	if err := d.table.Render(); err != nil {
		return []string{fmt.Sprintf("(the table could not be drawn: %v)", err)}
	}
	var lines []string
	for line := range strings.Lines(d.buf.String()) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return lines
}

// empty makes the library's table ready for the next one.
func (d *Drawer) empty() {
	d.buf.Reset()
	if d.table != nil {
		d.table.Reset()
		return
	}
	d.table = tablewriter.NewTable(&d.buf,
		tablewriter.WithRenderer(calm()),
		tablewriter.WithHeaderConfig(asIs()),
		tablewriter.WithRowConfig(asIs()),
		tablewriter.WithBehavior(tw.Behavior{TrimSpace: tw.Off, TrimTab: tw.Off, AutoHide: tw.Off}),
		tablewriter.WithStringerCacheCustom(twcache.NewLRU[reflect.Type, reflect.Value](1)))
}

// calm draws neither borders nor lines nor separators.
func calm() tw.Renderer {
	return renderer.NewBlueprint(tw.Rendition{
		Borders: tw.BorderNone,
		Symbols: tw.NewSymbolCustom("gap").WithColumn(gap),
		Settings: tw.Settings{
			Separators: tw.Separators{ShowHeader: tw.Off, ShowFooter: tw.Off, BetweenRows: tw.Off, BetweenColumns: tw.On},
			Lines:      tw.LinesNone,
		},
	})
}

// asIs makes the library leave text as it is: no capitals in the header, no wrapping, no padding of its own.
func asIs() tw.CellConfig {
	return tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft},
		Padding:    tw.CellPadding{Global: tw.PaddingNone},
	}
}
