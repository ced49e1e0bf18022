package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render"
)

// convertCommand prints a finished report again: every format is made from the JSON document alone.
func (a *app) convertCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "convert REPORT.json",
		Short: "Print a report that was saved as JSON in another format",
		Long: `Prints a report that was saved with -o json in any other format, without the bundle that it was made from. REPORT.json may
be - for standard input. The exit status is that of the analysis: 1 when the report holds something at or above --fail-on.
Sentences stay in the language in which the report was saved; --lang changes the headings around them.`,
		Example: "  analyze ticket.tgz -o json=report.json\n  analyze convert report.json -o html=report.html",
		Args:    takes(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := without(cmd, "the report is printed as it was saved; give the flag when it is made",
				"job", "namespace", "all", "at", "rules", "layout", "max-bytes", "max-files"); err != nil {
				return err
			}
			s, err := a.resolve()
			if err != nil {
				return usage(cmd, err)
			}
			if err := s.spare(args[0]); err != nil {
				return usage(cmd, err)
			}
			reports, err := a.readReports(args[0])
			if err != nil {
				return err
			}
			if err := a.write(s, func(language string) ([]*analyze.Report, error) { return headed(reports, language) }, false); err != nil {
				return err
			}
			a.status = statusOf(reports, s.failOn, 0)
			return nil
		},
	}
}

// headed gives the reports with what their heads say in fixed words in a language: it stands among headings, and not with
// the sentences that stay as they were saved.
func headed(reports []*analyze.Report, language string) ([]*analyze.Report, error) {
	translate, err := wordsOf(language)
	if err != nil {
		return nil, err
	}
	var out []*analyze.Report
	for _, r := range reports {
		c := *r
		c.Bundle.CollectedFrom = translate.phrase(r.Bundle.CollectedFrom)
		out = append(out, &c)
	}
	return out, nil
}

func (a *app) readReports(path string) ([]*analyze.Report, error) {
	if path == "" {
		return nil, errors.New("the name of the report is empty: give a file, or - for standard input")
	}
	in := a.Stdin
	if path != standardInput {
		f, err := bundle.OpenFile(path)
		if err != nil {
			return nil, fmt.Errorf("opening the report %s: %w", path, err)
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	reports, err := render.Read(in)
	if err != nil {
		return nil, fmt.Errorf("%s is no report of this tool: save one with 'analyze BUNDLE -o json=report.json': %w", path, err)
	}
	return reports, nil
}
