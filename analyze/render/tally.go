package render

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// tally counts what a report holds, for the closing line and for summaries of many bundles.
type tally struct {
	workloads, unjudged int
	// bySeverity counts workloads, firedBySeverity fired findings: error, warning, info.
	bySeverity, firedBySeverity [3]int
	undecided                   int
}

func count(r *analyze.Report) tally {
	t := tally{workloads: len(r.Workloads)}
	for _, w := range r.Workloads {
		if !w.Judged() {
			t.unjudged++
		}
		t.bySeverity[min(severityRank(w.Severity), 2)]++
	}
	for _, f := range r.Findings {
		if f.Status == analyze.Undecided {
			t.undecided++
		} else {
			t.firedBySeverity[min(severityRank(f.Severity), 2)]++
		}
	}
	return t
}

// Workloads, Errors, Warnings and Infos are for the templates.
func (t tally) Workloads() int { return t.workloads }

func (t tally) Errors() int { return t.bySeverity[0] }

func (t tally) Warnings() int { return t.bySeverity[1] }

func (t tally) Infos() int { return t.bySeverity[2] }

// closingText is the last line of a report: how much of what.
func closingText(c catalogue, n tally) string {
	s := c.count("count.workloads", n.workloads)
	if n.workloads > 0 {
		s += c.say("count.split", n.bySeverity[0], n.bySeverity[1], n.bySeverity[2])
	}
	s += c.say("count.findings", n.firedBySeverity[0], n.firedBySeverity[1], n.firedBySeverity[2])
	if n.undecided > 0 {
		s += c.count("count.undecided", n.undecided)
	}
	if n.unjudged > 0 {
		s += c.count("count.unjudged", n.unjudged)
	}
	return s + c.say("stop")
}

// plus adds up two tallies.
func (t tally) plus(o tally) tally {
	t.workloads += o.workloads
	t.unjudged += o.unjudged
	t.undecided += o.undecided
	for i := range t.bySeverity {
		t.bySeverity[i] += o.bySeverity[i]
		t.firedBySeverity[i] += o.firedBySeverity[i]
	}
	return t
}
