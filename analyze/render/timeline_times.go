package render

import (
	"slices"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// drawable keeps the pods of which any time is known.
func drawable(pods []analyze.Pod) []analyze.Pod {
	var out []analyze.Pod
	for _, p := range pods {
		if _, times := timesOf(analyze.Workload{}, []analyze.Pod{p}); len(times) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// timesOf returns, sorted, when the pods changed and every known time. Reports may go on coming while nothing changes
// any more, so events are no changes unless they are all there is. When a grace period ends is neither: it may lie ahead.
func timesOf(w analyze.Workload, pods []analyze.Pod) (changes, all []time.Time) {
	var changed, reported []string
	for _, e := range w.Events {
		reported = append(reported, e.Time)
	}
	for _, p := range pods {
		changed = append(changed, p.CreatedAt, p.ScheduledAt)
		for _, c := range p.Containers {
			changed = append(changed, c.StartedAt, c.FinishedAt, c.LastStartedAt, c.LastFinishedAt)
		}
		for _, e := range p.Events {
			reported = append(reported, e.Time)
		}
	}
	changes, all = parseAll(changed), parseAll(append(reported, changed...))
	if len(changes) == 0 {
		changes = all
	}
	return changes, all
}

// parseAll reads times and sorts them.
func parseAll(all []string) []time.Time {
	var out []time.Time
	for _, s := range all {
		if at, ok := parse(s); ok {
			out = append(out, at)
		}
	}
	slices.SortFunc(out, time.Time.Compare)
	return out
}

// parse reads a time of the report; what is no time is not drawn.
func parse(s string) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339, s)
	return at.UTC(), err == nil
}
