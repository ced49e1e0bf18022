package knowledge

import (
	"fmt"
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Change is one single change and what it would lead to.
type Change struct {
	ID       string // annotation-true | env-true | env-removed | nodes-upgraded | template-shipped | istiod-upgraded
	What     string // for people
	Enough   bool   // the next pod gets a native proxy that works on at least some node
	Safe     bool   // and on every node where it may land
	Why      string // why it is not enough, or not safe; "" if both
	Decision Decision
}

// Changes tries every single change that could make the next pod's proxy native and says of each whether it is enough
// and whether it is safe here, in order of reach: the pod, the nodes, the mesh. Nil if the proxy is native already.
func (b *Base) Changes(in Inputs) []Change {
	now := b.Decide(in)
	if in.NotInjected != "" || now.Placement == Native && len(now.Risky) == 0 {
		return nil
	}
	var list []Change
	try := func(id, what string, next Inputs) { list = append(list, b.try(id, what, next)) }

	next := in
	next.Annotation, next.JobTemplateAnnotation = Given("true", "what if"), Given("true", "what if")
	try("annotation-true", b.AnnotationKey()+": \"true\" on the pod template", next)

	if nodes, v, any := b.upgraded(in, now); any {
		next = in
		next.Kubelets = nodes
		try("nodes-upgraded", "the nodes in the way at kubelet "+v+" or later", next)
	}
	next = in
	next.Env = Given("true", "what if")
	try("env-true", b.EnvName()+"=true on istiod", next)
	if in.Env.Known && in.Env.Set && !in.Offline {
		next = in
		next.Env = Unset("what if")
		try("env-removed", b.EnvName()+" removed from istiod", next)
	}
	if in.TemplateEra != "" {
		next = in
		next.TemplateEra, next.TemplateWhere = "", ""
		try("template-shipped", "the sidecar template that this istiod ships", next)
	}
	if newest := b.istio.checked; b.istio.judgeable(in.Istio) && newest.AtLeast(in.Istio) == version.Yes && newest.Minor > in.Istio.Minor {
		next = in
		next.Istio, next.IstioWhere, next.TemplateEra, next.TemplateWhere = newest, "what if", "", ""
		try("istiod-upgraded", "istiod and its template at "+newest.MinorString(), next)
	}
	return list
}

func (b *Base) try(id, what string, in Inputs) Change {
	c := Change{ID: id, What: what, Decision: b.Decide(in)}
	d := c.Decision
	c.Enough = d.Placement == Native
	c.Safe = c.Enough && len(d.Risky) == 0
	switch {
	case c.Safe:
	case c.Enough:
		c.Why = "pods that land on these nodes hang or are rejected: " + nodeList(d.Risky)
	case d.Placement == Broken:
		c.Why = b.brokenSummary(d.Broken)
	case d.Placement == Unknown:
		c.Why = fmt.Sprintf("can not be told without %s", d.Undecided[0])
	default:
		c.Why = "the proxy stays ordinary: " + d.Reason
		if len(d.Blockers) > 0 {
			c.Why += " (" + nodeList(d.Blockers) + ")"
		}
	}
	return c
}

func (b *Base) brokenSummary(id string) string {
	for _, n := range b.t.kubernetes.Unable {
		if n.ID == id {
			return n.Summary
		}
	}
	return "the injector can not render its template and no pod is created"
}

// upgraded gives the nodes with those in the way of automatic mode, or unable to run the pod, at the lowest kubelet that
// serves both. A virtual node can not be upgraded so; it is left as it is.
func (b *Base) upgraded(in Inputs, now Decision) (list []Kubelet, v string, any bool) {
	minor := 0
	for _, e := range b.eras {
		minor = max(minor, e.rule.AutoKubeletMinor)
	}
	v = fmt.Sprintf("%d.%d", b.kubernetes.checked.Major, minor)
	list = slices.Clone(in.Kubelets)
	for i, k := range list {
		inTheWay := func(o Kubelet) bool { return o.Node == k.Node && o.Raw == k.Raw }
		if !slices.ContainsFunc(now.Blockers, inTheWay) && !slices.ContainsFunc(now.Risky, inTheWay) || version.Parse(k.Raw).IsVirtualKubelet() {
			continue
		}
		list[i].Raw, any = "v"+v+".0", true
	}
	return list, v, any
}
