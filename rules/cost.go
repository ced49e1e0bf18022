package rules

import (
	"math"
	"slices"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// costly are the verdicts of a workload whose work is done and whose pods are held all the same.
var costly = []analyze.Code{HeldBySidecar, FailureHiddenBySidecar, NativeSidecarStuck}

// Cost adds up what a held workload has cost by the bundle's time; nil for one that is not held.
func Cost(c *facts.Cluster, w *facts.Workload, j *analyze.Judgement) *analyze.Cost {
	if !slices.Contains(costly, j.Code) {
		return nil
	}
	cost := &analyze.Cost{AtLeast: c.AtFloor}
	var free reserved
	var since time.Time
	var held time.Duration
	for _, p := range j.Pods {
		if !slices.Contains(costly, p.Code) {
			continue
		}
		cost.Pods++
		free.add(p.Pod)
		held += p.Held
		if !p.Since.IsZero() && (since.IsZero() || p.Since.Before(since)) {
			since = p.Since
		}
	}
	if cost.Pods == 0 {
		return nil
	}
	if !since.IsZero() {
		cost.HeldSince = stamp(since)
	}
	cost.PodHours = math.Round(held.Hours()*100) / 100
	if cost.AtLeast {
		cost.PodHours = math.Floor(held.Hours()*100) / 100 // a minimum is never rounded up
	}
	if held > 0 {
		cost.PodTime = span(held)
	}
	cost.UnreadPods = free.unread
	if free.unread < cost.Pods {
		cost.CPU, cost.Memory = cores(free.cpu), mebi(free.memory)
	}
	cost.Runs = runsLost(c, w)
	return cost
}

// runsLost says what an open Job cost its CronJob: under Forbid the runs that were due and not started, otherwise the
// held Jobs that add up. nil: there is no CronJob, or nothing is known to be lost.
func runsLost(c *facts.Cluster, w *facts.Workload) *analyze.CronRuns {
	ref, ok := cronRef(w)
	if !ok {
		return nil
	}
	refused := times(cronEvents(c, ref, "JobAlreadyActive"))
	policy, _ := policyOf(w.CronJob)
	blocks := keepsRunsBack(c, w, ref)
	if policy == forbid && !suspended(w.CronJob) && blocks {
		if runs := runsDue(c, w); runs != nil {
			return runs
		}
	}
	if refused > 0 && blocks {
		return &analyze.CronRuns{Skipped: int(min(refused, math.MaxInt32)), AtLeast: true}
	}
	if n := len(pileOf(c, ref).jobs); n > 1 {
		return &analyze.CronRuns{PiledUp: n}
	}
	return nil
}

// runsDue counts the runs that were due after the last one that was started; nil when that cannot be computed, or
// none was.
func runsDue(c *facts.Cluster, w *facts.Workload) *analyze.CronRuns {
	from := w.CronJob.Status.LastScheduleTime.Time
	if from.IsZero() && w.Job != nil {
		from = w.Job.Meta.Created.Time
	}
	table, err := timetableOf(w.CronJob)
	if err != nil || from.IsZero() || !c.At.Known {
		return nil
	}
	r := runsSince(c, w.CronJob, table, from)
	if r.n == 0 {
		return nil
	}
	out := &analyze.CronRuns{Skipped: r.n, First: stamp(r.first), Last: stamp(r.last), AtLeast: r.more || c.AtFloor,
		Schedule: w.CronJob.Spec.Schedule, TimeZone: table.zone, TimeZoneAssumed: table.assumed}
	if r.more {
		out.Last = ""
	}
	return out
}
