package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// landing reads on which nodes the scheduler may put the pods of a template: those that its nodeSelector and its required node
// affinity leave. Taints are not looked at, for a toleration may come from elsewhere. Nodes without a label stay in: a node has
// some, so theirs were left out of the bundle.
func (g *gathered) landing(c *facts.Cluster, t deciding) {
	terms := requiredTerms(t.spec)
	if len(t.spec.NodeSelector)+len(terms) == 0 || len(c.Nodes) == 0 || t.obj.Described() {
		return
	}
	text := selectorText(t.spec.NodeSelector, terms)
	if strings.Contains(text, redactionMark) {
		return
	}
	lands := facts.Once(c, "landing:"+text, func(c *facts.Cluster) map[string]bool { return landsOn(c, t.spec.NodeSelector, terms) })
	if lands == nil {
		return
	}
	path := strings.TrimSuffix(t.path, "metadata") + "spec"
	at := t.obj.Ev(path+".nodeSelector", text)
	if len(t.spec.NodeSelector) == 0 {
		at = t.obj.Ev(path+".affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms", text)
	}
	g.in.Selector, g.in.SelectorWhere, g.in.Lands = text, at.Where(), lands
}

// landsOn gives the nodes that a selector leaves; nil where it cannot be understood.
func landsOn(c *facts.Cluster, selector kube.Pairs, terms []kube.NodeTerm) map[string]bool {
	out := map[string]bool{}
	for _, n := range c.Nodes {
		fits, known := true, true
		if len(n.Meta.Labels) > 0 {
			fits, known = admits(n, selector, terms)
		}
		if !known {
			return nil
		}
		out[n.Meta.Name] = fits
	}
	return out
}

func requiredTerms(s *kube.PodSpec) []kube.NodeTerm {
	if s.Affinity == nil {
		return nil
	}
	return s.Affinity.NodeAffinity.Required.NodeSelectorTerms
}

// admits answers as the scheduler does (component-helpers scheduling/corev1/nodeaffinity): every label of the selector, and one
// of the terms. known is false for an operator that is none of the six.
func admits(n *facts.Node, selector kube.Pairs, terms []kube.NodeTerm) (fits, known bool) {
	for _, want := range selector {
		if has, ok := n.Meta.Labels.Lookup(want.Key); !ok || has != want.Value {
			return false, true
		}
	}
	if len(terms) == 0 {
		return true, true
	}
	for _, term := range terms {
		all := len(term.MatchExpressions)+len(term.MatchFields) > 0 // an empty term matches nothing
		for _, r := range term.MatchExpressions {
			has, ok := n.Meta.Labels.Lookup(r.Key)
			one, known := meets(r, has, ok)
			if !known {
				return false, false
			}
			all = all && one
		}
		for _, r := range term.MatchFields {
			one, known := meets(r, n.Meta.Name, true)
			if !known || r.Key != "metadata.name" {
				return false, false
			}
			all = all && one
		}
		if all {
			return true, true
		}
	}
	return false, true
}

// meets answers one requirement of a label, which the node may lack.
func meets(r kube.NodeRequirement, has string, ok bool) (fits, known bool) {
	within := ok && slices.Contains(r.Values, kube.Scalar(has))
	switch r.Operator {
	case "In":
		return within, true
	case "NotIn":
		return !within, true
	case "Exists":
		return ok, true
	case "DoesNotExist":
		return !ok, true
	case "Gt", "Lt":
		if len(r.Values) != 1 {
			return false, false
		}
		number, err := strconv.ParseInt(has, 10, 64)
		limit, bad := strconv.ParseInt(string(r.Values[0]), 10, 64)
		if bad != nil {
			return false, false
		}
		return ok && err == nil && (r.Operator == "Gt" && number > limit || r.Operator == "Lt" && number < limit), true
	}
	return false, false
}

// selectorText is a selector as people write it, each once.
func selectorText(selector kube.Pairs, terms []kube.NodeTerm) string {
	var out []string
	for _, p := range selector {
		out = append(out, p.Key+"="+p.Value)
	}
	for i, t := range terms {
		if i > 0 {
			out = append(out, "or")
		}
		for _, r := range append(slices.Clone(t.MatchExpressions), t.MatchFields...) {
			var values []string
			for _, v := range r.Values {
				values = append(values, string(v))
			}
			out = append(out, strings.TrimSpace(r.Key+" "+r.Operator+" "+strings.Join(values, "|")))
		}
	}
	return strings.Join(out, ", ")
}
