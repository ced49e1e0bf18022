package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render"
)

// output is one format and where it goes: a file, or standard output when file is empty.
type output struct{ format, file string }

func formatNames() []string { return render.Formats() }

func formatList() string { return strings.Join(formatNames(), ", ") }

// standardOutput is the file that stands for it, as "-" stands for standard input.
const standardOutput = "-"

// parseOutputs reads the values of -o, FORMAT or FORMAT=FILE, and --output-file, which is the file of the one format
// without its own. Of several formats at most one can have standard output.
func parseOutputs(values []string, outputFile string) ([]output, error) {
	var all []output
	plain, stdout := 0, 0
	toStandard := outputFile == standardOutput
	if toStandard {
		outputFile = ""
	}
	for _, v := range values {
		format, file, toFile := strings.Cut(v, "=")
		if !slices.Contains(formatNames(), format) {
			return nil, fmt.Errorf("unknown output format %s: use one of %s", quote(format), formatList())
		}
		switch {
		case toFile && file == "":
			return nil, fmt.Errorf("-o %s names no file: use -o %s=FILE", v, format)
		case file == standardOutput:
			file = ""
			stdout++
		case !toFile:
			plain++
			file = outputFile
		}
		all = append(all, output{format, file})
	}
	if toStandard && plain == 0 {
		plain++
		all = append(all, output{format: "table"})
	}
	if plain > 1 || stdout > 1 || plain+stdout > 1 && outputFile == "" {
		return nil, fmt.Errorf("more than one format for standard output: give the others a file, as in -o html=report.html")
	}
	if outputFile != "" && plain == 0 {
		all = append(all, output{"table", outputFile})
	}
	if len(all) == 0 {
		all = []output{{format: "table"}}
	}
	for i, o := range all {
		if o.file != "" && slices.ContainsFunc(all[:i], func(p output) bool { return p.file == o.file }) {
			return nil, fmt.Errorf("two formats for the file %s: give each its own", o.file)
		}
	}
	return all, nil
}

// wantsEvenEmpty says whether this output gets a report in which there is nothing, for nothing was readable or chosen. A
// program reads the reason there; a person reads it on standard error and needs no empty table.
func (o output) wantsEvenEmpty() bool {
	return o.file != "" || o.format != "table" && o.format != "wide"
}

// spare refuses outputs that would replace or change an input: a report must never cost the evidence it was made from.
func (s settings) spare(inputs ...string) error {
	for _, o := range s.outputs {
		for _, path := range inputs {
			if o.file != "" && path != standardInput && !isDemo(path) && isOfInput(path, o.file) {
				return fmt.Errorf("will not write %s: it is the input, or lies in it; give a place outside of it", quote(o.file))
			}
		}
	}
	return nil
}

// isOfInput says that a file is an input, or would lie in one that is a folder.
func isOfInput(path, name string) bool {
	source, err := os.Stat(path)
	if err != nil {
		return false
	}
	target, err := os.Stat(name)
	return err == nil && os.SameFile(source, target) || source.IsDir() && inside(path, name)
}

// write renders the reports for every output in turn, each in its language.
func (a *app) write(s settings, reports func(language string) ([]*analyze.Report, error), empty bool) error {
	for _, o := range s.outputs {
		if empty && !o.wantsEvenEmpty() {
			continue
		}
		language := a.language(o.format)
		all, err := reports(language)
		if err != nil {
			return err
		}
		opt := render.Options{Quiet: a.global.quiet, Language: language}
		if o.file == "" {
			opt.Width, opt.Color = a.StdoutWidth, s.color
		}
		render := func(w io.Writer) error { return render.Write(w, o.format, all, opt) }
		if err := a.emit(o.file, render); err != nil {
			return err
		}
	}
	return nil
}

// emit sends what fill writes to a file, all of it or nothing, or to standard output.
func (a *app) emit(file string, fill func(io.Writer) error) error {
	var buf bytes.Buffer
	if err := fill(&buf); err != nil {
		return err
	}
	if file != "" {
		return writeFile(file, buf.Bytes())
	}
	if _, err := a.Stdout.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("writing to standard output: %w", err)
	}
	return nil
}
