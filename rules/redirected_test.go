package rules

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// TestExempt: who runs as the proxy's user, and what a pod leaves out of the redirection, is not sent to a proxy that is not up.
func TestExempt(t *testing.T) {
	const said = "dial tcp 10.96.12.7:5432: connect: connection refused"
	user := func(n int64) kube.SecurityContext { return kube.SecurityContext{RunAsUser: &n} }
	for name, tt := range map[string]struct {
		pod, init   kube.SecurityContext
		annotations map[string]string
		args        []string
		message     string
		want        version.Answer
	}{
		"nothing set":                    {message: said, want: version.No},
		"the proxy's user":               {init: user(1337), message: said, want: version.Yes},
		"the pod's user":                 {pod: user(1337), message: said, want: version.Yes},
		"its own user comes first":       {pod: user(1337), init: user(1000), message: said, want: version.No},
		"the port is left out":           {annotations: map[string]string{excludePorts.annotation: "80, 5432"}, message: said, want: version.Yes},
		"another port is left out":       {annotations: map[string]string{excludePorts.annotation: "543"}, message: said, want: version.No},
		"a port, and none is told":       {annotations: map[string]string{excludePorts.annotation: "5432"}, message: "connection refused", want: version.Maybe},
		"the range is left out":          {annotations: map[string]string{excludeRanges.annotation: "172.16.0.0/12,10.96.0.0/16"}, message: said, want: version.Yes},
		"another range is left out":      {annotations: map[string]string{excludeRanges.annotation: "172.16.0.0/12"}, message: said, want: version.No},
		"a range, and two addresses":     {annotations: map[string]string{excludeRanges.annotation: "10.96.0.0/16"}, message: said + "; 10.1.1.1:80: refused", want: version.Maybe},
		"a range that is none":           {annotations: map[string]string{excludeRanges.annotation: "10.96"}, message: said, want: version.Maybe},
		"all is redirected":              {annotations: map[string]string{includeRanges.annotation: "*"}, message: said, want: version.No},
		"nothing is redirected":          {annotations: map[string]string{includeRanges.annotation: ""}, message: "connection refused", want: version.Yes},
		"only others are redirected":     {annotations: map[string]string{includeRanges.annotation: "172.16.0.0/12"}, message: said, want: version.Yes},
		"its range is redirected":        {annotations: map[string]string{includeRanges.annotation: "10.0.0.0/8"}, message: said, want: version.No},
		"its port is redirected":         {annotations: map[string]string{includeRanges.annotation: "172.16.0.0/12", includePorts.annotation: "5432"}, message: said, want: version.No},
		"what the mesh leaves out":       {args: []string{"istio-iptables", "-i", "*", "-x", "10.96.0.0/16"}, message: said, want: version.Yes},
		"what was handed on comes first": {args: []string{"-x", ""}, annotations: map[string]string{excludeRanges.annotation: "10.96.0.0/16"}, message: said, want: version.No},
		"an address of another family":   {annotations: map[string]string{excludeRanges.annotation: "10.96.0.0/16"}, message: "dial tcp [fd00::7]:5432: connection refused", want: version.No},
	} {
		mesh := container("istio-validation", "docker.io/istio/proxyv2:1.26.8").exits(0)
		mesh.spec.Args = tt.args
		fetch := container("fetch", "shop/fetch:2")
		fetch.spec.SecurityContext = tt.init
		pod := podOf("Never", "Pending", mesh.inInit(), fetch.inInit(), app(), proxy())
		pod.Spec.SecurityContext = tt.pod
		pod.Meta.Annotations = kube.PairsOf(tt.annotations)
		k := base(t)
		c := facts.Build(&kube.Set{Pods: []*kube.Pod{pod}}, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
		p := c.Workloads[0].Pods[0]
		if got := exempt(p, p.Container("fetch"), tt.message); got.holds != tt.want {
			t.Errorf("%s: %v (%s), want %v", name, got.holds, got.why, tt.want)
		}
	}
}
