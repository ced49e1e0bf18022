package rules

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestSidecarByWhatIsLeft: a masked image takes nothing away that other facts of the pod prove, and an old name of a product
// is its own; a common name alone proves nothing.
func TestSidecarByWhatIsLeft(t *testing.T) {
	for _, tt := range []struct {
		name, container, image, init string
		role                         facts.Role
	}{
		{"masked image", "istio-proxy", "REDACTED", "istio-init", facts.Sidecar},
		{"masked behind a registry", "istio-proxy", "registry.example.com/mesh/REDACTED:1", "istio-validation", facts.Sidecar},
		{"masked by stars", "linkerd-proxy", "****", "linkerd-init", facts.Sidecar},
		{"masked by letters", "istio-proxy", "xxxxx", "istio-init", facts.Sidecar},
		{"borrowed name", "istio-proxy", "registry.example.com/batch/report:2", "", facts.Other},
		{"Consul before 0.24", "consul-connect-envoy-sidecar", "envoyproxy/envoy-alpine:v1.13.0", "consul-connect-inject-init", facts.Sidecar},
		{"its second one", "consul-connect-lifecycle-sidecar", "hashicorp/consul-k8s:0.18.1", "consul-connect-inject-init", facts.Sidecar},
		{"Consul before its dataplane", "envoy-sidecar", "envoyproxy/envoy-alpine:v1.16.0", "consul-connect-inject-init", facts.Sidecar},
		{"Open Service Mesh", "envoy", "envoyproxy/envoy-alpine:v1.18.3", "osm-init", facts.Sidecar},
		{"App Mesh, masked", "envoy", "REDACTED", "proxyinit", facts.Sidecar},
		{"a common name, masked", "envoy", "REDACTED", "", facts.Other},
		{"a common name", "envoy", "envoyproxy/envoy:v1.30.0", "prepare", facts.Other},
		{"debug sidecar of Linkerd", "linkerd-debug", "cr.l5d.io/linkerd/debug:stable-2.14.0", "linkerd-init", facts.Sidecar},
	} {
		pod := heldPod()
		pod.Spec.Containers = []kube.Container{{Name: "main", Image: "example/main:1"}, {Name: tt.container, Image: tt.image}}
		pod.Spec.InitContainers = nil
		if tt.init != "" {
			pod.Spec.InitContainers = []kube.Container{{Name: tt.init, Image: "REDACTED"}}
		}
		k := base(t)
		c := facts.Build(&kube.Set{Pods: []*kube.Pod{pod}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), Beside: BesideOf(k)})
		if got := c.Workloads[0].Pods[0].Container(tt.container); got.Role != tt.role {
			t.Errorf("%s: %v (%s)", tt.name, got.Role, got.RoleBecause)
		}
	}
}
