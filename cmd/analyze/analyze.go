package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

const analyzeLong = `Says why a Kubernetes Job does not end, from a bundle of files and without a cluster.

BUNDLE is a tarball, a zip, a directory, a single YAML, JSON or text file, or - for standard input: what our collector
makes (analyze collect-script), a must-gather, a support bundle, or kubectl output pasted into a ticket. It may be
incomplete; what could not be judged is listed with what would decide it.

Exit status: 0 everything was judged and nothing is at or above --fail-on; 1 something is; 2 usage error, or nothing
readable; 3 nothing found, but a workload could not be judged.`

const analyzeExample = `  analyze ticket.tgz
  kubectl get job,pod,nodes,cronjob,events -A -o yaml | analyze -
  analyze ticket.tgz --job nightly-report -o markdown
  analyze before.tgz after.tgz -o table -o json=report.json
  analyze demo`

// analyzeCommand is the root: what is no other command's name is a bundle.
func (a *app) analyzeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "analyze BUNDLE...",
		Short:         "Say why a Kubernetes Job does not end, from a bundle and without a cluster",
		Long:          analyzeLong,
		Example:       analyzeExample,
		Version:       a.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(cmd, errors.New("no bundle given: name a file or directory, or try 'analyze demo'"))
			}
			return a.analyzeBundles(cmd, args)
		},
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
	}
	a.addGlobalFlags(cmd)
	return cmd
}

// analyzeBundles analyzes each bundle and writes one document about all of them. A bundle of which nothing is readable
// does not stop the others.
func (a *app) analyzeBundles(cmd *cobra.Command, paths []string) error {
	s, err := a.resolve()
	if err != nil {
		return usage(cmd, err)
	}
	e, err := a.newEngine(s)
	if err != nil {
		return err
	}
	var reports []*analyze.Report
	var causes []error
	for _, path := range paths {
		report, err := e.analyze(cmd.Context(), path, a.Stdin)
		switch {
		case report == nil:
			return a.withSuggestion(cmd, path, err)
		case err != nil:
			causes = append(causes, a.withSuggestion(cmd, path, err))
		}
		reports = append(reports, report)
	}
	return a.finish(cmd.Context(), s, reports, causes)
}

// finish writes the reports and sets the exit status.
func (a *app) finish(ctx context.Context, s settings, reports []*analyze.Report, causes []error) error {
	if err := ctx.Err(); err != nil {
		return errors.New("interrupted")
	}
	nothing := len(causes) == len(reports)
	if err := a.write(s, reports, nothing); err != nil {
		return err
	}
	if nothing {
		return &unreadableError{errors.Join(causes...)}
	}
	for _, cause := range causes {
		fmt.Fprintf(a.Stderr, "analyze: %v\n", cause)
	}
	a.status = statusOf(reports, s.failOn, len(causes))
	return nil
}

// withSuggestion adds the name of a command to an error about a bundle that is a near miss of it.
func (a *app) withSuggestion(cmd *cobra.Command, path string, err error) error {
	if names := cmd.SuggestionsFor(path); len(names) > 0 {
		return fmt.Errorf("%w (did you mean the command 'analyze %s'?)", err, names[0])
	}
	return err
}
