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
	// well counts workloads that are left out of the report because nothing is wrong with them.
	well int
}

func count(r *analyze.Report) tally {
	t := tally{workloads: len(r.Workloads)}
	if r.Hidden != nil {
		t.well = r.Hidden.Workloads
	}
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

// overviewColumns are the headings of a table of bundles.
func overviewColumns() []string {
	return []string{"col.bundle", "col.taken", "col.workloads", "col.errors", "col.warnings", "col.info", "col.well", "col.problems"}
}

// Cells are the numbers of a bundle in that table, behind its name and time: all its workloads, how bad they are, and
// what could not be read.
func (t tally) Cells(problems int) []string {
	return []string{itoa(t.workloads + t.well), itoa(t.bySeverity[0]), itoa(t.bySeverity[1]), itoa(t.bySeverity[2]), itoa(t.well), itoa(problems)}
}

// closingText is the last line of a report: how much of what.
func closingText(c catalogue, n tally) string {
	s := c.count("count.workloads", n.workloads+n.well)
	switch {
	case n.well > 0:
		s += c.say("count.split.well", n.bySeverity[0], n.bySeverity[1], n.bySeverity[2], n.well)
	case n.workloads > 0:
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

// noneText is what stands in the place of workloads where none is listed: that all are well, that others were asked for,
// or that there is none.
func noneText(c catalogue, r *analyze.Report) string {
	switch {
	case r.Hidden != nil && r.Hidden.Workloads > 0:
		return c.count("workloads.well", r.Hidden.Workloads, r.Hidden.Flag)
	case r.Hidden != nil && r.Hidden.Unchosen > 0:
		return c.count("workloads.unchosen", r.Hidden.Unchosen)
	}
	return c.say("workloads.none")
}

// hiddenTexts say what is not listed, and why or which flag shows it.
func hiddenTexts(c catalogue, r *analyze.Report) []string {
	var out []string
	if r.Hidden == nil {
		return nil
	}
	if n := r.Hidden.Workloads; n > 0 && len(r.Workloads) > 0 {
		out = append(out, c.count("hidden.workloads", n, r.Hidden.Flag))
	}
	if n := r.Hidden.OtherPods; n > 0 {
		out = append(out, c.count("hidden.otherPods", n, r.Hidden.Flag))
	}
	if n := r.Hidden.Unchosen; n > 0 && len(r.Workloads)+r.Hidden.Workloads > 0 {
		out = append(out, c.count("hidden.unchosen", n))
	}
	return out
}

// plus adds up two tallies.
func (t tally) plus(o tally) tally {
	t.workloads += o.workloads
	t.unjudged += o.unjudged
	t.undecided += o.undecided
	t.well += o.well
	for i := range t.bySeverity {
		t.bySeverity[i] += o.bySeverity[i]
		t.firedBySeverity[i] += o.firedBySeverity[i]
	}
	return t
}
