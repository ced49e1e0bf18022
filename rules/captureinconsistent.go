package rules

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// captureInconsistent: a bundle takes minutes to collect, so two copies of an object may show two moments. That is
// normal as long as the later can follow from the earlier. What cannot be of one story says that files of different
// times, or clusters, lie side by side; then no conclusion across them holds.
func captureInconsistent() *analyze.Rule {
	return &analyze.Rule{Code: "CaptureInconsistent", Title: "Files of the bundle contradict each other",
		Severity: analyze.Warning, Scope: analyze.PerCluster, Run: runCaptureInconsistent}
}

// contradiction is one pair of statements that cannot both hold.
type contradiction struct {
	text    analyze.Text
	because []evidence.Evidence
	about   []evidence.Ref
}

func runCaptureInconsistent(p *analyze.Pass) analyze.Outcome {
	var found []contradiction
	found = append(found, twoServers(p)...)
	found = append(found, twoControlPlanes(p)...)
	var later []contradiction
	var clocks []apartness
	progress := map[evidence.Ref]bool{}
	for _, j := range p.Judged {
		found = append(found, jobAgainstPods(j.Workload)...)
		found = append(found, jobAgainstEvents(j.Workload)...)
		for _, s := range rowsAgainst(p.Cluster, j.Workload) {
			found = append(found, s.contradiction)
		}
		clocks = append(clocks, startsAgainstStates(j.Workload)...)
	}
	var pods map[evidence.Ref]keptPod
	if len(p.Cluster.Conflicts) > 0 {
		pods = podIndex(p)
	}
	for _, c := range p.Cluster.Conflicts {
		switch x, kind := conflicting(pods, c); kind {
		case goesOn:
			progress[c.Object] = true
		case outdated:
			later = append(later, x)
		default:
			found = append(found, x)
		}
	}
	switch {
	case len(found) > 0:
		return contradictions(found)
	case len(later) > 0:
		return laterCopies(later)
	case len(clocks) > 0:
		return twoClocks(p, clocks)
	case len(progress) > 0:
		first := p.Cluster.Conflicts[0]
		return analyze.RuleOut(say("%s twice in the bundle in different states, each of which can follow from the other: two moments of one collection; the later copy was taken", objectsStand(len(progress))), first.From...)
	}
	return analyze.Skip()
}

func contradictions(found []contradiction) analyze.Outcome {
	const shown = 4
	found = eachOnce(found)
	text := found[0].text
	for _, x := range found[1:min(len(found), shown)] {
		text = say("%s; %s", text, x.text)
	}
	if rest := len(found) - shown; rest > 0 {
		text = say("%s; and %d more", text, rest)
	}
	o := analyze.Fire(say("files of this bundle are of different times or clusters: %s. What is concluded across them may not hold", text))
	for _, x := range found {
		o.Because = append(o.Because, x.because...)
		o = o.About(x.about...)
	}
	return o.With(&analyze.Advice{Summary: say("collect again, everything in one go"),
		Steps: []analyze.Text{say("run the collector once, or the kubectl commands directly after each other, against one cluster"),
			say("keep the old bundle: it may show what has changed since")}})
}

// eachOnce joins what several copies of one object say in the same words.
func eachOnce(found []contradiction) []contradiction {
	var out []contradiction
	at := map[string]int{}
	for _, x := range found {
		i, again := at[x.text.String()]
		if !again {
			at[x.text.String()] = len(out)
			out = append(out, x)
			continue
		}
		out[i].because = append(slices.Clone(out[i].because), x.because...)
	}
	return out
}

// laterCopies tells of describe text that was taken after the YAML. The YAML stays the witness, for describe leaves much
// out; but what it says is then not the last word.
func laterCopies(later []contradiction) analyze.Outcome {
	text := later[0].text
	if n := len(eachOnce(later)) - 1; n > 0 {
		text = say("%s, and %s", text, moreObjects(n))
	}
	o := analyze.Fire(say("another copy shows a later moment than the one that the verdict rests on: %s", text)).As(analyze.Info)
	for _, x := range later {
		o.Because = append(o.Because, x.because...)
		o = o.About(x.about...)
	}
	return o
}

func twoServers(p *analyze.Pass) []contradiction {
	s := p.Cluster.Server
	if s.Known || len(s.From) < 2 {
		return nil
	}
	return []contradiction{{text: say("%s", s.Why), because: s.From}}
}

// twoControlPlanes: the Deployment was changed and its pods have not followed, or the files are of two moments.
func twoControlPlanes(p *analyze.Pass) []contradiction {
	var out []contradiction
	for _, cp := range p.Cluster.Mesh.ControlPlanes {
		if !cp.Env.Known && cp.Env.Why != "" && len(cp.Env.From) > 1 {
			out = append(out, contradiction{text: say("%s (revision %s)", cp.Env.Why, cp.Revision), because: cp.Env.From})
		}
	}
	return out
}

// jobAgainstPods: a Job that wanted one success, has it, and whose only pod is shown at work was read later than the pod.
func jobAgainstPods(w *facts.Workload) []contradiction {
	if w.Job == nil || len(w.Pods) != 1 || ending(w.Job) != "Complete" || more(w.Job.Spec.Completions) || more(w.Job.Spec.Parallelism) {
		return nil
	}
	pod := w.Pods[0]
	if finished(pod.Status.Phase) || pod.Status.Phase == "" || pod.Meta.Deleted.Raw != "" {
		return nil
	}
	return []contradiction{{
		text:    say("Job %s is complete and its pod %s is shown as %s: the pod was read before the Job", w.Ref.Name, pod.Meta.Name, pod.Status.Phase),
		because: []evidence.Evidence{w.Job.Ev("status.conditions[type=Complete].status", "True"), pod.Ev("status.phase", pod.Status.Phase)},
		about:   []evidence.Ref{w.Ref}}}
}

func more(n *int64) bool { return n != nil && *n > 1 }

// jobAgainstEvents: the Job controller reported the end of a Job that is shown as open.
func jobAgainstEvents(w *facts.Workload) []contradiction {
	e := completionOf(w)
	if e == nil {
		return nil
	}
	return []contradiction{{
		text:    say("an event says that Job %s completed and the Job is shown as open: the Job was read before the event", w.Ref.Name),
		because: []evidence.Evidence{evEvent(e), w.Job.EvAbsent("status.conditions[type=Complete]")},
		about:   []evidence.Ref{w.Ref}}}
}

// completionOf gives the stored event with which the Job controller reported that this very Job completed, where the stored
// Job is still open. That end is final, so the event came after the Job was read.
func completionOf(w *facts.Workload) *kube.Event {
	if w.Job == nil || w.Job.StatusDescribed() || ending(w.Job) != "" || w.Job.Meta.UID == "" {
		return nil
	}
	for _, e := range w.Events {
		if e.Reason == "Completed" && e.Origin.Strength == evidence.Stored && fromJobController(e) && e.About().UID == w.Job.Meta.UID {
			return e
		}
	}
	return nil
}
