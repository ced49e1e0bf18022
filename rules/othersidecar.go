package rules

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Remedy is what ends the hold of sidecars that no finding speaks of: those that are not Istio's, of which the catalogue
// knows how each goes native and how it is stopped. Nil where the findings have the remedy, or nothing is held.
func Remedy(p *analyze.Pass) *analyze.Advice {
	switch p.Verdict.Code {
	case OtherContainerRunning:
		return ofPodAlone(p, otherRemedy(p))
	case HeldBySidecar, FailureHiddenBySidecar, DeadlineHitWhileHeld:
		return heldRemedy(p)
	}
	return nil
}

// culpritsOf gives the containers that the verdict names, of the pod that it is taken from.
func culpritsOf(p *analyze.Pass) []*facts.Container {
	pods := p.Workload.Pods
	if h := p.Verdict.Holder; h != nil {
		pods = []*facts.Pod{h.Pod}
	}
	return named(p.Verdict.Culprits, pods...)
}

// named gives the containers of these names, each of the first pod that has it.
func named(names []string, pods ...*facts.Pod) []*facts.Container {
	byName := map[string]*facts.Container{}
	for _, pod := range slices.Backward(pods) {
		for _, c := range slices.Backward(pod.Containers) {
			byName[c.Name] = c
		}
	}
	var out []*facts.Container
	for _, name := range names {
		if c := byName[name]; c != nil {
			out = append(out, c)
		}
	}
	return out
}

// isIstioProxy says that a container is what the findings about Istio's decision speak of.
func isIstioProxy(c *facts.Container) bool { return c.Pod != nil && proxyOf(c.Pod) == c }

func heldRemedy(p *analyze.Pass) *analyze.Advice {
	var others []*facts.Container
	istio := false
	for _, c := range culpritsOf(p) {
		if isIstioProxy(c) {
			istio = true
			continue
		}
		others = append(others, c)
	}
	switch {
	case len(others) > 0:
		a := sidecarAdvice(p, others)
		if istio {
			a.Steps = append(a.Steps, say("%s holds the pod too: see the findings about Istio's decision", istioProxy))
		}
		return a
	case istio && !istioJob(p):
		return afterChange(p)
	}
	return nil
}

// sidecarAdvice says for each sidecar how it goes native here and how it is stopped.
func sidecarAdvice(p *analyze.Pass, cs []*facts.Container) *analyze.Advice {
	can, condition := nativeHere(p)
	a := &analyze.Advice{Steps: []analyze.Text{keepEvidence(p.Workload),
		say("check that a second run is safe: idempotent writes, charges, artefacts")}}
	native, call, others := false, false, true
	for _, c := range cs {
		h, known := entryOf(p.Know, c)
		native = native || can != version.No && !(known && h.NeverNative())
		call = call || !h.HasNoStop() && !h.EndedByOthers()
		others = others && h.EndedByOthers()
	}
	switch {
	case native && !call && condition.IsZero():
		a.Summary = say("run %s as a native sidecar, which ends with the application", list(names(cs)))
	case native && !call:
		a.Summary = say("run %s as a native sidecar, which ends with the application, %s", list(names(cs)), condition)
	case native && condition.IsZero():
		a.Summary = say("have %s end with the application: as a native sidecar, or by a call of the application when its work is done", list(names(cs)))
	case native:
		a.Summary = say("have %s end with the application: as a native sidecar, %s, or by a call of the application when its work is done", list(names(cs)), condition)
	case others:
		a.Summary = say("find out why %s was not ended by what is to do that once the application has ended", list(names(cs)))
	case !call:
		a.Summary = say("do without %s in the pods of %s where that is possible: no way is known here to have it end with the application", list(names(cs)), runWords(p.Workload))
	default:
		a.Summary = say("have the application end %s when its work is done", list(names(cs)))
	}
	if can == version.No {
		a.Steps = append(a.Steps, say("native sidecars are no way out here before an upgrade: %s", condition))
	}
	for _, c := range cs {
		h, _ := entryOf(p.Know, c)
		a.Steps = append(a.Steps, sidecarSteps(p, c, h, can)...)
	}
	a.Steps = append(a.Steps, tryFirst(p.Workload), say("existing pods never change: the next run gets it, and a run made for that runs the program again"))
	if native {
		a.Verify = append(a.Verify, say("where it was placed natively the new pod has %s in spec.initContainers with restartPolicy Always", list(names(cs))))
	}
	a.Verify = append(a.Verify, ends(p.Workload))
	if p.Verdict.Code == FailureHiddenBySidecar {
		a.Verify = append(a.Verify, say("a failing application makes the pod Failed, and the Job counts it against backoffLimit"))
	}
	a.Rollback = []analyze.Text{say("undo the same change; pods that exist keep their shape, and what the run wrote stays written")}
	a.Avoid = sidecarAvoid(cs)
	return a
}

