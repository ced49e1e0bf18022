package knowledge

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// settle says what becomes of the emitted pod in this cluster: an API server without the feature drops restartPolicy
// and refuses what is left, a kubelet without it hangs or rejects the pod.
func (d *decider) settle() {
	switch d.out.Emitted {
	case Refused:
		d.out.Placement, d.out.Broken = Broken, InjectorFails
		return
	case Native:
	default:
		d.out.Placement = d.out.Emitted
		return
	}
	switch d.apiServerKeeps() {
	case version.No:
		d.out.Placement, d.out.Broken = Broken, RefusedByAPIServer
	case version.Maybe:
		d.out.Placement = Unknown
		d.out.Undecided = append(d.out.Undecided, say("the API server's version, and its gate SidecarContainers below the release that has it on by default"))
	default:
		d.nodesRun()
	}
}

func apiQuestion() sentence.Text {
	return say("Does the API server keep restartPolicy on init containers?")
}

// apiServerKeeps answers from the server's version and an explicit gate; without a version from the kubelets, which may
// not be newer than their API server.
func (d *decider) apiServerKeeps() version.Answer {
	v, where := d.in.APIServer, d.in.APIServerWhere
	g, ok, basis := d.b.SidecarGate(v)
	if !ok {
		return d.apiServerUnseen()
	}
	d.assume(basis.Assumes...)
	explicit := d.in.Gate.Known && d.in.Gate.Set
	setting := ""
	if explicit {
		setting = d.in.Gate.Value
	}
	switch {
	case g.Stage == "none":
		d.step(apiQuestion(), say("no, it does not know the field: the pod is refused"), v.Raw, where, append(d.b.stepSource(RefusedByAPIServer), basis.Sources...)...)
		return version.No
	case g.Locked:
		d.step(apiQuestion(), say("yes, always"), v.Raw, where, basis.Sources...)
		return version.Yes
	case g.gateOn(setting):
		if explicit {
			answer, value := d.gateIsOn()
			d.step(apiQuestion(), answer, value, d.in.Gate.Where, basis.Sources...)
			return version.Yes
		}
		d.assumeDefaultGate("on")
		d.step(apiQuestion(), say("yes, by default"), v.Raw, where, basis.Sources...)
		return version.Yes
	default:
		value, at := v.Raw, where
		if explicit {
			value, at = "SidecarContainers="+setting, d.in.Gate.Where
		} else {
			d.assumeDefaultGate("off")
		}
		d.step(apiQuestion(), say("no, the gate is off: the field is dropped and the pod is refused"), value, at, append(d.b.stepSource(RefusedByAPIServer), basis.Sources...)...)
		return version.No
	}
}

// gateIsOn tells a setting that was read from one that a stored pod lets infer.
func (d *decider) gateIsOn() (answer sentence.Text, value string) {
	if d.in.GateKept {
		return say("yes, it stored a pod that has it, so the gate is on"), "restartPolicy: Always"
	}
	return say("yes, the gate is on"), "SidecarContainers=true"
}

func (d *decider) assumeDefaultGate(state string) {
	if !d.in.Gate.Known {
		d.assume(say("the API server's gate SidecarContainers, which was not seen, is at its default for this release (%s)", state))
	}
}

