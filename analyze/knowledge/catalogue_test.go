package knowledge

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

func TestSidecar(t *testing.T) {
	b := base(t)
	for _, tc := range []struct {
		name, image, id           string
		byName, byImage, conflict bool
		imageOf                   string
	}{
		{"istio-proxy", "docker.io/istio/proxyv2:1.27.1", "istio-proxy", true, true, false, ""},
		{"istio-proxy", "mirror.example.com:5000/a/b/istio/proxyv2@sha256:00", "istio-proxy", true, true, false, ""},
		{"istio-proxy", "gcr.io/gke-release/asm/proxyv2:1.20.3-asm.4-distroless", "istio-proxy", true, true, false, ""},
		{"istio-proxy", "auto", "istio-proxy", true, false, false, ""},
		{"istio-proxy", "********", "istio-proxy", true, false, false, ""},
		{"istio-proxy", "", "istio-proxy", true, false, false, ""},
		{"istio-proxy", "sha256:0123", "istio-proxy", true, false, false, ""},
		{"istio-proxy", "team/report:1", "istio-proxy", true, false, true, ""},
		{"istio-proxy", "fluent/fluent-bit:3", "istio-proxy", true, false, true, "fluent-bit"},
		{"proxy", "istio/proxyv2:1.27.1", "istio-proxy", false, true, false, ""},
		{"linkerd-proxy", "cr.l5d.io/linkerd/proxy:edge-24.11.1", "linkerd-proxy", true, true, false, ""},
		{"kuma-sidecar", "kumahq/kuma-dp:2.9.0", "kuma-sidecar", true, true, false, ""},
		{"consul-dataplane-web", "hashicorp/consul-dataplane:1.5", "consul-dataplane", true, true, false, ""},
		{"envoy", "840364872350.dkr.ecr.us-west-2.amazonaws.com/aws-appmesh-envoy:v1.29", "appmesh-envoy", true, true, false, ""},
		{"daprd", "daprio/daprd:1.8.3", "daprd", true, true, false, ""},
		{"cloud-sql-proxy", "gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.11.0", "cloud-sql-proxy", true, true, false, ""},
		{"cloudsql-proxy", "gcr.io/cloudsql-docker/gce-proxy:1.33", "cloud-sql-proxy", true, true, false, ""},
		{"vault-agent", "hashicorp/vault:1.4.0", "vault-agent", true, false, false, ""},
		{"gke-gcsfuse-sidecar", "gke-release/gcs-fuse-csi-driver-sidecar-mounter:v1.4.3-gke.2", "gcsfuse-sidecar", true, true, false, ""},
		{"fluentd", "registry.example.com/fluent/fluentd:v1.18-1", "fluentd", true, true, false, ""},
		{"otel-sidecar", "registry.example.com/otel/collector:0.126.0", "otel-collector", true, false, false, ""},
		{"otc-container", "ghcr.io/open-telemetry/opentelemetry-collector-releases/opentelemetry-collector:0.1", "otel-collector", true, true, false, ""},
		{"opa-istio", "openpolicyagent/opa:0.16.1-istio", "opa", true, true, false, ""},
		{"wait", "argoproj/argoexec:v3.5.11", "argo-executor", true, true, false, ""},
		{"airflow-xcom-sidecar", "alpine", "airflow-xcom-sidecar", true, false, false, ""},
		{"metrics-logger-and-collector", "registry.example.com/tuning/file-metrics-collector:v1beta1", "katib-collector", true, true, false, ""},
	} {
		m, ok := b.Sidecar(tc.name, tc.image)
		if !ok || m.Helper.ID != tc.id || m.ByName != tc.byName || m.ByImage != tc.byImage || m.Conflict != tc.conflict || m.ImageOf != tc.imageOf {
			t.Errorf("%s %s: %v %s name %v image %v conflict %v of %q", tc.name, tc.image, ok, m.Helper.ID, m.ByName, m.ByImage, m.Conflict, m.ImageOf)
		}
		if ok && len(m.Helper.Sources) == 0 {
			t.Errorf("%s: no source", tc.name)
		}
	}
	for _, tc := range [][2]string{
		{"main", "registry.example.com/jobs/job-app:1.0"}, {"base", "python:3.12"}, {"envoy", "envoyproxy/envoy:v1.30"}, {"envoy", "********"},
		{"nginx", "nginx:1.27"}, {"geckodriver", "selenium/geckodriver:debian"}, {"vector", "team/vector-math:1"}, {"wait", "busybox"},
		{"load-metrics-exporter", "load/locust-exporter:v0.5.0"}, {"vault", "hashicorp/vault:1.15"}, {"sidecar-x", "busybox"}, {"", ""},
	} {
		if m, ok := b.Sidecar(tc[0], tc[1]); ok {
			t.Errorf("%s %s was taken for %s", tc[0], tc[1], m.Helper.ID)
		}
	}
}

