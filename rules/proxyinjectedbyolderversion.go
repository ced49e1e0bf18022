package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// proxyInjectedByOlderVersion: a pod is injected once, when it is created. What was in force then made it, and what is
// in force now makes the next one; the two are kept apart.
func proxyInjectedByOlderVersion() *analyze.Rule {
	return &analyze.Rule{Code: "ProxyInjectedByOlderVersion", Title: "The pod was injected by another istiod than today's",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar, DeadlineHitWhileHeld},
		Run: runProxyInjectedByOlderVersion}
}

func runProxyInjectedByOlderVersion(p *analyze.Pass) analyze.Outcome {
	if p.Verdict.Code == Completed || len(p.Cluster.Mesh.ControlPlanes) == 0 {
		return analyze.Skip()
	}
	return overPods(p, injectedThen)
}

// thenAndNow is one pod's injection against the istiod of its revision.
type thenAndNow struct {
	p     *analyze.Pass
	pod   *facts.Pod
	proxy *facts.Container
	plane *facts.ControlPlane
	last  rollout
}

func injectedThen(p *analyze.Pass, pod *facts.Pod) analyze.Outcome {
	proxy := proxyOf(pod)
	if proxy == nil {
		return analyze.Skip()
	}
	plane := planeOfPod(p.Cluster, pod)
	if plane == nil {
		return revisionGone(p, pod)
	}
	v := &thenAndNow{p: p, pod: pod, proxy: proxy, plane: plane, last: lastRollout(plane)}
	if o, ok := v.otherVersion(); ok {
		return o
	}
	if o, ok := v.beforeRollout(); ok {
		return o
	}
	if o, ok := v.newerRevision(); ok {
		return o
	}
	return v.same()
}

// planeOfPod is the control plane of the revision that a pod records, in the namespace from which its proxy is served;
// without a record, the only one there is.
func planeOfPod(c *facts.Cluster, pod *facts.Pod) *facts.ControlPlane {
	if r := injectedBy(pod); r != "" {
		planes, _ := c.Mesh.Revision(r)
		plane, _ := servedHome(pod).pick(planes)
		return plane
	}
	if len(c.Mesh.ControlPlanes) == 1 {
		return c.Mesh.ControlPlanes[0]
	}
	return nil
}

// revisionGone: the bundle has istiods, and none of the revision that made the pod.
func revisionGone(p *analyze.Pass, pod *facts.Pod) analyze.Outcome {
	r := injectedBy(pod)
	if r == "" {
		return analyze.Skip()
	}
	for _, in := range p.Cluster.Mesh.Injectors {
		if in.URL != "" && (in.Revision == r || in.Tag == r) {
			return analyze.Skip() // a control plane outside the cluster; ControlPlaneUnknown speaks of it
		}
	}
	planes, _ := p.Cluster.Mesh.Revision(r)
	if _, rivals := servedHome(pod).pick(planes); rivals != nil {
		return analyze.Undecide(say("pod %s was injected by %s; nothing in the bundle tells which", pod.Meta.Name, among(r, rivals)),
			analyze.Missing{What: say("the pod as it is stored: its proxy's address of istiod (CA_ADDR) names the namespace"), Command: podYAML(pod)})
	}
	return analyze.Undecide(say("pod %s was injected by revision %s, and the bundle has istiod of revision %s only: that of the pod is gone, or was not collected",
		pod.Meta.Name, r, list(revisions(p.Cluster))), analyze.Missing{What: say("every istiod of the cluster"), Command: istiodCommand})
}

// otherVersion compares the proxy's image with istiod's own version: both come from the same chart values, unless the
// image was set apart.
func (v *thenAndNow) otherVersion() (analyze.Outcome, bool) {
	if _, set := v.pod.Meta.Annotations.Lookup("sidecar.istio.io/proxyImage"); set || !v.plane.Version.Known {
		return analyze.Outcome{}, false
	}
	then, now := version.FromImage(v.proxy.Image()), v.plane.Version.V
	order, sure := then.Compare(now)
	if sure != version.Yes || order == 0 || !then.Known() {
		return analyze.Outcome{}, false
	}
	message := say("istio-proxy of pod %s is %s, created %s, and istiod of its revision %s is %s today: the pod was injected before that change and keeps the shape it got then",
		v.pod.Meta.Name, then.Raw, atTime(v.pod.Meta.Created), v.plane.Revision, now.Raw)
	if order > 0 {
		message = say("istio-proxy of pod %s is %s, created %s, newer than istiod of its revision %s (%s): the pod was injected before istiod went back, and keeps the shape it got then",
			v.pod.Meta.Name, then.Raw, atTime(v.pod.Meta.Created), v.plane.Revision, now.Raw)
	}
	o := v.fire(message, v.proxy.EvImage())
	o.Assumes = append(o.Assumes, say("the proxy's image was not set apart from istiod's version"))
	if then.SameMinor(now) == version.Yes {
		return o.As(analyze.Info), true // no patch release changes what istiod decides about placement
	}
	return o, true
}

