package analyze

import (
	"sort"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// workloadEvents gives the events about a Job and its CronJob, oldest first; those without a time keep their order and
// come first.
func (a *assembly) workloadEvents(w *facts.Workload) []Event {
	type told struct {
		about evidence.Ref
		event *kube.Event
	}
	var all []told
	for _, e := range w.Events {
		all = append(all, told{w.Ref, e})
	}
	if w.IsJob() && w.ParentKind == "CronJob" {
		cron := evidence.Ref{Kind: "CronJob", Namespace: w.Ref.Namespace, Name: w.ParentName}
		for _, e := range a.c.EventsOf(cron) {
			if concerns(e, w) {
				all = append(all, told{cron, e})
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].event.Last().Before(all[j].event.Last().Time) })
	var out []Event
	for _, t := range all {
		e := event(t.event)
		e.Object = t.about.String()
		out = append(out, e)
	}
	return out
}

// concerns says that an event of a CronJob is about this run of it: it names the Job, or it names none and came while
// the Job existed.
func concerns(e *kube.Event, w *facts.Workload) bool {
	if names(e.Text(), w.Ref.Name) {
		return true
	}
	if strings.Contains(e.Text(), w.ParentName+"-") {
		return false // another run
	}
	return w.Job == nil || e.Last().IsZero() || !e.Last().Before(w.Job.Meta.Created.Time)
}

// names says that a text has a name as a word of its own: report-1 is not named by report-12.
func names(text, name string) bool {
	for {
		_, rest, ok := strings.Cut(text, name)
		if !ok {
			return false
		}
		if rest == "" || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-.", rune(rest[0])) {
			return true
		}
		text = rest
	}
}