// apiServerUnseen answers without the server's version.
func (d *decider) apiServerUnseen() version.Answer {
	if d.in.Gate.Known && d.in.Gate.Set {
		switch d.in.Gate.Value {
		case "true":
			answer, value := d.gateIsOn()
			d.step(apiQuestion(), answer, value, d.in.Gate.Where)
			return version.Yes
		case "false":
			d.step(apiQuestion(), say("no, the gate is off: the field is dropped and the pod is refused"), "SidecarContainers=false", d.in.Gate.Where, d.b.stepSource(RefusedByAPIServer)...)
			return version.No
		}
	}
	var newest Kubelet
	var best version.Version
	seen := map[string]bool{} // the nodes of a cluster are many, their versions few
	for _, k := range d.in.Kubelets {
		if k.Unread || seen[k.Raw] {
			if !k.Unread && k.Raw == newest.Raw {
				newest = k
			}
			continue
		}
		seen[k.Raw] = true
		v := version.Parse(k.Raw)
		if v.IsVirtualKubelet() || !d.b.kubernetes.judgeable(v) {
			continue
		}
		if !best.Known() || v.AtLeast(best) == version.Yes {
			newest, best = k, v
		}
	}
	if g, ok, basis := d.b.SidecarGate(best); ok && g.Default {
		d.assume(say("the API server, whose version is not known, is not older than the newest kubelet and has SidecarContainers at its default"))
		d.step(apiQuestion(), say("yes, if it is not older than its kubelets"), nodeList([]Kubelet{newest}), kubeletsWhere(), basis.Sources...)
		return version.Yes
	}
	d.step(apiQuestion(), say("not known"), d.in.APIServer.Raw, d.in.APIServerWhere)
	return version.Maybe
}

func nodesQuestion() sentence.Text {
	return say("Can the nodes where the pod may land run a native sidecar?")
}

// nodesRun looks at the kubelets where the pod may land.
func (d *decider) nodesRun() {
	list, complete := d.in.Landing()
	if d.in.Selector != "" && len(list) < len(d.in.Kubelets) {
		d.step(say("Which nodes does the pod template leave?"), leftOf(list), d.in.Selector, d.in.SelectorWhere)
	}
	if len(list) == 0 {
		d.nodesUnseen(complete)
		return
	}
	f := d.fleet(list)
	if f.skew {
		d.assume(skewAssumption())
	}
	able, outcomes := f.able, f.outcomes
	d.out.Risky = f.risky
	where := kubeletsWhere()
	switch {
	case len(d.out.Risky) == 0 && able > 0:
		d.out.Placement = Native
		d.step(nodesQuestion(), say("yes"), nodeList(list), where)
	case len(d.out.Risky) == len(list) && complete:
		d.out.Placement, d.out.Broken = Broken, worst(outcomes)
		d.step(nodesQuestion(), say("no, none of them"), nodeList(list), where, d.b.stepSource(d.out.Broken)...)
	case able > 0:
		d.out.Placement = Native
		d.step(nodesQuestion(), say("only some: on %d of %d the pod would hang or be rejected", len(d.out.Risky), len(list)), nodeList(d.out.Risky), where, d.b.stepSource(worst(outcomes))...)
	case d.ran():
	default:
		d.out.Placement = Unknown
		d.out.Undecided = append(d.out.Undecided, say("the kubelet versions of the nodes where the pod may land (kubectl get nodes -o yaml)"))
		d.step(nodesQuestion(), say("not known"), nodeList(list), where)
	}
}

func leftOf(list []Kubelet) sentence.Text {
	if len(list) == 0 {
		return say("none of those in the bundle")
	}
	return say("these: %s", nodeList(list))
}

// fleet is what a list of nodes can do together.
type fleet struct {
	able     int
	risky    []Kubelet
	outcomes map[string]int // what becomes of pods on risky nodes
	skew     bool           // some nodes count as able because the API server supports no older ones
}

func (d *decider) fleet(list []Kubelet) fleet {
	type key struct {
		list            listID
		gate, apiServer string
	}
	return recall(d.in.Memory, key{idOf(list), d.in.KubeletGate, d.in.APIServer.Raw}, func() fleet { return d.look(list) })
}

func (d *decider) look(list []Kubelet) fleet {
	f := fleet{outcomes: map[string]int{}}
	known := map[nodeKind]ability{}
	for _, k := range list {
		kind := nodeKind{k.Raw, k.Unread, k.Gate}
		a, ok := known[kind]
		if !ok {
			var skew bool
			a, skew = d.judgeNode(k)
			f.skew = f.skew || skew
			known[kind] = a
		}
		switch a.answer {
		case version.Yes:
			f.able++
		case version.No:
			f.risky = append(f.risky, k)
			f.outcomes[a.outcome]++
		}
	}
	return f
}

// nodeKind is what tells nodes apart for judgeNode: of the thousands that a cluster may have, few kinds.
type nodeKind struct {
	raw    string
	unread bool
	gate   string
}