// entryOf gives the catalogue's entry for a container; false for one that it does not know, or whose image is another's.
func entryOf(k *knowledge.Base, c *facts.Container) (knowledge.Helper, bool) {
	if c.Helper == nil || c.Helper.Conflict {
		return knowledge.Helper{}, false
	}
	return k.Helper(c.Helper.ID)
}

func sidecarSteps(p *analyze.Pass, c *facts.Container, h knowledge.Helper, can version.Answer) []analyze.Text {
	var out []analyze.Text
	if can != version.No {
		out = append(out, placeSteps(p, c, h)...)
	}
	return append(out, stopOf(p.Know, c))
}

// stopOf says how a sidecar of a pod at hand is ended once the work is done, and where its call is off in that pod.
func stopOf(k *knowledge.Base, c *facts.Container) analyze.Text {
	h, _ := entryOf(k, c)
	if off, _ := switchedOff(c, h); off {
		return say("%s. Nothing in pod %s switches that call on: set it in the pod template first (%s)", stopStep(c.Name, h), c.Pod.Meta.Name, listOr(h.CallNeeds.Words()))
	}
	return stopStep(c.Name, h)
}

// stopStep says how a sidecar is ended once the work is done.
func stopStep(name string, h knowledge.Helper) analyze.Text {
	switch {
	case h.Stop == "":
		return say("%s is not in the catalogue of known sidecars: find out whether it has a call that ends it, for the application to make when its work is done", name)
	case h.HasNoStop():
		return say("%s (%s) has no call that ends it: %s", name, h.Product, h.Stop)
	case h.EndedByOthers():
		return say("what ends %s (%s) is not a call of the application's: %s", name, h.Product, h.Stop)
	}
	return say("how %s (%s) is stopped: %s. A call is for the application to make, on every way out and with its own exit code given back", name, h.Product, h.Stop)
}

// placeSteps says what makes a sidecar native for this owner: what stands in the template is moved there, what an injector
// adds is the injector's to place.
func placeSteps(p *analyze.Pass, c *facts.Container, h knowledge.Helper) []analyze.Text {
	path, owner := specPath(p)
	how := h.Native
	if how == "" {
		how = "write it as init container with restartPolicy Always"
	}
	t, ok := ownerTemplate(p.Workload)
	var in string
	if ok {
		_, in = t.find(c.Name)
		for _, key := range h.NativeBy.Annotations {
			if in == "" && t.Meta.Annotations.Get(key) == "true" {
				return []analyze.Text{say("%s: \"true\" is set at %s.metadata.annotations of %s already, and is for the pods that are made from now on: see why the one at hand was made without it, before it was set or by an injector that does not read it", key, t.path, owner)}
			}
		}
	}
	switch {
	case in != "" && h.NeverNative():
		return []analyze.Text{say("%s stands in the pod template itself; the catalogue on native placement: %s", c.Name, how)}
	case in != "" && strings.HasPrefix(how, "write it as init container"):
		return []analyze.Text{moveStep(c.Name, path, owner)}
	case in != "":
		return []analyze.Text{moveStep(c.Name, path, owner), say("native placement of %s: %s", c.Name, how)}
	case ok || c.Injected:
		return []analyze.Text{say("%s is not in the pod template of %s: what injects it places it. Native placement: %s", c.Name, owner, how)}
	}
	return []analyze.Text{say("whether %s stands in the pod template of %s or was injected is not in the bundle. Native placement: %s", c.Name, owner, how)}
}

