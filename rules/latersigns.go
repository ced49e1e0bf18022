package rules

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Signs that the objects of a bundle are of an earlier moment than something else in it: tables of kubectl get that show
// as over what the objects show as open. A table proves nothing, so it gives no verdict against an object. But the end of a
// Job is final, and a container that has ended does not run again without a restart: what such a table shows came after the
// objects, or is of something else of that name. What the objects say is then not the last word, and nothing is concluded.

// rowSign is a row that contradicts an object; pod is nil for one about the Job.
type rowSign struct {
	contradiction
	pod *facts.Pod
}

// rowsAgainst gives the rows that contradict what the objects of a workload show.
func rowsAgainst(c *facts.Cluster, w *facts.Workload) []rowSign {
	var out []rowSign
	for _, r := range w.Rows {
		switch r.Kind {
		case "Job":
			if x, ok := jobRowAgainst(w, r); ok && nameIsSure(c, w, r) {
				out = append(out, rowSign{contradiction: x})
			}
		case "Pod":
			for _, p := range w.Pods {
				if x, ok := podRowAgainst(w, p, r); ok {
					out = append(out, rowSign{x, p})
				}
			}
		}
	}
	return out
}

// nameIsSure is false for a row without a namespace when another workload has the name too.
func nameIsSure(c *facts.Cluster, w *facts.Workload, r kube.Row) bool {
	if r.Cells["NAMESPACE"] != "" {
		return true
	}
	for _, o := range c.Workloads {
		if o != w && o.Ref.Kind == w.Ref.Kind && o.Ref.Name == w.Ref.Name {
			return false
		}
	}
	return true
}

// evRow is a row of a table as evidence about an object.
func evRow(about evidence.Ref, r kube.Row) evidence.Evidence {
	return evidence.Evidence{Object: about.String(), Field: "row", Value: rowText(r), File: r.File, Line: r.Line, Strength: evidence.Table}
}

// overInRow is how a row of kubectl get jobs shows a Job as over: by STATUS, which is taken from the conditions, or in
// tables of older API servers, which have no such column, by all its completions. "1/1 of 3" tells of a work queue, which
// is over only when all its pods are.
func overInRow(r kube.Row) (string, bool) {
	if status, has := r.Cells["STATUS"]; has {
		return status, status == "Complete" || status == "Failed"
	}
	done, wanted, ok := strings.Cut(r.Cells["COMPLETIONS"], "/")
	return r.Cells["COMPLETIONS"], ok && done == wanted && done != "0"
}

func jobRowAgainst(w *facts.Workload, r kube.Row) (contradiction, bool) {
	how, over := overInRow(r)
	if !over || !w.IsJob() || r.Cells["NAME"] != w.Ref.Name || w.Live() != nil && (ending(w.Job) != "" || !w.Job.Status.CompletionTime.IsZero()) {
		return contradiction{}, false
	}
	if j := w.Live(); j != nil && slices.ContainsFunc(w.Pods, func(p *facts.Pod) bool { return printedBefore(p, j.Meta.Created.Time, r) }) {
		return contradiction{}, false // what it shows as over was so before these pods did what they show: it is another Job's
	}
	x := contradiction{because: []evidence.Evidence{evRow(w.Ref, r)}, about: []evidence.Ref{w.Ref}}
	if j := w.Live(); j != nil && !j.StatusDescribed() {
		x.text = say("a table shows Job %s as over (%s), and the stored Job has no terminal condition: the Job was read before the table, or the table is of another Job of that name", w.Ref.Name, how)
		x.because = append(x.because, j.EvAbsent("status.conditions[type=Complete]"), j.EvAbsent("status.conditions[type=Failed]"))
		return x, true
	}
	for _, p := range w.Pods {
		if !finished(p.Status.Phase) && p.Status.Phase != "" {
			x.text = say("a table shows Job %s as over (%s), and its pod %s is shown as %s: the pod was read before the table, or the table is of another Job of that name", w.Ref.Name, how, p.Meta.Name, p.Status.Phase)
			x.because = append(x.because, p.Ev("status.phase", p.Status.Phase))
			return x, true
		}
	}
	return contradiction{}, false
}

