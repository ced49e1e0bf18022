package rules

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// unsafeHere lists what makes native sidecars unsafe in this very cluster: nodes that cannot run them, published bugs
// whose range holds the kubelets here, and webhooks that were reported to remove the field.
func unsafeHere(p *analyze.Pass, c Change) []analyze.Text {
	var out []analyze.Text
	if len(c.Risky) > 0 {
		out = append(out, say("keep the pods off the nodes that cannot run native sidecars: %s", list(blockerNames(c.Risky))))
	}
	bugs := facts.Once(p.Cluster, "kubelet-bugs", func(c *facts.Cluster) []analyze.Text {
		return bugsOf(p.Know, facts.Once(c, "cluster-inputs", clusterInputs).Kubelets)
	})
	if len(bugs) > 0 {
		out = append(out, say("know the published bugs with native sidecars in whose range kubelets of this cluster lie: %s", list(bugs)))
	}
	return append(out, facts.Once(p.Cluster, "strippers-to-check", func(c *facts.Cluster) []analyze.Text { return strippersToCheck(c, p.Know) })...)
}

func strippersToCheck(c *facts.Cluster, k *knowledge.Base) []analyze.Text {
	var out []analyze.Text
	for _, w := range c.Webhooks {
		if _, asked := changesPods(w); !asked {
			continue
		}
		if s, ok := k.StrippingWebhook(webhookNames(w)...); ok {
			out = append(out, say("check the build of webhook %s (%s): old ones remove restartPolicy from init containers, and the pod is then refused", w.Meta.Name, s.Product))
		}
	}
	return out
}

// bugsOf names published bugs of the kubelet with native sidecars whose range holds a kubelet of the list, a few only.
func bugsOf(k *knowledge.Base, kubelets []knowledge.Kubelet) []analyze.Text {
	const most = 2
	var out []analyze.Text
	for _, i := range k.Issues() {
		if i.Component != "kubelet" || i.Affects.String() == anyVersion || !aboutSidecars(i) || len(out) == most {
			continue
		}
		hit := slices.ContainsFunc(kubelets, func(n knowledge.Kubelet) bool {
			v := version.Parse(n.Raw)
			return v.Known() && !v.IsVirtualKubelet() && i.Affects.Check(v) == version.Yes
		})
		if hit {
			cure := say("not fixed yet")
			if len(i.FixedIn) > 0 {
				cure = say("fixed in %s", list(i.FixedIn))
			}
			out = append(out, say("%s (%s; %s)", i.Ref, i.Title, cure))
		}
	}
	return out
}

// aboutSidecars says that a bug needs a native sidecar in the pod.
func aboutSidecars(i knowledge.Issue) bool {
	return slices.ContainsFunc(i.Predicates, func(name string) bool { return strings.Contains(name, "sidecar") })
}