func moveStep(name, path, owner string) analyze.Text {
	return say("%s stands in the pod template itself: move it from containers to initContainers at %s of %s, with restartPolicy: Always and a startupProbe where the application needs it up first", name, path, owner)
}

// specPath says where the containers of the pods are written for the owner of a workload, and names that owner.
func specPath(p *analyze.Pass) (path, owner string) {
	path, owner = annotationPath(p)
	switch at, ok := strings.CutSuffix(path, ".metadata.annotations"); {
	case ok:
		return at + ".spec", owner
	case path == "metadata.annotations":
		return "spec", owner
	}
	return "the pod template", owner
}

func sidecarAvoid(cs []*facts.Container) []analyze.Text {
	var out []analyze.Text
	for _, c := range cs {
		if isMeshProxy(c) {
			out = append(out, say("turning injection off: the Job then runs without the mesh's encryption and policy"))
			break
		}
	}
	return append(out, endingBadly(names(cs), cs[0].Pod),
		say("ending it while the application still needs it"),
		say("history limits, ttlSecondsAfterFinished and readiness settings: none of them ends a Job that is held"))
}

// nativeHere says whether this cluster runs native sidecars, and why not or on what condition.
func nativeHere(p *analyze.Pass) (version.Answer, analyze.Text) {
	in := Inputs(p.Cluster, p.Know, nil, p.Next)
	accepts := version.AnswerOf(in.Gate.Value == "true")
	if !in.Gate.Known {
		accepts, _ = apiAccepts(p, &nativeUse{})
	}
	behind, doubt := behindNodes(p)
	var old []string
	for _, b := range behind {
		old = append(old, b.Node)
	}
	switch {
	case accepts == version.No:
		return version.No, say("the API server drops restartPolicy of init containers, so that such a pod is refused or never begins")
	case len(behind) > 0 && len(behind) == len(in.Kubelets):
		return version.No, say("no kubelet in the bundle can run them")
	case accepts == version.Maybe && len(in.Kubelets) == 0:
		return version.Maybe, say("where API server and kubelets can run them, which the bundle does not show")
	case accepts == version.Maybe:
		return version.Maybe, say("where the API server keeps restartPolicy of init containers, which the bundle does not show")
	case len(old) > 0:
		return version.Yes, say("kept off the nodes that cannot run them (%s)", list(old))
	case len(in.Kubelets) == 0 || doubt:
		return version.Maybe, say("where the kubelet of its node can run it, which the bundle does not show of every node")
	}
	return version.Yes, analyze.Text{}
}

// otherRemedy says what would decide what a container is that nothing proves to be a sidecar, and what follows.
func otherRemedy(p *analyze.Pass) *analyze.Advice {
	cs := culpritsOf(p)
	if len(cs) == 0 {
		return nil
	}
	for _, c := range cs {
		if c.Helper != nil && c.Helper.EndsItself {
			return nil // known, and made to end by itself
		}
	}
	after := helpersBehind(p, cs)
	a := &analyze.Advice{
		Summary: say("find out whether %s does work of its own, which the Job has to wait for, or only helps the application and never ends by itself", list(names(cs))),
		Verify:  []analyze.Text{say("once no ordinary container of the pod runs any more the Job gets the condition Complete=True")},
		Avoid:   []analyze.Text{say("ending it before it is known what it does: its work would be lost")}}
	if len(cs) > 1 {
		a.Summary = say("find out whether %s do work of their own, which the Job has to wait for, or only help the application and never end by themselves", list(names(cs)))
	}
	if len(after) > 0 {
		a.Summary = say("%s; %s holds the pod after it in either case", a.Summary, list(names(after)))
	}
	var acts []act
	for _, c := range cs {
		acts = append(acts, do(say("see what it is doing"), command("kubectl logs %s -n %s -c %s --tail=50", c.Pod.Meta.Name, c.Pod.Meta.Namespace, c.Name)))
	}
	acts = append(append(acts, ifItWorks(p, after)...), ifItHelps(p, cs, after)...)
	a.Steps = stepsOf(acts)
	return a
}

