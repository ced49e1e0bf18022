package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// saveNow saves what goes with the pods.
func saveNow(p *analyze.Pass, held []analyze.PodJudgement) act {
	cmds := saveCommands(p.Workload, podsToSave(p, held))
	if ttl := ttlOf(p.Workload); ttl != "" {
		return do(say("save the manifests, the events and the logs: ttlSecondsAfterFinished is %s, so that Job and pods are deleted that many seconds after the Job ends", ttl), cmds...)
	}
	return do(say("save the manifests, the events and the logs, which go with the pod when it is deleted"), cmds...)
}

// saveCommands saves a workload whole: what made it, its pods, their logs from the first line on, and the events. With a
// selector kubectl gives the last lines of a log only, unless it is told. One or two pods that are known are asked for by name.
func saveCommands(w *facts.Workload, pods []*facts.Pod) []string {
	const byName, logs = 2, " --all-containers --prefix --timestamps"
	ns, name := w.Ref.Namespace, w.Ref.Name
	var cmds []string
	switch {
	case w.ParentKind == "CronJob":
		cmds = append(cmds, command("kubectl get cronjob %s -n %s -o yaml > "+fileName(w.ParentName)+"-cronjob.yaml", w.ParentName, ns))
	case w.ParentKind != "":
		cmds = append(cmds, command("kubectl get %s %s -n %s -o yaml > "+fileName(w.ParentName)+"-"+fileName(strings.ToLower(w.ParentKind))+".yaml", parentResource(w), w.ParentName, ns))
	}
	if w.IsJob() {
		cmds = append(cmds, command("kubectl get job %s -n %s -o yaml > "+fileName(name)+"-job.yaml", name, ns))
	}
	if w.IsJob() && (len(pods) == 0 || len(pods) > byName) {
		cmds = append(cmds, command("kubectl get pod -n %s ", ns)+podsOfJob(w)+" -o yaml > "+fileName(name)+"-pods.yaml",
			command("kubectl logs -n %s ", ns)+podsOfJob(w)+logs+" --tail=-1 > "+fileName(name)+".log")
		return append(cmds, command("kubectl get events -n %s -o yaml > "+fileName(name)+"-events.yaml", ns))
	}
	for _, pod := range savedPods(w, pods) {
		cmds = append(cmds, command("kubectl get pod %s -n %s -o yaml > "+fileName(pod)+"-pod.yaml", pod, ns),
			command("kubectl logs %s -n %s"+logs+" > "+fileName(pod)+".log", pod, ns))
	}
	return append(cmds, command("kubectl get events -n %s -o yaml > "+fileName(name)+"-events.yaml", ns))
}

// podsToSave are the held pods, or all of the Job (nil) where it has others: what a try before this one left goes with the Job, too.
func podsToSave(p *analyze.Pass, held []analyze.PodJudgement) []*facts.Pod {
	if job := p.Workload.Live(); len(p.Verdict.Pods) > len(held) || job != nil && endsOf(p.Workload, "Failed")+endsOf(p.Workload, "Succeeded") > 0 {
		return nil
	}
	return podsIn(held)
}

// podsOfJob is the selector by which kubectl finds the pods of a Job: the label that its controller sets, unless the Job brings a
// selector of its own, with which that label is not set (jobStrategy.PrepareForCreate).
func podsOfJob(w *facts.Workload) string {
	if job := w.Live(); job != nil && job.Spec.ManualSelector != nil && *job.Spec.ManualSelector && job.Spec.Selector != nil && len(job.Spec.Selector.MatchLabels) > 0 {
		var labels []string
		for _, l := range job.Spec.Selector.MatchLabels {
			labels = append(labels, l.Key+"="+l.Value)
		}
		return command("-l %s", strings.Join(labels, ","))
	}
	return command("-l job-name=%s", w.Ref.Name)
}

func podsIn(held []analyze.PodJudgement) []*facts.Pod {
	var out []*facts.Pod
	for _, h := range held {
		out = append(out, h.Pod)
	}
	return out
}

func savedPods(w *facts.Workload, pods []*facts.Pod) []string {
	if len(pods) == 0 {
		return []string{w.Ref.Name}
	}
	return namesOfPods(pods)
}

func ttlOf(w *facts.Workload) string {
	if w.Job == nil || w.Job.Spec.TTLSecondsAfterFinished == nil {
		return ""
	}
	return count(w.Job.Spec.TTLSecondsAfterFinished)
}

// fileName makes a name that a shell takes as it is.
func fileName(name string) string {
	if quoteShell(name) != name || strings.Contains(name, "/") {
		return "held"
	}
	return name
}

func namesOfPods(pods []*facts.Pod) []string {
	var out []string
	for _, p := range pods {
		out = append(out, p.Meta.Name)
	}
	return out
}