// beforeRollout finds a pod that is older than istiod's present ReplicaSet.
func (v *thenAndNow) beforeRollout() (analyze.Outcome, bool) {
	created := v.pod.Meta.Created
	if v.last.at.IsZero() || created.IsZero() || !created.Before(v.last.at) {
		return analyze.Outcome{}, false
	}
	if then, ok := inForce(v.plane, created.Time, v.last); ok {
		if then.sameAs(v.last.settings) {
			return analyze.RuleOut(say("pod %s is older than istiod's present ReplicaSet, and the one before had the same version and the same %s",
				v.pod.Meta.Name, facts.NativeEnv), append(then.from, v.last.from...)...), true
		}
		o := v.fire(say("pod %s was created at %s, when istiod of revision %s was %s; since its rollout at %s it is %s. The pod keeps the shape it got then",
			v.pod.Meta.Name, atTime(created), v.plane.Revision, then.text(), stamp(v.last.at), v.last.text()), then.from...)
		return o, true
	}
	o := v.fire(say("pod %s was created at %s, before the last rollout of istiod of revision %s (%s): the istiod of that time made it; whether it was set as today is not in the bundle",
		v.pod.Meta.Name, atTime(created), v.plane.Revision, stamp(v.last.at)))
	return o.Lacking(analyze.Missing{What: say("istiod's earlier ReplicaSets, which tell what was in force then"),
		Command: command("kubectl get replicaset -n %s -l app=istiod -o yaml", v.plane.Namespace)}), true
}

// newerRevision finds an istiod of another revision and a newer version, whose settings do not concern the pod.
func (v *thenAndNow) newerRevision() (analyze.Outcome, bool) {
	for _, cp := range v.p.Cluster.Mesh.ControlPlanes {
		if cp == v.plane || cp.Revision == v.plane.Revision || !cp.Version.Known || !v.plane.Version.Known {
			continue
		}
		if order, sure := cp.Version.V.Compare(v.plane.Version.V); sure == version.Yes && order > 0 {
			o := v.fire(say("pod %s was injected by revision %s (istiod %s), not by the newer revision %s (istiod %s) that the cluster has too: the settings of the newer one do not concern it",
				v.pod.Meta.Name, v.plane.Revision, v.plane.Version.V.Raw, cp.Revision, cp.Version.V.Raw), cp.Version.From...)
			o.Remedy = v.toRevision(cp)
			return o.As(analyze.Info), true
		}
	}
	return analyze.Outcome{}, false
}

// toRevision is the way from the pod's revision to a newer one, as far as it is not made already.
func (v *thenAndNow) toRevision(newer *facts.ControlPlane) *analyze.Advice {
	ns, next := v.pod.Meta.Namespace, v.p.Next
	verify := say("the annotation %s of the next pod is %s", facts.RevisionLabel, newer.Revision)
	switch {
	case !istioJob(v.p):
		return afterChange(v.p)
	case next.Plane == newer:
		return newRun(say("nothing is to be changed for the next run: its pod is injected by revision %s already", newer.Revision), verify)
	}
	a := &analyze.Advice{Summary: say("to get what revision %s gives, bind the namespace to it and create the pod again", newer.Revision),
		Verify: []analyze.Text{verify}}
	o := v.p.Cluster.Namespaces[ns]
	switch {
	case o != nil && o.Meta.Labels.Get(namespaceSwitch) != "" && o.Meta.Labels.Get(facts.RevisionLabel) != "":
		a.Steps = append(a.Steps, say("remove the label %s of namespace %s: it beats its label %s, which has no effect beside it", namespaceSwitch, ns, facts.RevisionLabel))
		if plane, _ := v.p.Cluster.Mesh.Revision(o.Meta.Labels.Get(facts.RevisionLabel)); len(plane) != 1 || plane[0] != newer {
			a.Steps = append(a.Steps, say("set its label %s to %s or to a tag of it", facts.RevisionLabel, newer.Revision))
		}
	case o != nil && o.Meta.Labels.Get(namespaceSwitch) != "":
		a.Steps = append(a.Steps, say("put the label %s with %s or a tag of it on namespace %s, and remove its label %s, which beats it; or have the tag default lead to that revision",
			facts.RevisionLabel, newer.Revision, ns, namespaceSwitch))
	default:
		a.Steps = append(a.Steps, say("set the label %s of namespace %s to %s or to a tag of it, or move the tag that it has", facts.RevisionLabel, ns, newer.Revision))
	}
	a.Steps = append(a.Steps, say("existing pods never change: the next run gets it, and a run made for that runs the program again"))
	return a
}