// ofPodAlone words the remedy for a pod that no Job made: nothing but the pod itself waits there.
func ofPodAlone(p *analyze.Pass, a *analyze.Advice) *analyze.Advice {
	if a == nil || p.Workload.IsJob() {
		return a
	}
	cs := culpritsOf(p)
	a.Summary = say("find out whether %s does work of its own, which is to be waited for, or only helps the application and never ends by itself", list(names(cs)))
	if len(cs) > 1 {
		a.Summary = say("find out whether %s do work of their own, which is to be waited for, or only help the application and never end by themselves", list(names(cs)))
	}
	if after := helpersBehind(p, cs); len(after) > 0 {
		a.Summary = say("%s; %s holds the pod after it in either case", a.Summary, list(names(after)))
	}
	a.Verify = []analyze.Text{say("once no ordinary container of the pod runs any more its phase is Succeeded, or Failed where one of them had another exit code than 0")}
	return a
}

// helpersBehind gives the ordinary sidecars that run beside the containers of which it is not known what they do, and
// hold the pod once those have ended.
func helpersBehind(p *analyze.Pass, cs []*facts.Container) []*facts.Container {
	h := p.Verdict.Holder
	if h == nil {
		return nil
	}
	var out []*facts.Container
	for _, c := range h.Pod.Of(facts.IsPlaced(facts.Ordinary)) {
		if holdsOpen(c) && c.Running() != nil && !slices.Contains(cs, c) {
			out = append(out, c)
		}
	}
	return out
}

func ifItWorks(p *analyze.Pass, after []*facts.Container) []act {
	if len(after) == 0 {
		return []act{do(say("if it works: wait; nothing is wrong"))}
	}
	var out []act
	for _, c := range after {
		end := endOne(p, c)
		out = append(out, do(say("if it works: wait until it has ended, and save its logs; the pod stays open all the same, so after that: %s", end.what), end.cmds...))
	}
	return out
}

// ifItHelps: the next run is spared by native placement or by an end that the application makes; this one has no other
// way out than the Job's deletion, unless the container has one of its own.
func ifItHelps(p *analyze.Pass, cs, after []*facts.Container) []act {
	can, condition := nativeHere(p)
	path, owner := specPath(p)
	var out []act
	switch {
	case can == version.No:
		out = append(out, do(say("if it only helps: have the application end it when its work is done, or have it end by itself; native sidecars are no way out here: %s", condition)))
	case condition.IsZero():
		out = append(out, do(say("if it only helps: for the next run move it to initContainers at %s of %s with restartPolicy: Always, or have the application end it when its work is done", path, owner)))
	default:
		out = append(out, do(say("if it only helps: for the next run move it to initContainers at %s of %s with restartPolicy: Always, %s; or have the application end it when its work is done", path, owner, condition)))
	}
	for _, c := range after {
		if isIstioProxy(c) {
			out = append(out, do(say("that alone is not enough for the next run: %s has to go native as well, see the findings about it", c.Name)))
			continue
		}
		out = append(out, do(say("that alone is not enough for the next run: %s runs on as well", c.Name)), do(stopOf(p.Know, c)))
	}
	for _, c := range cs {
		if c.Running() != nil {
			end := endRunning(p, c)
			out = append(out, do(say("this run, if it only helps: %s", end.what), end.cmds...))
		}
	}
	w := p.Workload
	if !w.IsJob() {
		return out
	}
	text := say("this run, if it only helps and has no way to be ended: save the logs, then delete the Job. It never becomes complete then, its pods and their logs are gone, and a new Job runs the program again, which has ended already")
	if owner == "Job "+w.Ref.Name {
		text = say("%s. The template of a Job cannot be changed, so that the new one is made from the changed manifest", text)
	}
	return append(out, deleteJob(p, text, saveCommands(w, nil), nil))
}
