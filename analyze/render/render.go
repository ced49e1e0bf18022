package render

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// Options are the reader's circumstances. The zero value writes plain text of any width in English.
type Options struct {
	// Width is the terminal's width in columns; 0 sets no limit. Only table and wide look at it.
	Width int
	// Color lets table and wide colour what they say in words anyway.
	Color bool
	// Quiet reduces table and wide to one line per workload and the closing count.
	Quiet bool
	// Language is the language of the renderer's own sentences; empty means "en".
	Language string
}

// format is one way to write reports.
type format struct {
	name  string
	write func(*bytes.Buffer, []*analyze.Report, Options) error
	// people says that the reports are made safe to show first; programs get the text as it is, encoded.
	people bool
}

// formats lists every format in the order in which help texts name them.
func formats() []format {
	return []format{
		{"table", writeTable, true},
		{"wide", writeWide, true},
		{"json", writeJSON, false},
		{"yaml", writeYAML, false},
		{"ndjson", writeNDJSON, false},
		{"markdown", writeMarkdown, true},
		{"html", writeHTML, true},
		{"junit", writeJUnit, true},
	}
}

// Formats returns the names that Write accepts.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// Write writes the reports in one format. The bytes depend on the reports and options alone. It returns an error for
// an unknown format or language, for a missing report, and when w does.
func Write(w io.Writer, name string, reports []*analyze.Report, opt Options) error {
	if _, err := newCatalogue(opt.Language); err != nil {
		return err
	}
	for _, f := range formats() {
		if f.name != name {
			continue
		}
		prepared, err := prepare(reports, f.people)
		if err != nil {
			return err
		}
		var buf bytes.Buffer
		if err := f.write(&buf, prepared, opt); err != nil {
			return fmt.Errorf("writing the report as %s: %w", name, err)
		}
		if _, err := w.Write(buf.Bytes()); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
		return nil
	}
	return fmt.Errorf("unknown output format %q: use one of %s", name, strings.Join(Formats(), ", "))
}

// prepare gives the reports as renderers are to see them.
func prepare(reports []*analyze.Report, people bool) ([]*analyze.Report, error) {
	out := make([]*analyze.Report, 0, len(reports))
	for _, r := range reports {
		if r == nil {
			return nil, errors.New("writing the report: there is none")
		}
		if people {
			r = clean(r)
		} else {
			r = complete(r)
		}
		out = append(out, r)
	}
	return out, nil
}
