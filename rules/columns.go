package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// columnsIn gives what computes the columns of a cluster's pods.
func columnsIn(c *facts.Cluster, k *knowledge.Base) func(*facts.Pod) facts.Columns {
	pr, known := Printer(c, k), printerKnown(c, k)
	return func(p *facts.Pod) facts.Columns {
		return columnsOf(pr, known, p).Columns
	}
}

// printerKnown says that the API server's version is in the bundle, and is one of those of which it is known how they print.
func printerKnown(c *facts.Cluster, k *knowledge.Base) bool {
	a, _ := k.Has("columns-known", c.Server.V)
	return c.Server.Known && a == version.Yes
}

// printedColumns are the columns of a pod, and what settled how its API server prints them.
type printedColumns struct {
	facts.Columns
	by facts.Printer
	// row is the row of a table that shows them; nil without one.
	row *kube.Row
}

// columnsOf computes the columns of a pod. Where the version of its API server does not tell how that one prints them, a row
// of the pod settles it that fits one of the ways in which API servers do.
func columnsOf(pr facts.Printer, known bool, p *facts.Pod) printedColumns {
	out := printedColumns{Columns: p.Columns(pr), by: pr}
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Cells["STATUS"] == "" || rowIsEarlier(p, *r) {
			continue
		}
		for _, by := range waysToPrint(pr, known) {
			if cols := p.Columns(by); shows(*r, cols) {
				return printedColumns{cols, by, r}
			}
		}
	}
	return out
}

// waysToPrint gives the ways in which the words in STATUS may have come about, the likeliest first.
func waysToPrint(pr facts.Printer, known bool) []facts.Printer {
	out := []facts.Printer{pr}
	if known {
		return out
	}
	newer, older := pr, pr
	newer.ShowsErrorReason = !pr.ShowsErrorReason
	older.PlainRunning, older.ShowsErrorReason = true, false
	for _, by := range []facts.Printer{newer, older} {
		if !slices.Contains(out, by) {
			out = append(out, by)
		}
	}
	return out
}

// shows says that a row has the columns of a pod, as far as it has them at all.
func shows(r kube.Row, cols facts.Columns) bool {
	ready, restarts := r.Cells["READY"], r.Cells["RESTARTS"]
	restarts, _, _ = strings.Cut(restarts, " ")
	return r.Cells["STATUS"] == cols.Status && (ready == "" || ready == cols.ReadyText()) &&
		(restarts == "" || restarts == strconv.FormatInt(cols.Restarts, 10))
}