func TestKnownInit(t *testing.T) {
	b := base(t)
	for name, want := range map[string]string{
		"istio-init": "istio-init", "istio-validation": "istio-validation", "linkerd-init": "linkerd-init",
		"linkerd-network-validator": "linkerd-network-validator", "kuma-init": "kuma-init",
		"consul-connect-inject-init": "consul-connect-inject-init", "vault-agent-init": "vault-agent-init",
		"proxyinit": "proxyinit", "place-scripts": "tekton-init", "azwi-proxy-init": "azwi-proxy-init",
	} {
		if h, ok := b.KnownInit(name, ""); !ok || h.ID != want {
			t.Errorf("%s: %s %v", name, h.ID, ok)
		}
	}
	if h, ok := b.KnownInit("init", "argoproj/argoexec:v3.5.11"); !ok || h.ID != "argo-init" {
		t.Errorf("argo's init: %s %v", h.ID, ok)
	}
	for _, tc := range [][2]string{{"init", "busybox"}, {"migrate", "team/app:1"}, {"istio-proxy", "istio/proxyv2:1.27.1"}} {
		if h, ok := b.KnownInit(tc[0], tc[1]); ok {
			t.Errorf("%s was taken for %s", tc[0], h.ID)
		}
	}
}

func TestAnnotationMisspelling(t *testing.T) {
	b := base(t)
	for _, key := range []string{
		"sidecar.istio.io/native-side", "sidecar.istio.io/nativesidecar", "sidecar.istio.io/native-sidecar", "istio.io/nativeSidecar",
		"sidecar.istio.io/nativeSideCar", "sidecar.istio.io/nativeSidecars", "sidecar.istio.io/NativeSidecar", "sidecars.istio.io/nativeSidecar",
	} {
		if meant, ok := b.AnnotationMisspelling(key); !ok || meant != "sidecar.istio.io/nativeSidecar" {
			t.Errorf("%s: %q %v", key, meant, ok)
		}
	}
	for _, key := range []string{
		"sidecar.istio.io/nativeSidecar", "sidecar.istio.io/inject", "sidecar.istio.io/status", "sidecar.istio.io/rewriteAppHTTPProbers",
		"sidecar.istio.io/bootstrapOverride", "sidecar.istio.io/interceptionMode", "proxy.istio.io/config", "istio.io/rev",
		"config.linkerd.io/proxy-enable-native-sidecar", "", "nativeSidecar/",
	} {
		if meant, ok := b.AnnotationMisspelling(key); ok {
			t.Errorf("%s was taken for %s", key, meant)
		}
	}
	if p, ok := b.ForeignAnnotation("config.linkerd.io/proxy-enable-native-sidecar"); !ok || p != "Linkerd" {
		t.Errorf("foreign: %q %v", p, ok)
	}
}

