package rules

import (
	"slices"
	"sort"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// bundleIncomplete: what the bundle lacks and where that mattered. A list that the collector was not allowed to read is
// an empty file that means nothing, which is the most dangerous gap of all.
func bundleIncomplete() *analyze.Rule {
	return &analyze.Rule{Code: "BundleIncomplete", Title: "The bundle lacks what would have decided more",
		Severity: analyze.Warning, Scope: analyze.PerCluster, Explains: []analyze.Code{InsufficientEvidence, NoPods}, Run: runBundleIncomplete}
}

// gaps collects what is missing, each thing once.
type gaps struct {
	p       *analyze.Pass
	texts   []analyze.Text
	missing []analyze.Missing
	because []evidence.Evidence
	about   []evidence.Ref
	// grave: a workload could not be judged, or a list was refused.
	grave bool
}

func (g *gaps) add(what analyze.Text, command string, about ...evidence.Ref) {
	g.texts = append(g.texts, what)
	g.missing = append(g.missing, analyze.Missing{What: what, Command: command})
	g.about = append(g.about, about...)
}

// lacks notes that the bundle holds nothing of a kind.
func (g *gaps) lacks(what string) {
	g.because = append(g.because, evidence.Evidence{Object: "Cluster/cluster", Field: what, Absent: true, Strength: evidence.Derived})
}

// owned notes which object named the one that is missing: in its owner reference, or, where it has none, in a label.
func (g *gaps) owned(o kube.Object, owner evidence.Ref) {
	if _, ok := o.Meta.Controller(); ok {
		g.because = append(g.because, o.Ev("metadata.ownerReferences", owner.String()))
		return
	}
	for _, label := range facts.JobNameLabels() {
		if v := o.Meta.Labels.Get(label); v == owner.Name {
			g.because = append(g.because, o.Ev("metadata.labels["+label+"]", v))
			return
		}
	}
}

func runBundleIncomplete(p *analyze.Pass) analyze.Outcome {
	if len(p.Judged) == 0 {
		return analyze.Skip()
	}
	g := &gaps{p: p}
	g.refused()
	g.unjudged()
	g.owners()
	g.cluster()
	if len(g.missing) == 0 {
		return analyze.RuleOut(say("no verdict on a workload asks for more than the bundle holds"))
	}
	text := g.texts[0]
	for _, t := range g.texts[1:] {
		text = say("%s; %s", text, t)
	}
	o := analyze.Fire(say("some of what would be looked at is not in the bundle (%s)", text), g.because...).Lacking(g.missing...).About(g.about...)
	if !g.grave {
		o = o.As(analyze.Info)
	}
	return o
}

// refused lists the kinds that the cluster did not let the collector read.
func (g *gaps) refused() {
	kinds := make([]string, 0, len(g.p.Cluster.Refused))
	for kind := range g.p.Cluster.Refused {
		kinds = append(kinds, kind)
	}
	sort.Strings(kinds)
	for _, kind := range kinds {
		g.grave = true
		g.because = append(g.because, g.p.Cluster.Refused[kind])
		g.missing = append(g.missing, analyze.Missing{What: say("%s, which the collector was not allowed to read", kind), Command: command("kubectl get %s -A -o yaml", kind)})
	}
	if len(kinds) > 0 {
		g.texts = append(g.texts, say("%s, which the collector was not allowed to read everywhere: that they are not there does not mean that there are none", list(kinds)))
	}
}

// unjudged takes over what the verdicts themselves ask for, above all where none could be given.
func (g *gaps) unjudged() {
	n := 0
	for _, j := range g.p.Judged {
		if len(j.Verdict.Missing) == 0 || j.Verdict.Code == PodTerminating || j.Verdict.Code == NodeLost {
			continue
		}
		g.grave = g.grave || !j.Verdict.Code.Judges()
		if n++; n > enoughEvidence {
			g.about = append(g.about, j.Workload.Ref)
			continue
		}
		for _, m := range j.Verdict.Missing {
			g.add(say("%s, to judge %s", m.What, j.Workload.Ref.String()), m.Command, j.Workload.Ref)
		}
		g.because = append(g.because, some(j.Verdict.Evidence)...)
	}
	if rest := n - enoughEvidence; rest > 0 {
		g.add(moreWorkloads(rest), "")
	}
}

// owners lists objects that are known by name only: Jobs of pods, and CronJobs of open Jobs.
func (g *gaps) owners() {
	var jobs, crons []evidence.Ref
	for _, j := range g.p.Judged {
		w := j.Workload
		if w.IsJob() && w.Live() == nil && len(w.Pods) > 0 && j.Verdict.Code != InsufficientEvidence {
			g.owned(w.Pods[0].Object, w.Ref)
			jobs = append(jobs, w.Ref)
		}
		if ref, ok := cronRef(w); ok && w.CronJob == nil && openJob(w) {
			if !slices.Contains(crons, ref) {
				if w.Job != nil {
					g.owned(w.Job.Object, ref)
				}
				crons = append(crons, ref)
			}
			g.about = append(g.about, w.Ref)
		}
	}
	if len(jobs) > 0 {
		g.add(say("%s: whether it counted its pods, its deadline and its retries are not known", someRefs(jobs)), getObject("job", jobs[0]), jobs...)
	}
	if len(crons) > 0 {
		g.add(say("%s: its policy and schedule are not known", someRefs(crons)), getObject("cronjob", crons[0]))
	}
}

func getObject(kind string, ref evidence.Ref) string {
	return command("kubectl get %s %s -n %s -o yaml", kind, ref.Name, ref.Namespace)
}

// someRefs names the first of a list and counts the rest.
func someRefs(list []evidence.Ref) analyze.Text {
	if n := len(list) - 1; n > 0 {
		return say("%s and %d more", list[0].String(), n)
	}
	return say("%s", list[0].String())
}

// cluster asks for what explains verdicts that were given: versions, nodes, control plane, events.
func (g *gaps) cluster() {
	c := g.p.Cluster
	touched := judgedAs(g.p, HeldBySidecar, FailureHiddenBySidecar, DeadlineHitWhileHeld, SidecarBlocksInit, NodeRejectedSidecar, NativeSidecarStuck)
	touched = append(touched, behindOthers(g.p)...)
	if len(touched) == 0 {
		g.events()
		return
	}
	if !c.Server.Known && len(c.Server.From) == 0 {
		g.lacks("serverVersion")
		g.add(say("the API server's version: whether it accepts native sidecars, and how it prints READY"), "kubectl version -o yaml", touched...)
	}
	if _, refused := c.Refused["nodes"]; len(c.Nodes) == 0 && !refused {
		if len(c.NodeRows()) == 0 {
			g.lacks("nodes")
		}
		g.add(say("the nodes: whether their kubelets run native sidecars, and whether they were reporting"), "kubectl get nodes -o yaml", touched...)
	}
	if proxies := append(heldByIstio(g.p), behindOthers(g.p)...); len(proxies) > 0 && len(c.Mesh.ControlPlanes) == 0 {
		g.lacks("istiod")
		g.add(say("istiod: why the proxy was placed as it was"), istiodCommand, proxies...)
	}
	g.events()
}

// heldByIstio gives the workloads in whose pods Istio's proxy is an ordinary container.
func heldByIstio(p *analyze.Pass) []evidence.Ref {
	var out []evidence.Ref
	for _, j := range p.Judged {
		if h := j.Verdict.Holder; h != nil {
			if c := proxyOf(h.Pod); c != nil && c.Placement == facts.Ordinary && contains(j.Verdict.Culprits, c.Name) {
				out = append(out, j.Workload.Ref)
			}
		}
	}
	return out
}

// behindOthers gives the workloads that Istio's proxy would hold once another container has ended.
func behindOthers(p *analyze.Pass) []evidence.Ref {
	var out []evidence.Ref
	for _, j := range p.Judged {
		if h := j.Verdict.Holder; h != nil && j.Verdict.Code == OtherContainerRunning {
			if c := proxyOf(h.Pod); c != nil && c.Placement == facts.Ordinary && c.Running() != nil {
				out = append(out, j.Workload.Ref)
			}
		}
	}
	return out
}

// events are asked for only where a verdict would lean on them and the bundle has none at all.
func (g *gaps) events() {
	var need []evidence.Ref
	for _, j := range g.p.Judged {
		if len(j.Workload.Events) > 0 {
			return
		}
		for _, pod := range j.Workload.Pods {
			if len(pod.Events) > 0 {
				return
			}
		}
		switch j.Verdict.Code {
		case InitNotFinished, SidecarNotStarted, SidecarBlocksInit, ContainerCannotStart, NativeSidecarStuck, PodTerminating:
			need = append(need, j.Workload.Ref)
		}
	}
	if len(need) > 0 {
		g.lacks("events")
		g.add(say("events: what the kubelet tried and what came of it"), "kubectl get events -A -o yaml", need...)
	}
}