// judgeNode judges one node. A kubelet whose version cannot be read is still of a release that the API server supports,
// which from some release on is enough (skew); a virtual node stays open.
func (d *decider) judgeNode(k Kubelet) (a ability, skew bool) {
	a = d.b.canRun(k, d.in.KubeletGate)
	if a.answer != version.Maybe || version.Parse(k.Raw).IsVirtualKubelet() {
		return a, false
	}
	if _, ok := d.supportedKubeletsRun(); ok {
		return ability{answer: version.Yes}, true
	}
	return a, false
}

func skewAssumption() sentence.Text {
	return say("no kubelet is older than the API server's release allows, and none has SidecarContainers switched off")
}

// supportedKubeletsRun reports whether every kubelet that the API server's release supports runs native sidecars by default.
func (d *decider) supportedKubeletsRun() (Basis, bool) {
	oldest, ok := d.b.OldestKubelet(d.in.APIServer)
	if !ok {
		return Basis{}, false
	}
	g, known, basis := d.b.SidecarGate(oldest)
	return basis, known && g.Default
}

// Landing lists the nodes where the pod may land, and whether the list is complete: those that its template's selector leaves.
// Taints are not read. Where the selector leaves none of the nodes at hand, the one that the pod waits for is not known.
func (in Inputs) Landing() ([]Kubelet, bool) {
	if in.NodeName != "" {
		if one := named(in.Kubelets, in.NodeName); one != nil {
			return one, true
		}
	}
	if in.Selector == "" {
		return in.Kubelets, in.NodesKnown
	}
	type key struct {
		list     listID
		selector string
	}
	left := recall(in.Memory, key{idOf(in.Kubelets), in.Selector}, func() []Kubelet {
		return slices.DeleteFunc(slices.Clone(in.Kubelets), func(k Kubelet) bool { return !in.Lands[k.Node] })
	})
	return left, in.NodesKnown && len(left) > 0
}

// nodesUnseen answers without a node: from the oldest kubelet that the API server's release supports.
func (d *decider) nodesUnseen(complete bool) {
	if complete {
		d.out.Placement = Native
		d.step(nodesQuestion(), say("there is no node where it may land"), "", "")
		return
	}
	if basis, ok := d.supportedKubeletsRun(); ok {
		d.out.Placement = Native
		d.assume(skewAssumption())
		d.step(nodesQuestion(), say("yes, if they are of a release that this API server supports"), d.in.APIServer.Raw, d.in.APIServerWhere, basis.Sources...)
		return
	}
	if d.ran() {
		return
	}
	d.out.Placement = Unknown
	d.out.Undecided = append(d.out.Undecided, say("the kubelet versions of the nodes (kubectl get nodes -o yaml)"))
	d.step(nodesQuestion(), say("not known, no node is in the bundle"), "", "")
}

// ran answers from a pod that ran its native sidecar to the end.
func (d *decider) ran() bool {
	if d.in.Ran.Pod == "" {
		return false
	}
	d.out.Placement = Native
	d.step(nodesQuestion(), say("yes, pod %s ran to its end with one", d.in.Ran.Pod), "", d.in.Ran.Where)
	return true
}

// worst picks the outcome of most nodes; a rejected pod is seen sooner than a hanging one and wins a tie.
func worst(outcomes map[string]int) string {
	if outcomes[StuckInInit] > outcomes[RejectedByKubelet] {
		return StuckInInit
	}
	return RejectedByKubelet
}

// BrokenSummary says in words what Decision.Broken means; "" for an unknown id.
func (b *Base) BrokenSummary(id string) string {
	if id == InjectorFails {
		return sentence.Fixed("istiod cannot render a sidecar template that is newer than itself, and its webhook refuses the pod: no pod is created")
	}
	for _, n := range b.t.kubernetes.Unable {
		if n.ID == id {
			return n.Summary
		}
	}
	return ""
}

// kubeletsWhere is where the versions of the kubelets stand.
func kubeletsWhere() string { return sentence.Fixed("status.nodeInfo.kubeletVersion of the nodes") }