// podRowAgainst compares a row of kubectl get pods with the pod. With as many restarts in both, a row that tells of a
// container's end came after a pod in which none has ended. A row without a ready container, of a pod in which one that
// runs is ready, may have come before or after.
func podRowAgainst(w *facts.Workload, p *facts.Pod, r kube.Row) (contradiction, bool) {
	if r.Cells["NAME"] != p.Meta.Name || finished(p.Status.Phase) || p.Status.Phase == "" || p.Meta.Deleted.Raw != "" || !sameRestarts(p, r) || rowIsEarlier(p, r) {
		return contradiction{}, false
	}
	ready, _, ok := strings.Cut(r.Cells["READY"], "/")
	status := r.Cells["STATUS"]
	if !ok || !contains([]string{"Completed", "Error", "NotReady", oomKilled}, status) {
		return contradiction{}, false
	}
	var at *facts.Container
	ended := 0
	for _, c := range p.Containers {
		if c.Placement == facts.Ordinary && c.Running() == nil {
			ended++
		}
		if c.Running() != nil && c.Status.Ready && at == nil {
			at = c
		}
	}
	x := contradiction{because: []evidence.Evidence{evRow(p.Ref(), r)}, about: []evidence.Ref{w.Ref}}
	switch regular := p.Of(facts.IsPlaced(facts.Ordinary)); {
	case ended == 0 && len(regular) > 0:
		x.text = say("a table shows pod %s with STATUS %s, which it has once a container ended, and all its containers are shown as running: the pod was read before the table", p.Meta.Name, status)
		x.because = append(x.because, regular[0].EvState())
		return x, true
	case ready == "0" && status != "NotReady" && at != nil:
		x.text = say("a table shows pod %s with READY %s and STATUS %s, as a pod that has ended has it, and container %s is shown as running and ready: the two are of different moments, and the table may be the later", p.Meta.Name, r.Cells["READY"], status, at.Name)
		x.because = append(x.because, at.EvState(), p.Ev(at.StatusPath("ready"), "true"))
		return x, true
	}
	return contradiction{}, false
}

// sameRestarts compares RESTARTS with the counts of the containers that the column counts in some version.
func sameRestarts(p *facts.Pod, r kube.Row) bool {
	word, _, _ := strings.Cut(r.Cells["RESTARTS"], " ")
	n, err := strconv.ParseInt(word, 10, 64)
	regular, natives := int64(0), int64(0)
	for _, c := range p.Containers {
		switch {
		case c.Status == nil:
		case c.Placement == facts.Ordinary:
			regular += c.Status.RestartCount
		case c.Placement == facts.Native:
			natives += c.Status.RestartCount
		}
	}
	return err == nil && (n == regular || n == regular+natives)
}

// rowIsEarlier says that by its AGE, of which the smaller units are cut off, a row was printed before the newest end or
// start of a container in the pod.
func rowIsEarlier(p *facts.Pod, r kube.Row) bool { return printedBefore(p, p.Meta.Created.Time, r) }

// printedBefore says the same of a row about an object that was created at a time.
func printedBefore(p *facts.Pod, created time.Time, r kube.Row) bool {
	age, ok := kube.ParseAge(r.Cells["AGE"])
	if !ok || created.IsZero() {
		return false
	}
	printed := created.Add(age + cutOffAge(age))
	for _, c := range p.Containers {
		if t := c.Terminated(); t != nil && t.FinishedAt.After(printed) || c.Running() != nil && c.Running().StartedAt.After(printed) {
			return true
		}
	}
	return false
}

// cutOffAge is at least what kubectl cuts off an age: it prints two units, then one.
func cutOffAge(age time.Duration) time.Duration {
	switch {
	case age < 10*time.Minute:
		return time.Second
	case age < 8*time.Hour:
		return time.Minute
	case age < 8*24*time.Hour:
		return time.Hour
	}
	return 24 * time.Hour
}

// overtaken opens a verdict again that rests on objects of which a table shows the end. A row about one of several pods
// changes nothing while others are in the same state.
func (v *view) overtaken(j analyze.Judgement) analyze.Judgement {
	if len(v.w.Rows) == 0 || slices.Contains([]analyze.Code{Completed, Failed, DeadlineHitWhileHeld}, j.Code) || v.w.Live() == nil && len(v.w.Pods) == 0 {
		return j
	}
	over := false
	signed := map[*facts.Pod]bool{}
	signs := rowsAgainst(v.c, v.w)
	for _, s := range signs {
		over = over || s.pod == nil
		signed[s.pod] = true
	}
	if !over && (j.Holder == nil || !signed[j.Holder.Pod] || slices.ContainsFunc(v.pods, func(p analyze.PodJudgement) bool { return p.Code == j.Code && !signed[p.Pod] })) {
		return j
	}
	j.Summary = say("the objects in the bundle show this: %s. But %s. Whether it was still so then is not known", j.Summary, signs[0].text)
	for _, s := range signs {
		j.Evidence = append(j.Evidence, s.because...)
	}
	j.Code, j.Culprits, j.Since, j.Held = InsufficientEvidence, nil, time.Time{}, 0
	j.Missing = append([]analyze.Missing{{What: say("the objects as they were at the time of the table, or later"),
		Command: command("kubectl get jobs,pods -n %s -o yaml", v.w.Ref.Namespace)}}, j.Missing...)
	return j
}
