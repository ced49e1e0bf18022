package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render"
)

// document is what a command says that makes no report, in one language: text for people, data for programs.
type document struct {
	text func(sheet)
	data any
}

// publish writes a document in every format asked for, made anew in the language of each.
func (a *app) publish(cmd *cobra.Command, s settings, in func(words) document) error {
	for _, o := range s.outputs {
		width := a.StdoutWidth
		if o.file != "" {
			width = 0
		}
		t, err := wordsOf(a.language(o.format))
		if err != nil {
			return err
		}
		fill, err := in(t).in(o.format, width)
		if err != nil {
			return usage(cmd, notWritten(cmd, o.format))
		}
		if err := a.emit(o.file, fill); err != nil {
			return err
		}
	}
	return nil
}

func (d document) in(format string, width int) (func(io.Writer) error, error) {
	switch format {
	case "table":
		return func(w io.Writer) error { return d.writeText(w, width) }, nil
	case "json":
		return func(w io.Writer) error { return render.JSON(w, d.data) }, nil
	case "yaml":
		return d.writeYAML, nil
	}
	return nil, fmt.Errorf("no format %s", format)
}

// writeText makes every line safe to show: names and messages come from the bundle.
func (d document) writeText(w io.Writer, width int) error {
	var buf bytes.Buffer
	d.text(newSheet(&buf, width))
	for line := range strings.Lines(buf.String()) {
		if _, err := io.WriteString(w, strings.TrimRight(render.Text(strings.TrimSuffix(line, "\n")), " ")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func (d document) writeYAML(w io.Writer) error {
	b, err := yaml.Marshal(d.data)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// paragraph begins a sentence with a capital letter, unless it begins with a name (ttlSecondsAfterFinished, or one of those
// given), and ends it with a full stop.
func (w words) paragraph(s string, names []string) string {
	stop := w.say(".")
	if s == "" {
		return ""
	}
	if !strings.HasSuffix(s, stop) && !strings.HasSuffix(s, ".") {
		s += stop
	}
	return capital(s, names)
}

func capital(s string, names []string) string {
	const marks = ".,:;"
	word, _, _ := strings.Cut(s, " ")
	bare := strings.TrimRight(word, marks)
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz"+marks) != "" || slices.Contains(names, bare) || bare == "kubectl" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// containersOf gives the names of a workload's containers, which stay as they are also at the head of a sentence.
func containersOf(w *facts.Workload) []string {
	var out []string
	for _, p := range w.Pods {
		for _, c := range p.Containers {
			out = append(out, c.Name)
		}
	}
	if t := w.Template(); t != nil {
		for _, c := range slices.Concat(t.Spec.InitContainers, t.Spec.Containers) {
			out = append(out, c.Name)
		}
	}
	return out
}