// fire gives the outcome with what every one of them shows: who made the pod, when, and what is there today.
func (v *thenAndNow) fire(message analyze.Text, because ...evidence.Evidence) analyze.Outcome {
	because = append(because, v.proxy.EvPlacement())
	if !v.pod.Meta.Created.IsZero() {
		because = append(because, v.pod.Ev("metadata.creationTimestamp", v.pod.Meta.Created.String()))
	}
	if in := v.pod.Injection; in != nil && in.Readable {
		because = append(because, v.pod.Ev("metadata.annotations["+facts.StatusAnnotation+"]", v.pod.Meta.Annotations.Get(facts.StatusAnnotation)))
	}
	because = append(append(because, v.plane.Version.From...), v.plane.Env.From...)
	because = append(because, v.last.from...)
	o := analyze.Fire(message, because...)
	if v.proxy.Placement != facts.Ordinary {
		return o.As(analyze.Info)
	}
	if !istioJob(v.p) {
		return o.With(afterChange(v.p))
	}
	a := &analyze.Advice{Summary: say("a new pod gets what istiod decides today (%s); this one never changes", orNone(v.p.Next.Placement)),
		Steps: []analyze.Text{say("check that a second run is safe"), say("wait for the next run, or delete this one and make it again, which runs its program once more")},
		Avoid: []analyze.Text{say("changing istiod's settings for the sake of this pod: it was injected already")}}
	if since := provenSince(v.p.Cluster, v.p.Workload, v.p.Next.Decision); since != nil {
		a.Summary = say("nothing is to be changed for the next run: pod %s of a later run got a native proxy and completed; this pod keeps its shape until its Job is ended or deleted", since.Meta.Name)
		a.Steps = []analyze.Text{say("end this Job, or delete it: no other run waits for a change")}
	}
	if v.p.Next.Placement != knowledge.Native {
		a.Steps = append(a.Steps, say("before that make the next pod native: see the findings about Istio's decision"))
	}
	return o.With(a)
}

// same says on what grounds the pod's injection is today's, or what would tell where it contradicts today's decision.
func (v *thenAndNow) same() analyze.Outcome {
	young := !v.last.at.IsZero() && !v.pod.Meta.Created.IsZero()
	if !young && v.proxy.Placement == facts.Ordinary && v.p.Next != nil && v.p.Next.Placement == knowledge.Native {
		return analyze.Undecide(say("the proxy of pod %s is ordinary although istiod would place it natively today; whether istiod was changed since is not in the bundle", v.pod.Meta.Name),
			analyze.Missing{What: say("when istiod was last rolled out, and what it was before"),
				Command: command("kubectl get deployment,replicaset -n %s -l app=istiod -o yaml", v.plane.Namespace)})
	}
	switch {
	case young:
		return analyze.RuleOut(say("pod %s was created after the last rollout of istiod of revision %s (%s)", v.pod.Meta.Name, v.plane.Revision, stamp(v.last.at)),
			append(v.last.from, v.pod.Ev("metadata.creationTimestamp", v.pod.Meta.Created.String()))...)
	case v.plane.Version.Known:
		return analyze.RuleOut(say("nothing tells pod %s's injector from istiod %s of revision %s", v.pod.Meta.Name, v.plane.Version.V.Raw, v.plane.Revision),
			append([]evidence.Evidence{v.proxy.EvImage()}, v.plane.Version.From...)...)
	}
	return analyze.Skip()
}
