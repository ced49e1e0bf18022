package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// injectedIntoTemplate: istioctl kube-inject writes the proxy into the manifest, so that the owner's template holds what
// a webhook would have put into the pod only. Its record is on the pod template, for a CronJob at jobTemplate.metadata.
// Where the proxy of a pod was moved after that, ProxyMovedAfterInjection speaks instead.
func injectedIntoTemplate() *analyze.Rule {
	return &analyze.Rule{Code: "InjectedIntoTemplate", Title: "kube-inject baked the proxy into the template",
		Severity: analyze.Warning, Scope: analyze.PerWorkload, Explains: []analyze.Code{HeldBySidecar, FailureHiddenBySidecar, SidecarBlocksInit},
		Run: runInjectedIntoTemplate}
}

func runInjectedIntoTemplate(p *analyze.Pass) analyze.Outcome {
	t, ok := ownerTemplate(p.Workload)
	if !ok || p.Verdict.Code == Completed && p.Workload.CronJob == nil {
		return analyze.Skip()
	}
	c, path := t.find(istioProxy)
	if c == nil {
		return absentProxy(p, t)
	}
	if m, known := p.Know.Sidecar(c.Name, c.Image); known && m.Conflict {
		return analyze.RuleOut(say("%s in the template has an image that is not Istio's", c.Name), t.obj.Ev(path+".image", c.Image))
	}
	if c.Image == placeholderImage {
		return analyze.RuleOut(say("%s in the template is a placeholder that the webhook fills in", c.Name), t.obj.Ev(path+".image", c.Image))
	}
	b, ok := bakedProxyOf(p)
	switch {
	case !ok && b.byHand():
		return analyze.RuleOut(say("%s in the template is not as an injector writes it: it stands in initContainers without restartPolicy Always, and no record of an injector is there", c.Name), t.obj.EvAbsent(path+".restartPolicy"))
	case !ok:
		return analyze.Undecide(say("the template of %s holds %s itself; whether istioctl kube-inject or a person put it there is not in the bundle", t.obj.Ref().String(), c.Name),
			analyze.Missing{What: say("the annotations of the %s and of its template", t.obj.Kind),
				Command: command("kubectl get %s %s -n %s -o yaml", lowerKind(t.obj.Kind), t.obj.Meta.Name, t.obj.Meta.Namespace)})
	case overPods(p, runProxyMovedAfterInjection).Status == analyze.Fired:
		return analyze.RuleOut(say("the template holds %s, and that of a pod stands elsewhere: what moved it there comes first", c.Name), t.obj.Ev(path+".image", c.Image))
	}
	return bakedIn(p, b)
}

// bakedProxy is a proxy that the owner's template holds, with what shows that an injector wrote it there.
type bakedProxy struct {
	t    template
	c    *kube.Container
	path string
	by   evidence.Evidence
	// recorded is the list that the injector's record names for it, "" without one.
	recorded string
}

// bakedProxyOf finds it: by the injector's record above the pods, or by its init container beside a proxy of the shape that
// it writes.
func bakedProxyOf(p *analyze.Pass) (b bakedProxy, ok bool) {
	if b.t, ok = ownerTemplate(p.Workload); !ok {
		return b, false
	}
	if b.c, b.path = b.t.find(istioProxy); b.c == nil || b.c.Image == placeholderImage {
		return b, false
	}
	if m, known := p.Know.Sidecar(b.c.Name, b.c.Image); known && m.Conflict {
		return b, false
	}
	if record, recorded := injectionRecord(p.Workload); recorded {
		b.by = record
		if in := facts.ReadInjection(record.Value); in.Readable {
			b.recorded, _ = recordedList(in, b.c.Name)
		}
		return b, true
	}
	b.by, ok = meshInit(p, b.t)
	return b, ok && !b.byHand()
}

// list is the one that the proxy stands in.
func (b bakedProxy) list() string {
	if strings.Contains(b.path, ".spec.initContainers[") {
		return "initContainers"
	}
	return "containers"
}

// byHand says that the proxy stands where an injector that writes it sets restartPolicy Always, and has none.
func (b bakedProxy) byHand() bool {
	return b.c != nil && b.list() == "initContainers" && b.c.RestartPolicy != "Always" && !b.t.obj.Described()
}

// placeholderImage is what a manifest puts where the injector is to fill in the image.
const placeholderImage = "auto"

// absentProxy is the answer where the template has no proxy: worth a line only if a pod has one.
func absentProxy(p *analyze.Pass, t template) analyze.Outcome {
	for _, pod := range p.Workload.Pods {
		if proxyOf(pod) != nil {
			return analyze.RuleOut(say("the template of %s has no %s", t.obj.Ref().String(), istioProxy), t.absent("containers", istioProxy))
		}
	}
	return analyze.Skip()
}

// injectionRecord finds the injector's record above the pods: on the pod template, and one level up, where kube-inject
// puts it for a CronJob.
func injectionRecord(w *facts.Workload) (evidence.Evidence, bool) {
	for _, pl := range placesOf(&facts.Cluster{}, w) {
		if _, ok := pl.meta.Annotations.Lookup(facts.StatusAnnotation); ok && pl.obj.Kind != "Pod" {
			return pl.annotation(facts.StatusAnnotation), true
		}
	}
	return evidence.Evidence{}, false
}

// meshInit finds istio-init or istio-validation in a template: no person writes these without the injector.
func meshInit(p *analyze.Pass, t template) (evidence.Evidence, bool) {
	for _, c := range t.Spec.InitContainers {
		if h, ok := p.Know.KnownInit(c.Name, c.Image); ok && h.Mesh {
			return t.obj.Ev(t.path+".spec.initContainers[name="+c.Name+"].image", c.Image), true
		}
	}
	return evidence.Evidence{}, false
}

func bakedIn(p *analyze.Pass, b bakedProxy) analyze.Outcome {
	c, because := b.c, []evidence.Evidence{b.t.obj.Ev(b.path+".image", b.c.Image)}
	native := b.list() == "initContainers"
	where := say("an ordinary container")
	switch {
	case b.byHand():
		where, native = say("an init container without restartPolicy Always, which init waits for in vain"), false
		because = append(because, b.t.obj.EvAbsent(b.path+".restartPolicy"))
	case c.RestartPolicy == "Always" && native:
		where = say("a native sidecar")
		because = append(because, b.t.obj.Ev(b.path+".restartPolicy", "Always"))
	case native:
		where = say("an init container, of which kubectl describe prints no restartPolicy")
	}
	because = append(because, b.by)
	message := say("the template of %s holds %s itself (%s, %s): it was injected into the manifest. Unless the webhook injects the pod again, what istiod decides today does not reach it",
		b.t.obj.Ref().String(), c.Name, where, c.Image)
	if b.recorded != "" && b.recorded != b.list() {
		message = say("%s. The injector's record names spec.%s for it: the manifest was edited after it was injected", message, b.recorded)
	}
	o := analyze.Fire(message, because...)
	switch {
	case native:
		return o.As(analyze.Info)
	case b.byHand():
		o = o.As(weight(p))
	}
	return o.With(injectAgain(p, c.Name))
}

func lowerKind(kind string) string {
	if kind == "CronJob" {
		return "cronjob"
	}
	return "job"
}
