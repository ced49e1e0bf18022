package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

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
				return usage(cmd, fmt.Errorf("no bundle given: name a file or directory, or try '%s demo'", cmd.CommandPath()))
			}
			return a.analyzeBundles(cmd, args)
		},
		SuggestionsMinimumDistance: 2,
	}
	a.addGlobalFlags(cmd)
	return cmd
}

// analyzeBundles analyzes each bundle and writes one document about all of them. A bundle of which nothing is readable
// does not stop the others.
func (a *app) analyzeBundles(cmd *cobra.Command, paths []string) error {
	e, err := a.start(cmd)
	if err != nil {
		return err
	}
	if err := e.settings.spare(paths...); err != nil {
		return usage(cmd, err)
	}
	var reports []*analyze.Report
	var causes []error
	for _, path := range paths {
		report, err := e.analyze(cmd.Context(), path, a.Stdin)
		switch {
		case report == nil:
			return withSuggestion(cmd, path, err)
		case err != nil:
			causes = append(causes, withSuggestion(cmd, path, err))
		}
		reports = append(reports, report)
	}
	return a.finish(cmd, e, reports, causes)
}

// finish writes the reports and sets the exit status.
func (a *app) finish(cmd *cobra.Command, e *engine, reports []*analyze.Report, causes []error) error {
	if cmd.Context().Err() != nil {
		return errors.New("interrupted")
	}
	nothing := len(causes) == len(reports)
	if err := a.write(e.settings, e.reportsIn, nothing); err != nil {
		return err
	}
	if nothing {
		return errors.Join(causes...)
	}
	for _, cause := range causes {
		fmt.Fprintf(a.Stderr, "%s: %v\n", a.name(), cause)
	}
	if err := a.noMatch(e, reports); err != nil {
		return usage(cmd, err)
	}
	a.status = statusOf(reports, e.settings.failOn, len(causes))
	return nil
}

// noMatch is the error of a --namespace or --job that selects nothing: an empty report would read as "all is well".
func (a *app) noMatch(e *engine, reports []*analyze.Report) error {
	if a.global.job == "" && a.global.namespace == "" || len(e.seen) == 0 || slices.ContainsFunc(reports, showsAny) {
		return nil
	}
	var names []string
	for _, ref := range e.seen {
		names = append(names, ref.String())
	}
	return noSuch("workload", strings.Trim(a.global.namespace+"/"+a.global.job, "/"), names)
}

// namesShown bounds the list of names in an error.
const namesShown = 10

// noSuch is the error of a name that the bundle does not have; it lists those it has.
func noSuch(what, name string, has []string) error {
	if len(has) == 0 {
		return fmt.Errorf("the bundle has no %s at all", what)
	}
	return fmt.Errorf("the bundle has no %s %s; it has %s", what, quote(name), joinSome(has))
}

// joinSome lists names in order, not too many.
func joinSome(names []string) string {
	slices.Sort(names)
	if more := len(names) - namesShown; more > 0 {
		names = append(names[:namesShown:namesShown], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

func showsAny(r *analyze.Report) bool {
	return len(r.Workloads) > 0 || r.Hidden != nil && r.Hidden.Workloads > 0
}

// withSuggestion adds the name of a command to the error about a missing bundle whose name is a near miss of it.
func withSuggestion(cmd *cobra.Command, path string, err error) error {
	if names := cmd.SuggestionsFor(path); len(names) > 0 && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w\ndid you mean the command '%s %s'?", err, cmd.CommandPath(), names[0])
	}
	return err
}
