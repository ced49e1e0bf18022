package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// jobRejected finds a Job without pods whose pods are refused: the newest word of the Job controller is FailedCreate,
// or the API server refused the manifest itself.
func jobRejected(v *view) answer {
	if !v.w.IsJob() || v.hasOpenPod() {
		return no()
	}
	if n := len(v.w.Refusals); n > 0 {
		note := v.w.Refusals[0]
		return yes(say("the API server refused this manifest, so neither the Job nor a pod of it was made: %s", note.Text),
			evidence.Evidence{Field: "message", Value: note.Text, File: note.File, Line: note.Line, Strength: evidence.Text},
			v.w.Job.EvAbsent("metadata.uid"))
	}
	var last *kube.Event
	for _, e := range v.w.Events {
		switch e.Reason {
		case "FailedCreate":
			last = e
		case "SuccessfulCreate":
			// Events of a table carry no times: one success among them leaves open which came last.
			if strings.Contains(e.Text(), "Created pod") && (last == nil || !last.Last().After(e.Last().Time)) {
				last = nil
			}
		}
	}
	if last == nil || !v.newerThanPods(last) {
		return no()
	}
	a := yes(say("the Job had no pod because creating one was refused: %s", refusal(last.Text())), evEvent(last))
	if len(v.w.Pods) > 0 {
		a.summary = say("the Job had no open pod, and creating the next one was refused: %s", refusal(last.Text()))
	}
	if j := v.w.Live(); j != nil {
		a.evidence = append(a.evidence, evCount(j, "status.active", j.Status.Active))
		if n := j.Status.Active; n != nil && *n > 0 && len(v.w.Pods) == 0 {
			a.summary = say("the Job counted %s as active, of which the bundle has none, and creating another was refused: %s", podsOf(int(*n)), refusal(last.Text()))
			a.missing = append(a.missing, podsMissing(j))
		}
	}
	return a
}

func podsMissing(j *kube.Job) analyze.Missing {
	return analyze.Missing{What: say("the pods of the Job"), Command: command("kubectl get pods -n %s -l job-name=%s -o yaml", j.Meta.Namespace, j.Meta.Name)}
}

func (v *view) hasOpenPod() bool {
	for _, p := range v.w.Pods {
		if !finished(p.Status.Phase) {
			return true
		}
	}
	return false
}

// newerThanPods says that an event came after the newest pod of the Job was made. Where there are pods an event without
// a time proves nothing.
func (v *view) newerThanPods(e *kube.Event) bool {
	p := newest(v.w.Pods)
	return p == nil || e.Last().After(p.Meta.Created.Time) && !p.Meta.Created.IsZero()
}

// refusal drops the wrapping that the events recorder and the Job controller put around the API server's words.
func refusal(text string) string {
	text = strings.TrimPrefix(text, "(combined from similar events): ")
	return strings.TrimPrefix(text, "Error creating: ")
}

// jobUnknown catches workloads that are known only at second hand: a row of a table, an event, a manifest that was
// never stored, a Job without any status.
func jobUnknown(v *view) answer {
	if len(v.w.Pods) > 0 {
		return no()
	}
	w := v.w
	get := analyze.Missing{What: say("the Job itself and its pods"), Command: getCommand(w)}
	if !w.IsJob() {
		get.What = say("the pod itself")
	}
	switch {
	case w.Live() == nil && len(w.Rows) > 0:
		r := w.Rows[0]
		if a := byColumn(w); a.hit {
			return a
		}
		a := yes(say("a table row is all that the bundle has (READY %s, STATUS %s): it names no container and no exit code",
			orNone(r.Cells["READY"]), orNone(r.Cells["STATUS"])),
			evidence.Evidence{Object: w.Ref.String(), Field: "row", Value: rowText(r), File: r.File, Line: r.Line, Strength: evidence.Table})
		if r.Earlier > 0 {
			a.summary = say("%s. It is the last of several rows about it in that text", a.summary)
		}
		if w.Job != nil {
			a.summary = say("beside a manifest, which shows no state, %s", a.summary)
			a.evidence = append(a.evidence, w.Job.EvAbsent("status"))
		}
		a.missing = []analyze.Missing{get}
		return a
	case w.Job == nil && w.IsJob():
		a := yes(say("only events of this Job are in the bundle; the Job and its pods are not"))
		if len(w.Events) == 0 && w.CronJob.ListsActive(w.Ref.Name) {
			a.summary = say("CronJob %s counts this Job as active; the Job and its pods are not in the bundle", w.CronJob.Meta.Name)
			a.evidence = append(a.evidence, w.CronJob.Ev("status.active", w.Ref.Name))
		}
		for _, e := range w.Events {
			if e.Reason == "Completed" {
				a.summary = say("an event says that the Job completed; the Job and its pods are not in the bundle")
			}
			a.evidence = append(a.evidence, evEvent(e))
		}
		a.missing = []analyze.Missing{get}
		return a
	case w.Job != nil && w.Job.Manifest():
		a := yes(say("this is a manifest and not a stored Job: it has neither uid nor status"),
			w.Job.EvAbsent("metadata.uid"), w.Job.EvAbsent("status"))
		for _, e := range w.Events {
			a.evidence = append(a.evidence, evEvent(e))
		}
		a.missing = []analyze.Missing{get}
		return a
	}
	return no()
}

