package rules

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestNotCountedBehind: the containers of which explain says that they count are those that READY counts; what stands
// behind an init container that is not done is none of them, though it is ready.
func TestNotCountedBehind(t *testing.T) {
	k := base(t)
	crashing := container("first", "registry.example.com/first:1").waits("CrashLoopBackOff").native()
	endedReady, silent := proxy().native().exits(0), proxy().native()
	endedReady.status.Ready, endedReady.status.Started, silent.status.Started = true, yesno(true), nil
	for _, tt := range []struct {
		initialized string
		list        []told
		ready       string
		counts      map[string]bool
	}{
		{"True", []told{crashing, proxy().native(), app()}, "1/3", map[string]bool{"first": false, "istio-proxy": false, "report": true}},
		{"True", []told{proxy().native(), crashing, app()}, "2/3", map[string]bool{"first": false, "istio-proxy": true, "report": true}},
		{"False", []told{crashing, proxy().native(), app()}, "0/3", map[string]bool{"first": false, "istio-proxy": false, "report": false}},
		{"True", []told{proxy().native(), app()}, "2/2", map[string]bool{"istio-proxy": true, "report": true}},
		{"True", []told{endedReady, app()}, "1/2", map[string]bool{"istio-proxy": false, "report": true}},
		{"True", []told{silent, app()}, "1/2", map[string]bool{"istio-proxy": false, "report": true}},
	} {
		pod := podOf("Never", "Running", tt.list...)
		pod.Status.Conditions = []kube.Condition{{Type: "Initialized", Status: tt.initialized}}
		c := facts.Build(&kube.Set{Pods: []*kube.Pod{pod}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
		e := Explain(c, k, FindPods(c, "report-x7", "")[0])
		ready := 0
		for _, x := range e.Counted {
			if x.InReady != tt.counts[x.Container.Name] {
				t.Errorf("%s: %s counts as ready: %v (%s)", tt.ready, x.Container.Name, x.InReady, x.Because)
			}
			if x.InReady {
				ready++
			}
		}
		if e.Columns.ReadyText() != tt.ready || e.Columns.Ready != ready {
			t.Errorf("READY %s, want %s; %d containers count as ready", e.Columns.ReadyText(), tt.ready, ready)
		}
	}
}

// TestStopNote: only a pod whose restartPolicy lets it finish ends with its last ordinary container.
func TestStopNote(t *testing.T) {
	k := base(t)
	for _, tt := range []struct {
		policy, kubelet string
		list            []told
		says            string
	}{
		{"Never", "v1.33.1", []told{app(), proxy()}, "nothing stops istio-proxy"},
		{"Never", "v1.33.1", []told{proxy().native(), app()}, "when the last ordinary container has ended"},
		{"Always", "v1.33.1", []told{app(), proxy()}, "it never finishes by itself, and is stopped when it is deleted"},
		{"Always", "v1.33.1", []told{proxy().native(), app()}, "after the ordinary containers, in reverse order"},
		{"Always", "v1.28.3", []told{proxy().native(), app()}, "together with the others"},
		{"Always", "", []told{proxy().native(), app()}, "depends on the kubelet's version"},
	} {
		node := &kube.Node{}
		node.Kind, node.Meta.Name, node.Status.NodeInfo.KubeletVersion = "Node", "node-a", tt.kubelet
		pod := podOf(tt.policy, "Running", tt.list...)
		c := facts.Build(&kube.Set{Pods: []*kube.Pod{pod}, Nodes: []*kube.Node{node}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
		found := FindPods(c, "report-x7", "team-app")
		if len(found) != 1 {
			t.Fatalf("%d pods", len(found))
		}
		note := Explain(c, k, found[0]).StopNote.String()
		if !strings.Contains(note, tt.says) || tt.policy == "Always" && strings.Contains(note, "must end by itself") {
			t.Errorf("%s, kubelet %q: %s", tt.policy, tt.kubelet, note)
		}
	}
}
