package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

const analyzeLong = `Says why a Kubernetes Job does not end, from a bundle of files and without a cluster.

BUNDLE is a tarball, a zip, a directory, a single YAML, JSON or text file, or - for standard input: what our collector
makes (analyze collect-script), a must-gather, a support bundle, or kubectl output pasted into a ticket. It may be
incomplete; what could not be judged is listed with what would decide it.

Exit status: 0 every workload that was found was judged and nothing is at or above --fail-on; 1 something is; 2 usage
error, nothing readable, or --job or --namespace that choose nothing; 3 nothing is at or above --fail-on, but a workload
could not be judged, there was nothing in which one could be found, no run of the CronJob that --job names, or one of
several bundles was unreadable. What could not be read of a bundle is listed as its problems and does not change the
status by itself.`

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
		// It is run for each of the other commands too.
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return noneEmpty(cmd) },
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
	noMatch := a.noMatch(e, reports)
	if err := a.write(e.settings, e.reportsIn, nothing || noMatch != nil); err != nil {
		return err
	}
	if nothing {
		return errors.Join(causes...)
	}
	for _, cause := range causes {
		a.complain(cause)
	}
	if noMatch != nil {
		return usage(cmd, noMatch)
	}
	lacking := len(causes)
	if a.global.job != "" && !slices.ContainsFunc(reports, showsAny) {
		lacking++
	}
	a.status = statusOf(reports, e.settings.failOn, lacking)
	return nil
}

// withSuggestion adds the name of a command to the error about a missing bundle whose name is a near miss of it.
func withSuggestion(cmd *cobra.Command, path string, err error) error {
	if names := cmd.SuggestionsFor(path); len(names) > 0 && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w\ndid you mean the command '%s %s'?", err, cmd.CommandPath(), names[0])
	}
	return err
}