func TestTemplatePlace(t *testing.T) {
	b := base(t)
	for _, tc := range [][3]string{
		{"batch", "Job", "spec.template.metadata.annotations"},
		{"batch/v1", "CronJob", "spec.jobTemplate.spec.template.metadata.annotations"},
		{"argoproj.io", "Workflow", "spec.podMetadata.annotations"},
		{"argoproj.io", "CronWorkflow", "spec.workflowSpec.podMetadata.annotations"},
		{"tekton.dev", "TaskRun", "metadata.annotations"},
		{"sparkoperator.k8s.io", "SparkApplication", "spec.driver.annotations"},
		{"jobset.x-k8s.io", "JobSet", "spec.replicatedJobs[].template.spec.template.metadata.annotations"},
		{"batch.volcano.sh", "Job", "spec.tasks[].template.metadata.annotations"},
	} {
		if p, ok := b.TemplatePlace(tc[0], tc[1]); !ok || p.Path != tc[2] || len(p.Sources) == 0 {
			t.Errorf("%s %s: %+v %v", tc[0], tc[1], p, ok)
		}
	}
	if _, ok := b.TemplatePlace("example.com", "Job"); ok {
		t.Error("a place for a kind that nobody knows")
	}
}

func TestStopCalls(t *testing.T) {
	b := base(t)
	for text, want := range map[string]string{
		"work && curl -fsI -X POST http://localhost:15020/quitquitquit": "agent-quit",
		"curl -X POST 127.0.0.1:15000/quitquitquit":                     "envoy-quit",
		"pilot-agent request POST quitquitquit":                         "agent-quit-request",
		"curl -X POST localhost:4191/shutdown":                          "linkerd-shutdown",
		"linkerd-await --shutdown -- /app":                              "linkerd-await",
		"curl -X POST http://localhost:3500/v1.0/shutdown":              "dapr-shutdown",
		"wget --post-data '' localhost:9091/quitquitquit":               "cloudsql-quit",
		"wget localhost:8200/agent/v1/quit --post-data=''":              "vault-quit",
		"pkill -f pilot-agent":                                          "kill-proxy",
		"ISTIO_QUIT_API":                                                "scuttle",
		"KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT":                        "kruise-terminator",
		"curl -X POST http://$PROXY/quitquitquit":                       "some-quit",
	} {
		list := b.StopCallsIn(text)
		if len(list) == 0 || list[0].ID != want {
			t.Errorf("%q: %+v, want %s", text, list, want)
		}
		if len(list) > 1 && want != "linkerd-await" {
			t.Errorf("%q: %d matches", text, len(list))
		}
	}
}

// TestTextThatCallsNothing: a comment, and calls that go to another host.
func TestTextThatCallsNothing(t *testing.T) {
	b := base(t)
	for text, want := range map[string]int{
		"curl -X POST https://api.example.com/jobs/shutdown":                              0,
		"sh -c # TODO maybe call /quitquitquit one day\n./run.sh":                         0,
		"./run.sh # then POST localhost:15020/quitquitquit\nexit 0":                       0,
		"./run.sh; curl -XPOST http://collector.svc:8080/quitquitquit":                    0,
		"./run.sh; curl -XPOST http://istiod.istio-system:15020/quitquitquit":             0,
		"./run.sh; curl -XPOST http://10.0.0.7:15000/quitquitquit":                        0,
		"./run.sh; curl -XPOST 10.0.0.7:15000/quitquitquit":                               0,
		"# the work\n./run.sh\ncurl -XPOST http://127.0.0.1:15020/quitquitquit":           1,
		"curl -H 'x: # y' -XPOST http://localhost:15020/quitquitquit":                     1,
		"echo $#; curl -XPOST http://localhost:15020/quitquitquit":                        1,
		"curl -XPOST http://[::1]:15020/quitquitquit":                                     1,
		"curl -XPOST http://${POD_IP}:15020/quitquitquit":                                 1,
		"curl -XPOST $(hostname -i):15020/quitquitquit":                                   1,
		"curl http://collector.svc/done; curl -XPOST http://localhost:15000/quitquitquit": 1,
		"requests.post('http://localhost:15020/quitquitquit')":                            1,
		"/bin/quitquitquit.sh": 1,
	} {
		if list := b.StopCallsIn(text); len(list) != want {
			t.Errorf("%q: %+v, want %d", text, list, want)
		}
	}
}