// byColumn reads the column STATUS, in which kubectl get jobs has the conditions of a Job since the API server prints it
// (printJob). Rows that differ are of several moments or Jobs, and tell nothing.
func byColumn(w *facts.Workload) answer {
	if !w.IsJob() {
		return no()
	}
	codes := map[string]analyze.Code{"Complete": Completed, "Failed": Failed, "Suspended": Suspended}
	status := w.Rows[0].Cells["STATUS"]
	code, known := codes[status]
	var ev []evidence.Evidence
	for _, r := range w.Rows {
		if !known || r.Cells["STATUS"] != status || r.Cells["COMPLETIONS"] == "" {
			return no()
		}
		ev = append(ev, evidence.Evidence{Object: w.Ref.String(), Field: "row", Value: rowText(r), File: r.File, Line: r.Line, Strength: evidence.Table})
	}
	a := yes(say("kubectl get jobs printed STATUS %s for the Job, which it does by the Job's conditions; the Job as it is stored is not in the bundle", status), ev...)
	a.code = code
	return a
}

// jobNoPods is for a Job that wants pods of which none is in the bundle, and no event says why.
func jobNoPods(v *view) answer {
	j := v.w.Live()
	if j == nil || len(v.w.Pods) > 0 {
		return no()
	}
	if n := j.Spec.Parallelism; n != nil && *n == 0 {
		a := yes(say("the Job has parallelism 0: it is paused and wants no pods"), j.Ev("spec.parallelism", "0"))
		a.code = Suspended
		return a
	}
	a := yes(say("the Job had not finished and no pod of it is in the bundle (active %s, succeeded %s, failed %s)",
		count(j.Status.Active), count(j.Status.Succeeded), count(j.Status.Failed)),
		evCount(j, "status.active", j.Status.Active), evCount(j, "status.failed", j.Status.Failed))
	a.missing = []analyze.Missing{podsMissing(j)}
	if !eventsHere(v.w) {
		a.missing = append(a.missing, analyze.Missing{What: say("the Job's events"), Command: command("kubectl describe job -n %s %s", j.Meta.Namespace, j.Meta.Name)})
	}
	if f := j.Status.Failed; f != nil && *f > 0 && (j.Status.Active == nil || *j.Status.Active == 0) {
		a.summary = say("%s; after a failure the Job controller waits before the next try, longer each time, and has no pod meanwhile", a.summary)
	}
	return v.whyNotThere(a)
}

// whyNotThere adds to an answer that lacks the Job's pods what in the bundle may be the reason.
func (v *view) whyNotThere(a answer) answer {
	if n := len(v.c.Unread); n > 0 {
		a.evidence = append(a.evidence, v.c.Unread[:min(n, unreadShown)]...)
		a.summary = unreadParts(a.summary, n)
	}
	for _, l := range v.c.LeftOut {
		if l.Kind == "pods" && (l.Namespace == "" || l.Namespace == v.w.Ref.Namespace) {
			a.evidence = append(a.evidence, l.Why)
			a.summary = say("%s; the collector could not bring every pod (%s), and a pod of it may have been among those", a.summary, l.Why.Value)
			break
		}
	}
	if e, ok := v.c.Refused["pods"]; ok {
		a.evidence = append(a.evidence, e)
		a.missing[0].What = say("the pods of the Job: the collector was not allowed to read pods")
	}
	return a
}

// eventsHere says that the bundle has what kubectl describe says of the events of a Job, be it that there were none.
func eventsHere(w *facts.Workload) bool {
	return len(w.Events) > 0 || w.Job != nil && w.Job.Described()
}

// unreadShown bounds how many unreadable parts an argument repeats; the bundle's problems list them all.
const unreadShown = 3
