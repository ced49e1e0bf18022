package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// istiodOf is an istiod as kubectl get -o yaml prints it: a Deployment, or a pod with its readiness.
func istiodOf(kind, name, tag, ready string) string {
	meta := "metadata: {name: " + name + ", namespace: istio-system, uid: " + name + ", labels: {app: istiod}"
	spec := fmt.Sprintf("containers: [{name: discovery, image: \"istio/pilot:%s\"}]", tag)
	if kind == "Deployment" {
		return fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\n%s}\nspec:\n  template:\n    spec: {%s}\nstatus: {replicas: 1}\n", meta, spec)
	}
	return fmt.Sprintf("apiVersion: v1\nkind: Pod\n%s, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: istiod-x, controller: true}]}\nspec: {%s}\nstatus:\n  phase: Running\n  conditions: [{type: Ready, status: %q}]\n", meta, spec, ready)
}

// A rollout of istiod takes a while, or never ends: what serves decides, and what comes after it is said.
func TestUnfinishedRollouts(t *testing.T) {
	const node = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus:\n  nodeInfo: {kubeletVersion: v1.33.4}\n"
	for name, c := range map[string]struct {
		istiods           []string
		placement, reason string
		step, assumed     string // words of the reasoning
	}{
		"both serve and differ": {[]string{istiodOf("Pod", "a", "1.26.3", "True"), istiodOf("Pod", "b", "1.27.3", "True")},
			knowledge.Unknown, knowledge.ReasonUnknownIstio, "by 1.26.3 its proxy would be ordinary and by 1.27.3 its proxy would be native", ""},
		"in the other order": {[]string{istiodOf("Pod", "a", "1.27.3", "True"), istiodOf("Pod", "b", "1.26.3", "True")},
			knowledge.Unknown, knowledge.ReasonUnknownIstio, "by 1.26.3 its proxy would be ordinary and by 1.27.3 its proxy would be native", ""},
		"both serve and agree": {[]string{istiodOf("Pod", "a", "1.27.3", "True"), istiodOf("Pod", "b", "1.28.1", "True")},
			knowledge.Native, knowledge.ReasonAutoNodesNew, "they agree", ""},
		"both serve and agree for other reasons": {[]string{istiodOf("Pod", "a", "1.18.7", "True"), istiodOf("Pod", "b", "1.26.3", "True")},
			knowledge.Ordinary, knowledge.ReasonSameInAllCases, "they agree", ""},
		"the new one is not ready": {[]string{istiodOf("Deployment", "istiod", "1.27.3", ""), istiodOf("Pod", "a", "1.27.3", "False"), istiodOf("Pod", "b", "1.26.3", "True")},
			knowledge.Ordinary, knowledge.ReasonDefaultOff, "", "before the rollout of istiod to 1.27.3 ends: after that its proxy would be native"},
		"none is ready": {[]string{istiodOf("Pod", "a", "1.26.3", "False")},
			knowledge.Ordinary, knowledge.ReasonDefaultOff, "", "that was not ready comes up as it is"},
		"the Deployment alone": {[]string{istiodOf("Deployment", "istiod", "1.27.3", "")}, knowledge.Native, knowledge.ReasonAutoNodesNew, "", ""},
	} {
		n := Next(clusterOf(t, map[string]string{"all.yaml": strings.Join(append(c.istiods, node), "---\n")}), base(t), nil)
		because := fmt.Sprint(n.Because)
		if n.Placement != c.placement || n.Reason != c.reason || !strings.Contains(because, c.step) || !strings.Contains(because, c.assumed) {
			t.Errorf("%s: %s (%s): %s", name, n.Placement, n.Reason, because)
		}
		if c.assumed == "" && (strings.Contains(because, "rollout of istiod to") || strings.Contains(because, "not ready")) {
			t.Errorf("%s: too much is assumed: %s", name, because)
		}
	}
}
