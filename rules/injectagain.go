package rules

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// injectAgain is the remedy for a manifest that kube-inject wrote with an ordinary proxy in it: the manifest as it was
// before, with what makes the injector place the proxy natively here, injected again and applied to its owner.
func injectAgain(p *analyze.Pass, proxy string) *analyze.Advice {
	n := again(p)
	a := &analyze.Advice{
		Summary: say("inject the original manifest again, with %s; changing istiod alone changes nothing for this template", n.what),
		Verify:  []analyze.Text{say("the new pod has %s in spec.initContainers with restartPolicy Always", proxy)},
		Avoid:   []analyze.Text{say("editing the injected containers by hand: probes, order and volumes belong together")}}
	if !loneJob(p.Workload) && p.Workload.ParentKind != "CronJob" {
		return ofAnotherKind(p, a)
	}
	acts := append(append([]act{takeOriginal(p)}, n.acts...), injectActs(p, proxy)...)
	if n.change.Enough() {
		for _, s := range unsafeHere(p, n.change) {
			acts = append(acts, do(s))
		}
	}
	a.Steps = stepsOf(append(acts, applyAgain(p)...))
	a.Avoid = append(a.Avoid, n.avoid...)
	return a
}

// ofAnotherKind is for a Job that another object makes: istioctl kube-inject knows the kinds of Kubernetes, and leaves the
// manifest of any other as it is (IntoResourceFile), so that there the pods are left to the webhook.
func ofAnotherKind(p *analyze.Pass, a *analyze.Advice) *analyze.Advice {
	w := p.Workload
	path, owner := annotationPath(p)
	a.Summary = say("take the proxy out of the pod template in %s, and leave its injection to the webhook; changing istiod alone changes nothing for this template", owner)
	a.Steps = []analyze.Text{
		say("see what %s holds, and what it is made from: %s", owner, command("kubectl get %s %s -n %s -o yaml", parentResource(w), w.ParentName, w.Ref.Namespace)),
		say("go back to the pod template as it was before injection, without %s, its init container, its volumes and the annotation %s; where %s does not hold them, what makes the Job adds them: look there", istioProxy, facts.StatusAnnotation, owner),
		say("set %s: \"true\" at %s of it (Istio reads it from %s on; API server and nodes have to run native sidecars), and see that the webhook injects the pods of namespace %s: istioctl kube-inject leaves the manifest of a %s as it is", p.Know.AnnotationKey(), path, featureSince(p.Know, "istio-reads-annotation"), w.Ref.Namespace, w.ParentKind),
		say("Jobs that exist keep their template: the next one that %s makes gets it, and runs the program again", owner)}
	return a
}

func takeOriginal(p *analyze.Pass) act {
	_, owner := annotationPath(p)
	return do(say("take the manifest of %s as it was before istioctl kube-inject, from the repository or chart that it is made from, as original.yaml: the one in the cluster holds the proxy already", owner))
}

// injectActs inject the manifest, and look at what came of it before it is applied.
func injectActs(p *analyze.Pass, proxy string) []act {
	return []act{do(say("inject it; where the webhook injects the pods of the namespace, leave out this step and the next, and apply original.yaml in the place of injected.yaml"),
		"istioctl kube-inject -f original.yaml > injected.yaml"),
		do(say("before you apply it, see that injected.yaml has %s in initContainers: this prints Always", proxy),
			"kubectl create --dry-run=client -f injected.yaml -o jsonpath='{"+specOf(p)+".initContainers[?(@.name==\""+istioProxy+"\")].restartPolicy}{\"\\n\"}'")}
}

// specOf is where the owner of a workload has the spec of its pods.
func specOf(p *analyze.Pass) string {
	if ownerKind(p.Workload) == "CronJob" {
		return ".spec.jobTemplate.spec.template.spec"
	}
	return ".spec.template.spec"
}

// jobTemplatePlace is where istioctl kube-inject reads the annotation of a CronJob.
const jobTemplatePlace = "spec.jobTemplate.metadata.annotations"