func TestFingerprintsAndControlPlanes(t *testing.T) {
	b := base(t)
	if r, ok := b.NarrowIstio([]string{"rev-annotation", "env-gomaxprocs", "volume-ca-crl", "ordinary-with-startup-probe"}); !ok || r != (Range{"1.27.0", "1.32.0"}) {
		t.Errorf("%+v %v", r, ok)
	}
	if r, ok := b.NarrowIstio([]string{"env-jwt-policy", "volume-ca-crl"}); ok {
		t.Errorf("contradiction gives %+v", r)
	}
	if r, ok := b.NarrowIstio(nil); ok {
		t.Errorf("nothing gives %+v", r)
	}
	for _, tc := range [][4]string{
		{"aks-istio-system", "asm-1-27", "", "aks-addon"}, {"", "asm-managed-rapid", "", "google-managed"},
		{"istio-system", "asm-1203-4", "", "google-incluster"}, {"", "", "gcr.io/x/asm/proxyv2:1.20.8-asm.33", "google-incluster"},
	} {
		if c, ok := b.ControlPlane(tc[0], tc[1], tc[2]); !ok || c.ID != tc[3] {
			t.Errorf("%v: %s %v", tc, c.ID, ok)
		}
	}
	if c, ok := b.ControlPlane("", "", "host:5000/istio/proxyv2:1.20.3-asm.4@sha256:0123"); !ok || len(c.ImageTags) == 0 {
		t.Errorf("the tag before a digest was not read: %+v", c)
	}
	if c, ok := b.ControlPlane("", "", "host:5000/1.20.3-asm.4"); ok {
		t.Errorf("an image without a tag was taken for one of %s", c.ID)
	}
	if c, ok := b.ControlPlane("istio-system", "default", "istio/pilot:1.27.1"); ok {
		t.Errorf("upstream was taken for %s", c.ID)
	}
}

func TestIssuesByVersion(t *testing.T) {
	b := base(t)
	for _, tc := range []struct {
		id, v string
		want  version.Answer
	}{
		{"B01", "1.29.2", version.Yes}, {"B01", "1.29.3", version.No}, {"B01", "1.29", version.Maybe}, {"B01", "1.30.0", version.No},
		{"B02", "v1.35.0", version.Yes}, {"B02", "v1.35.4", version.No}, {"B02", "v1.34.2", version.No},
		{"B03", "1.32.13", version.Yes}, {"B03", "1.33.6", version.No}, {"B03", "1.34.1", version.Yes},
		{"B11", "1.35.4", version.Yes}, {"B12", "1.26.2", version.Yes}, {"istio-59045", "1.29.0", version.Yes}, {"istio-59045", "1.28.5", version.No},
		{"istio-54332", "fake", version.Yes},
	} {
		i, ok := b.Issue(tc.id)
		if !ok {
			t.Errorf("no issue %s", tc.id)
			continue
		}
		if got := i.Affects.Check(version.Parse(tc.v)); got != tc.want {
			t.Errorf("%s in %s: %v, want %v", tc.id, tc.v, got, tc.want)
		}
	}
	i, _ := b.Issue("B01")
	if i.VendorCaveat(version.Parse("v1.29.1-eks-1")) == "" || i.VendorCaveat(version.Parse("1.29.1")) != "" {
		t.Error("vendor caveat")
	}
	if s, ok := b.StrippingWebhook("x", "azure-wi-webhook-mutating-webhook-configuration"); !ok || s.ID != "azure-workload-identity" {
		t.Errorf("%+v %v", s, ok)
	}
}
