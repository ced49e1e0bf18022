package rules

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestEffectByCallAndPlacement: what a call does is asked before what the kubelet makes of it. A call that ends nothing ends
// nothing beside a native sidecar either, and a signal needs a shared process namespace.
func TestEffectByCallAndPlacement(t *testing.T) {
	shared := func(p *kube.Pod) { yes := true; p.Spec.ShareProcessNamespace = &yes }
	for name, tt := range map[string]struct {
		command string
		proxy   told
		change  func(*kube.Pod)
		says    string
		never   string
	}{
		"drain, ordinary":             {"curl -X POST http://localhost:15020/drain", proxy(), nil, "the proxy runs on after that call", "starts it again"},
		"drain, native":               {"curl -X POST http://localhost:15020/drain", proxy().native(), nil, "the proxy runs on after that call", "starts it again"},
		"drain, native next":          {"curl -X POST http://localhost:15020/drain", proxy(), nil, "the proxy runs on after that call", "makes the kubelet restart it"},
		"quit with GET, ordinary":     {"curl -s http://localhost:15020/quitquitquit", proxy(), nil, "only a POST is answered", "ends at once"},
		"Envoy with GET, ordinary":    {"wget -qO- http://localhost:15000/quitquitquit", proxy(), nil, "only a POST is answered", "agent ends with"},
		"quit with GET, native":       {"curl -s http://localhost:15020/quitquitquit", proxy().native(), nil, "only a POST is answered", "starts it again"},
		"quit, started again":         {"curl -X POST http://localhost:15020/quitquitquit", proxy().restarted(1, 137), nil, "its last run had ended with exit code 137, and the kubelet started it again", "was not made"},
		"quit, native":                {"curl -X POST http://localhost:15020/quitquitquit", proxy().native(), nil, "the kubelet starts it again", "runs on"},
		"signal, ordinary, alone":     {"pkill envoy", proxy(), nil, "a signal reaches nothing there", "only if"},
		"signal, native, alone":       {"pkill envoy", proxy().native(), nil, "a signal reaches nothing there", "starts it again"},
		"signal, ordinary, shared":    {"pkill envoy", proxy(), shared, "a signal reaches it, for the containers of the pod share", "only if"},
		"signal, native, shared":      {"pkill envoy", proxy().native(), shared, "the kubelet starts it again", "reaches nothing"},
		"signal, described, not told": {"pkill envoy", proxy(), func(p *kube.Pod) { asDescribed(p) }, "only if the containers of the pod share", "reaches nothing"},
	} {
		worker := app().exits(0)
		worker.spec.Command = []string{"sh", "-c", "work; " + tt.command}
		pod := podOf("Never", "Running", worker, tt.proxy)
		if tt.change != nil {
			tt.change(pod)
		}
		k := base(t)
		c := facts.Build(&kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{pod}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
		w := c.Workloads[0]
		j := Judge(c, w)
		o := runQuitWorkaround(&analyze.Pass{Cluster: c, Know: k, Workload: w, Verdict: &j, Next: Next(c, k, w)})
		if text := o.Message.String(); o.Status != analyze.Fired || !strings.Contains(text, tt.says) || strings.Contains(text, tt.never) {
			t.Errorf("%s: %v: %s", name, o.Status, text)
		}
	}
}

// TestQuitAndIneffectiveAgree: of one setting no rule says that nothing tells the proxy to stop while another names what does.
func TestQuitAndIneffectiveAgree(t *testing.T) {
	const nothing = "nothing tells it"
	for name, tt := range map[string]struct {
		command      string
		annotations  map[string]string
		told, drains bool
	}{
		"nothing calls":       {"work", map[string]string{"proxy.istio.io/config": "proxyMetadata:\n  EXIT_ON_ZERO_ACTIVE_CONNECTIONS: \"true\"\nterminationDrainDuration: 30s"}, false, false},
		"a call":              {"work; curl -X POST http://localhost:15020/quitquitquit", map[string]string{"proxy.istio.io/config": "proxyMetadata:\n  EXIT_ON_ZERO_ACTIVE_CONNECTIONS: \"true\""}, true, true},
		"a call that is none": {"work; curl http://localhost:15020/quitquitquit", map[string]string{"proxy.istio.io/config": "terminationDrainDuration: 30s"}, false, false},
		"without endpoints":   {"work; curl -X POST http://localhost:15020/quitquitquit", map[string]string{statusPortAnnotation: "0", "proxy.istio.io/config": "terminationDrainDuration: 30s"}, false, false},
	} {
		worker := app().exits(0)
		worker.spec.Command = []string{"sh", "-c", tt.command}
		pod := podOf("Never", "Running", worker, container("istio-proxy", "docker.io/istio/proxyv2:1.25.3"))
		pod.Meta.Annotations = kube.PairsOf(tt.annotations)
		k := base(t)
		c := facts.Build(&kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{pod}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
		w := c.Workloads[0]
		j := Judge(c, w)
		p := &analyze.Pass{Cluster: c, Know: k, Workload: w, Verdict: &j, Next: Next(c, k, w)}
		quit, settings := runQuitWorkaround(p).Message.String(), runIneffectiveRemedy(p).Message.String()
		if strings.Contains(settings, nothing) == tt.told || strings.Contains(settings, statusPortAnnotation) || strings.Contains(quit, "still draining") != tt.drains {
			t.Errorf("%s:\n%s\n%s", name, quit, settings)
		}
	}
}