// anew is what to change in a manifest before it is injected again.
type anew struct {
	what   analyze.Text
	acts   []act
	avoid  []analyze.Text
	change Change
}

// again says what makes the injector place the proxy natively, as far as the release that injected and the cluster tell.
func again(p *analyze.Pass) anew {
	k := p.Know
	path, _ := annotationPath(p)
	in := Inputs(p.Cluster, k, p.Workload, p.Next)
	list := Changes(k, in)
	i := slices.IndexFunc(list, func(c Change) bool { return c.Kind == changeAnnotation })
	out := anew{what: say("settings that place the proxy natively")}
	if i < 0 {
		return out
	}
	out.change = list[i]
	since := featureSince(k, "istio-reads-annotation")
	set := say("set %s: \"true\" at %s in it, where istioctl kube-inject reads it", k.AnnotationKey(), path)
	if path == jobTemplatePlace {
		set = say("%s, and at spec.jobTemplate.spec.template.metadata.annotations as well, where the webhook reads it", set)
	}
	switch reads, _ := k.Has("istio-reads-annotation", in.Istio); {
	case reads == version.No:
		out.what = say("an Istio that reads %s, which is %s and newer", k.AnnotationKey(), since)
		out.acts = []act{do(say("inject it with Istio %s or newer: %s does not read %s", since, tooOld(p.Workload, in.Istio), k.AnnotationKey())), do(set)}
	case out.change.Placement == knowledge.Broken:
		out.what = say("settings that place the proxy natively, once this cluster can run it")
		out.avoid = []analyze.Text{say("%s: the injector would place the proxy natively, and this cluster could not run it: %s", out.change.What, brokenWords(k, out.change.Broken))}
	case out.change.Enough():
		out.what = say("%s: \"true\"", k.AnnotationKey())
		out.acts = []act{do(say("%s; Istio %s takes it, whatever istiod's variable and the nodes say, and API server and kubelets of the bundle run native sidecars", set, in.Istio.Raw))}
	default:
		out.what = say("%s: \"true\"", k.AnnotationKey())
		out.acts = []act{do(say("%s; Istio reads it from %s on", set, since)), do(say("make sure that API server and nodes can run native sidecars, which the bundle does not show"))}
	}
	return out
}

// tooOld names an Istio: the one that wrote the manifest, by the tag of the proxy in it, or another, which is istiod.
func tooOld(w *facts.Workload, v version.Version) analyze.Text {
	if own, _ := proxyInTemplate(w); version.FromImage(own.image).Raw == v.Raw {
		return say("the one that wrote this manifest (%s)", v.Raw)
	}
	return say("the istiod of this cluster (%s)", v.Raw)
}

// featureSince is the first release that does a thing, without the mark of its preview.
func featureSince(k *knowledge.Base, id string) string {
	f, _ := k.Feature(id)
	since, _, _ := strings.Cut(f.Since, "-")
	return since
}

// applyAgain puts the new manifest into force: for a CronJob from its next run on, for a Job with a run of its program.
func applyAgain(p *analyze.Pass) []act {
	w := p.Workload
	if ref, ok := cronRef(w); ok {
		return append([]act{do(say("apply it (a manifest that says suspend: false resumes the CronJob): its next run is made from it, and runs that exist keep their shape"), command("kubectl apply -n %s -f injected.yaml", ref.Namespace))},
			tryRun(ref)...)
	}
	return []act{deleteJob(p, runsAgain(p, w.Ref), nil, []string{command("kubectl apply -n %s -f injected.yaml", w.Ref.Namespace)})}
}

// runsAgain warns of what a new Job in the place of an old one does.
func runsAgain(p *analyze.Pass, ref evidence.Ref) analyze.Text {
	if p.Verdict.Code == HeldBySidecar {
		return say("only when the program is to run once more: the template of a Job cannot be changed, so delete Job %s, which deletes its pods with their logs, and make it from the new manifest. The program of this run has ended with exit code 0, and the new Job runs it again", ref.Name)
	}
	return say("the template of a Job cannot be changed: save the logs, delete Job %s, which deletes its pods, and make it from the new manifest, which runs the program again", ref.Name)
}
