package main

import (
	"errors"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

func TestStatusOf(t *testing.T) {
	read := analyze.Bundle{Objects: map[string]int{"Pod": 1}}
	workload := func(verdict analyze.Code, s analyze.Severity) *analyze.Report {
		return &analyze.Report{Bundle: read, Workloads: []analyze.Workload{{Verdict: verdict, Severity: s}}}
	}
	finding := func(s analyze.Severity, status analyze.Status) *analyze.Report {
		return &analyze.Report{Bundle: read, Findings: []analyze.Finding{{Severity: s, Status: status}}}
	}
	held := workload("HeldBySidecar", analyze.Error)
	unjudged := workload("InsufficientEvidence", analyze.Warning)
	fine := workload("AppRunning", analyze.Info)
	for name, c := range map[string]struct {
		reports    []*analyze.Report
		failOn     failOn
		unreadable int
		want       exitCode
	}{
		"healthy":                    {[]*analyze.Report{fine}, "error", 0, exitClean},
		"held":                       {[]*analyze.Report{held}, "error", 0, exitFound},
		"held, never":                {[]*analyze.Report{held}, "never", 0, exitClean},
		"unjudged":                   {[]*analyze.Report{unjudged}, "error", 0, exitUnjudged},
		"unjudged is a warning":      {[]*analyze.Report{unjudged}, "warning", 0, exitFound},
		"unjudged, never":            {[]*analyze.Report{unjudged}, "never", 0, exitUnjudged},
		"found outranks unjudged":    {[]*analyze.Report{unjudged, held}, "error", 0, exitFound},
		"no pods":                    {[]*analyze.Report{workload("NoPods", analyze.Warning)}, "error", 0, exitUnjudged},
		"warning below threshold":    {[]*analyze.Report{finding(analyze.Warning, analyze.Fired)}, "error", 0, exitClean},
		"warning at threshold":       {[]*analyze.Report{finding(analyze.Warning, analyze.Fired)}, "warning", 0, exitFound},
		"undecided is no claim":      {[]*analyze.Report{finding(analyze.Error, analyze.Undecided)}, "error", 0, exitClean},
		"nodes only":                 {[]*analyze.Report{{Bundle: analyze.Bundle{Objects: map[string]int{"Node": 3}}}}, "error", 0, exitUnjudged},
		"judged by a row":            {[]*analyze.Report{{Workloads: []analyze.Workload{{Verdict: "Completed", Severity: analyze.Info}}}}, "error", 0, exitClean},
		"hidden, judged by a row":    {[]*analyze.Report{{Hidden: &analyze.Hidden{Workloads: 1}}}, "error", 0, exitClean},
		"no workload among pods":     {[]*analyze.Report{{Bundle: read}}, "error", 0, exitClean},
		"one of two was unreadable":  {[]*analyze.Report{fine, {}}, "error", 1, exitUnjudged},
		"found beside an unreadable": {[]*analyze.Report{held, {}}, "error", 1, exitFound},
	} {
		if got := statusOf(c.reports, c.failOn, c.unreadable); got != c.want {
			t.Errorf("%s: status %d, want %d", name, got, c.want)
		}
	}
	if codeOf(nil) != exitClean || codeOf(errors.New("x")) != exitUsage {
		t.Error("an error must end in status 2")
	}
}
