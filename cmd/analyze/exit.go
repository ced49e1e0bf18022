package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/redact"
)

// exitCode is the status of the process. This file is the only place that decides it.
type exitCode int

const (
	// exitClean: every workload that was found was judged and nothing is at or above --fail-on. Problems of reading are
	// listed in the report and do not change the status.
	exitClean exitCode = 0
	// exitFound: something is.
	exitFound exitCode = 1
	// exitUsage: the command line is wrong, or nothing was readable.
	exitUsage exitCode = 2
	// exitUnjudged: nothing is at or above --fail-on, but a workload or a whole bundle could not be judged.
	exitUnjudged exitCode = 3
)

// usageError is an error of the command line.
type usageError struct {
	err     error
	command string
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usage marks an error as one of the command line of cmd.
func usage(cmd *cobra.Command, err error) error {
	return &usageError{err: err, command: cmd.CommandPath()}
}

// takes is a check of the number of arguments whose error names those that the command takes.
func takes(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check(cmd, args) == nil {
			return nil
		}
		_, names, _ := strings.Cut(cmd.Use, " ")
		return usage(cmd, fmt.Errorf("%s takes %s; %d given", cmd.Name(), cmp.Or(names, "no argument"), len(args)))
	}
}

// codeOf maps an error to a status. Every error that is not foreseen is reported as one of usage: a script must never
// take it for "found" or "clean".
func codeOf(err error) exitCode {
	if err == nil {
		return exitClean
	}
	return exitUsage
}

// statusOf maps finished reports to a status. lacking counts what was asked for and is in none of them: bundles that were
// unreadable, and a CronJob by name of which there is no run.
func statusOf(reports []*analyze.Report, failOn failOn, lacking int) exitCode {
	if slices.ContainsFunc(reports, failOn.reached) {
		return exitFound
	}
	if lacking > 0 || slices.ContainsFunc(reports, unjudged) {
		return exitUnjudged
	}
	return exitClean
}

// statusOfComparison maps the acceptance of a fix to a status.
func statusOfComparison(c comparison) exitCode {
	switch {
	case c.Accepted:
		return exitClean
	case c.failed():
		return exitFound
	}
	return exitUnjudged
}

// statusOfCopy maps a redacted copy to a status.
func statusOfCopy(m *redact.Manifest) exitCode {
	if m.Unclear() {
		return exitUnjudged
	}
	return exitClean
}

// failOn is the value of --fail-on: a severity, or never.
type failOn string

const failOnNever failOn = "never"

func parseFailOn(s string) (failOn, error) {
	switch f := failOn(s); f {
	case failOn(analyze.Error), failOn(analyze.Warning), failOnNever:
		return f, nil
	}
	return "", errors.New("--fail-on must be error, warning or never, not " + quote(s))
}

// reached says that a workload or a fired finding of the report is at or above the threshold.
func (f failOn) reached(r *analyze.Report) bool {
	if f == failOnNever {
		return false
	}
	least := analyze.Severity(f)
	return slices.ContainsFunc(r.Workloads, func(w analyze.Workload) bool { return w.Severity.AtLeast(least) }) ||
		slices.ContainsFunc(r.Findings, func(x analyze.Finding) bool {
			return x.Status != analyze.Undecided && x.Severity.AtLeast(least)
		})
}

// unjudged says that the bundle was not enough for one of its workloads, or held nothing that a workload could be
// found in: no news is no good news.
func unjudged(r *analyze.Report) bool {
	found := len(r.Workloads) > 0 || r.Hidden != nil && r.Hidden.Workloads > 0 // by a row or an event, without any object
	if o := r.Bundle.Objects; !found && o["Job"] == 0 && o["Pod"] == 0 && o["CronJob"] == 0 {
		return true
	}
	return slices.ContainsFunc(r.Workloads, func(w analyze.Workload) bool { return !w.Judged() })
}
