package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// heldText is a pod of the Job reports that an ordinary proxy holds, with its image and further metadata.
func heldText(image, metadata string) string {
	return `apiVersion: v1
kind: Pod
metadata:
  name: reports-x7
  namespace: batch
  uid: p1
  creationTimestamp: "2026-11-30T02:00:00Z"
  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: reports, uid: j1, controller: true}]
` + metadata + `
spec:
  restartPolicy: Never
  nodeName: worker-1
  containers:
  - {name: main, image: "registry.example.com/reports:1"}
  - {name: istio-proxy, image: "` + image + `"}
status:
  phase: Running
  containerStatuses:
  - {name: main, state: {terminated: {exitCode: 0, startedAt: "2026-11-30T02:00:09Z", finishedAt: "2026-11-30T02:06:00Z"}}}
  - {name: istio-proxy, ready: true, state: {running: {startedAt: "2026-11-30T02:00:08Z"}}}
`
}

const recordDefault = `  annotations: {istio.io/rev: default, sidecar.istio.io/status: '{"initContainers":["istio-init"],"containers":["istio-proxy"],"volumes":["istio-envoy"],"revision":"default"}'}`

func webhookText(name, revision, tag, namespaceLabel string) string {
	tagLine := ""
	if tag != "" {
		tagLine = ", istio.io/tag: " + tag
	}
	return `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: ` + name + `, labels: {app: sidecar-injector, istio.io/rev: "` + revision + `"` + tagLine + `}}
webhooks:
- name: rev.namespace.sidecar-injector.istio.io
  clientConfig: {service: {name: istiod, namespace: istio-system, path: /inject}}
  namespaceSelector:
    matchExpressions:
    - {key: istio.io/rev, operator: In, values: ["` + namespaceLabel + `"]}
    - {key: istio-injection, operator: DoesNotExist}
  objectSelector:
    matchExpressions: [{key: sidecar.istio.io/inject, operator: NotIn, values: ["false"]}]
`
}

// TestRoute: which istiod injects the next pod, whoever injected the one at hand.
func TestRoute(t *testing.T) {
	two := istiodText("1.21.5", "1-21-5", "") + "---\n" + istiodText("1.25.0", "1-25-0", "true")
	pod := heldText("docker.io/istio/proxyv2:1.21.5", strings.ReplaceAll(recordDefault, "default", "1-21-5"))
	tests := []struct {
		name  string
		files map[string]string
		want  string // revision
		plane bool
	}{
		{"the pod's record, for want of the namespace", map[string]string{"istiod.yaml": two, "pods.yaml": pod}, "1-21-5", true},
		{"the namespace's label", map[string]string{"istiod.yaml": two, "pods.yaml": pod, "ns.yaml": namespaceText("batch", `istio.io/rev: "1-25-0"`)}, "1-25-0", true},
		{"a tag in the label, which a webhook configuration resolves", map[string]string{"istiod.yaml": two, "pods.yaml": pod, "ns.yaml": namespaceText("batch", "istio.io/rev: prod"),
			"hooks.yaml": webhookText("istio-revision-tag-prod", "1-25-0", "prod", "prod")}, "1-25-0", true},
		{"a tag without its webhook: as for the pod at hand", map[string]string{"istiod.yaml": two, "pods.yaml": pod, "ns.yaml": namespaceText("batch", "istio.io/rev: prod")}, "1-21-5", true},
		{"a tag of a revision that was not collected", map[string]string{"istiod.yaml": two, "pods.yaml": pod, "ns.yaml": namespaceText("batch", "istio.io/rev: prod"),
			"hooks.yaml": webhookText("istio-revision-tag-prod", "1-28-0", "prod", "prod")}, "1-28-0", false},
		{"a revision that was not collected", map[string]string{"istiod.yaml": istiodText("1.25.0", "1-25-0", "true"), "pods.yaml": pod}, "1-21-5", false},
		{"the only one there is", map[string]string{"istiod.yaml": istiodText("1.25.0", "default", ""), "pods.yaml": heldText("docker.io/istio/proxyv2:1.25.0", "")}, "default", true},
		{"istio-injection beats the revision label", map[string]string{"istiod.yaml": istiodText("1.21.5", "default", "") + "---\n" + istiodText("1.25.0", "1-25-0", ""), "pods.yaml": heldText("docker.io/istio/proxyv2:1.21.5", recordDefault),
			"ns.yaml": namespaceText("batch", "istio-injection: enabled\n    istio.io/rev: \"1-25-0\"")}, "default", true},
	}
	for _, tc := range tests {
		n := next(t, tc.files)
		if n.Revision != tc.want || (n.Plane != nil) != tc.plane {
			t.Errorf("%s: revision %q, plane %v; want %q, %v", tc.name, n.Revision, n.Plane != nil, tc.want, tc.plane)
		}
	}
}

// TestNotInjected: why the next pod gets no proxy, and that a mark which a pod at hand contradicts is no reason.
func TestNotInjected(t *testing.T) {
	hostNetwork := strings.Replace(manifestText("reports", "", ""), "restartPolicy: Never", "restartPolicy: Never\n      hostNetwork: true", 1)
	enabled := namespaceText("batch", "istio-injection: enabled")
	tests := []struct {
		name, job, ns, why string
	}{
		{"label", manifestText("reports", "", `{sidecar.istio.io/inject: "false"}`), enabled, `label sidecar.istio.io/inject: "false"`},
		{"annotation", manifestText("reports", `{sidecar.istio.io/inject: "false"}`, ""), enabled, `annotation sidecar.istio.io/inject: "false"`},
		{"the label beats the annotation", manifestText("reports", `{sidecar.istio.io/inject: "false"}`, `{sidecar.istio.io/inject: "true"}`), enabled, ""},
		{"the host's network", hostNetwork, enabled, "host's network"},
		{"namespace switched off", manifestText("reports", "", ""), namespaceText("batch", "istio-injection: disabled"), "istio-injection: disabled"},
		{"ambient", manifestText("reports", "", ""), namespaceText("batch", "istio.io/dataplane-mode: ambient"), "ambient"},
		{"ambient, and injection asked for", manifestText("reports", "", ""), namespaceText("batch", "istio.io/dataplane-mode: ambient\n    istio-injection: enabled"), ""},
		{"nobody asks", manifestText("reports", "", ""), namespaceText("batch", "team: reports"), "asks for injection"},
		{"the pod asks", manifestText("reports", "", `{sidecar.istio.io/inject: "true"}`), namespaceText("batch", "team: reports"), ""},
		{"a namespace that is not in the bundle", manifestText("reports", "", ""), namespaceText("other", "team: reports"), "nothing in the bundle shows"},
	}
	for _, tc := range tests {
		n := next(t, map[string]string{"job.yaml": tc.job, "ns.yaml": tc.ns, "istiod.yaml": istiodText("1.27.3", "default", "true"), "nodes.yaml": nodesText("v1.34.0")})
		if n.Applies != (tc.why == "") || !n.Applies && !strings.Contains(n.Because[0].String(), tc.why) {
			t.Errorf("%s: applies %v, because %v; want %q", tc.name, n.Applies, n.Because, tc.why)
		}
	}
	marked := strings.Replace(heldText("docker.io/istio/proxyv2:1.27.3", recordDefault), "  uid: p1", "  uid: p1\n  labels: {sidecar.istio.io/inject: \"false\"}", 1)
	if n := next(t, map[string]string{"pods.yaml": marked, "istiod.yaml": istiodText("1.27.3", "default", "true")}); !n.Applies {
		t.Errorf("the pod has the label and a proxy all the same: %v", n.Because)
	}
}

// TestKubeletsUnread: an empty version that the node reports is an answer, one that was cut off is none.
func TestKubeletsUnread(t *testing.T) {
	files := map[string]string{"job.yaml": manifestText("reports", "", ""), "ns.yaml": namespaceText("batch", "istio-injection: enabled"), "istiod.yaml": istiodText("1.27.3", "default", "")}
	files["nodes.yaml"] = nodesText("v1.34.0", "")
	if n := next(t, files); n.Reason != knowledge.ReasonAutoUnparsableNode {
		t.Errorf("an empty version: %s", n.Reason)
	}
	files["nodes.yaml"] = nodesText("v1.34.0") + "---\napiVersion: v1\nkind: Node\nmetadata: {name: cut-off}\n"
	if n := next(t, files); n.Reason != knowledge.ReasonUnknownNodes {
		t.Errorf("no version at all: %s", n.Reason)
	}
	delete(files, "nodes.yaml")
	files["nodes.txt"] = "NAME       STATUS   ROLES    AGE   VERSION\nworker-1   Ready    <none>   90d   v1.34.0\nworker-2   Ready    <none>   90d   v1.31.4\n"
	if n := next(t, files); n.Reason != knowledge.ReasonAutoOldNode || len(n.Blockers) != 1 {
		t.Errorf("a table with an old node: %s %v", n.Reason, n.Blockers)
	}
	files["nodes.txt"] = "NAME       STATUS   ROLES    AGE   VERSION\nworker-1   Ready    <none>   90d   v1.34.0\n"
	if n := next(t, files); n.Reason != knowledge.ReasonUnknownNodes {
		t.Errorf("a table proves nothing of the nodes that are not in it: %s", n.Reason)
	}
}

// TestGateProven: a pod that was stored with the field proves the gate, unless another one lost it.
func TestGateProven(t *testing.T) {
	native := strings.Replace(heldText("docker.io/istio/proxyv2:1.25.2", "  annotations: {sidecar.istio.io/nativeSidecar: \"true\"}"),
		`  - {name: istio-proxy, image: "docker.io/istio/proxyv2:1.25.2"}`, `  initContainers:
  - {name: istio-proxy, image: "docker.io/istio/proxyv2:1.25.2", restartPolicy: Always}`, 1)
	version := "serverVersion: {gitVersion: v1.28.9, major: \"1\", minor: \"28\"}\n"
	files := map[string]string{"pods.yaml": native, "version.yaml": version, "istiod.yaml": istiodText("1.25.2", "default", ""), "nodes.yaml": nodesText("v1.29.4")}
	if n := next(t, files); n.Placement != knowledge.Native {
		t.Errorf("a stored pod with the field: %s (%s)", n.Placement, n.Broken)
	}
	files["events.yaml"] = `apiVersion: v1
kind: Event
metadata: {name: e1, namespace: batch}
involvedObject: {kind: Job, namespace: batch, name: reports}
reason: FailedCreate
message: 'Error creating: Pod "reports-y" is invalid: spec.initContainers[0].startupProbe: Forbidden: may not be set for init containers without restartPolicy=Always'
type: Warning
lastTimestamp: "2026-11-30T03:00:00Z"
`
	if n := next(t, files); n.Placement != knowledge.Broken {
		t.Errorf("and one that was refused for the lack of it: %s", n.Placement)
	}
	files["pods.yaml"] = strings.Replace(native, "  uid: p1\n", "", 1)
	delete(files, "events.yaml")
	if n := next(t, files); n.Placement != knowledge.Broken {
		t.Errorf("a manifest is no stored pod: %s", n.Placement)
	}
}

// TestImprint: with digests only, the marks of the template on the proxy tell its era where they can.
func TestImprint(t *testing.T) {
	const digest = "registry.example.com/istio/proxyv2@sha256:95afdaa1691e4f216c1412c341d2076af24d0778445e2b6f97143ccf603e86ad"
	pod := func(volumes, env string) *facts.Workload {
		text := strings.Replace(heldText(digest, strings.Replace(recordDefault, `"istio-envoy"`, volumes, 1)), `image: "`+digest+`"}`, `image: "`+digest+`", env: [`+env+`]}`, 1)
		return clusterOf(t, map[string]string{"pods.yaml": text}).Workloads[0]
	}
	for _, tc := range []struct{ name, volumes, env, era string }{
		{"the volume of the newest era", `"istio-envoy","istio-ca-crl"`, "", "D"},
		{"a variable that old templates set beside one that older ones do not", `"istio-envoy"`, "{name: GOMEMLIMIT, value: x}, {name: GOMAXPROCS, value: x}, {name: JWT_POLICY, value: third-party-jwt}", "B"},
		{"marks of several eras", `"istio-envoy"`, "{name: GOMEMLIMIT, value: x}, {name: GOMAXPROCS, value: x}", ""},
	} {
		if im, _ := imprintOf(base(t), pod(tc.volumes, tc.env)); im.era != tc.era {
			t.Errorf("%s: era %q (%s to %s), want %q", tc.name, im.era, im.since, im.until, tc.era)
		}
	}
	files := map[string]string{"istiod.yaml": strings.Replace(istiodText("x", "default", ""), "docker.io/istio/pilot:x", strings.Replace(digest, "proxyv2", "pilot", 1), 1),
		"pods.yaml": strings.Replace(heldText(digest, recordDefault), `"istio-envoy"`, `"istio-envoy","istio-ca-crl"`, 1), "nodes.yaml": nodesText("v1.31.0")}
	n := next(t, files)
	if n.Reason != knowledge.ReasonAutoOldNode || !strings.Contains(fmt.Sprint(n.Basis.Assumes), "left its marks on pod reports-x7") {
		t.Errorf("%s, assuming %q", n.Reason, n.Basis.Assumes)
	}
}

// TestAssumptionsAreTold: automatic mode says native only of a complete list of nodes, so that is written down.
func TestAssumptionsAreTold(t *testing.T) {
	n := next(t, map[string]string{"job.yaml": manifestText("reports", "", ""), "ns.yaml": namespaceText("batch", "istio-injection: enabled"),
		"istiod.yaml": istiodText("1.27.3", "default", ""), "nodes.yaml": nodesText("v1.34.0")})
	const assumed = "the bundle lists every node of the cluster"
	var said bool
	for _, b := range n.Because {
		said = said || strings.Contains(b.String(), assumed)
	}
	if n.Placement != knowledge.Native || !said || !strings.Contains(fmt.Sprint(n.Basis.Assumes), assumed) {
		t.Errorf("%s, because %v, assuming %q", n.Placement, n.Because, n.Basis.Assumes)
	}
}

// TestMadeByPresent: what istiod is set to today is no cause of what a pod of before is.
func TestMadeByPresent(t *testing.T) {
	rolled := func(at string) string {
		return istiodText("1.27.3", "default", "false") + "status:\n  conditions:\n  - {type: Progressing, status: \"True\", reason: NewReplicaSetAvailable, lastUpdateTime: \"" + at + "\"}\n"
	}
	for _, tc := range []struct {
		name, istiod, image string
		want                bool
	}{
		{"rolled out before the pod", rolled("2026-11-01T00:00:00Z"), "docker.io/istio/proxyv2:1.27.3", true},
		{"rolled out after the pod", rolled("2026-11-30T05:00:00Z"), "docker.io/istio/proxyv2:1.27.3", false},
		{"injected by another release", rolled("2026-11-01T00:00:00Z"), "docker.io/istio/proxyv2:1.25.0", false},
	} {
		c := clusterOf(t, map[string]string{"pods.yaml": heldText(tc.image, recordDefault), "istiod.yaml": tc.istiod})
		w := c.Workloads[0]
		j := Judge(c, w)
		p := &analyze.Pass{Cluster: c, Know: base(t), Workload: w, Verdict: &j, Next: Next(c, base(t), w)}
		if _, got := madeByPresent(p); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
		if severity := causeWeight(p); (severity == analyze.Error) != tc.want {
			t.Errorf("%s: severity %s", tc.name, severity)
		}
	}
}

// TestRevisionIsCitedWhereItStands: the injector's record, else the annotation of the revision.
func TestRevisionIsCitedWhereItStands(t *testing.T) {
	const record = `{"containers":["istio-proxy"],"revision":"1-26"}`
	for name, tc := range map[string]struct {
		annotations            map[string]string
		revision, field, value string
	}{
		"record":        {map[string]string{facts.StatusAnnotation: record}, "1-26", "metadata.annotations[sidecar.istio.io/status]", record},
		"both":          {map[string]string{facts.StatusAnnotation: record, facts.RevisionLabel: "1-26"}, "1-26", "metadata.annotations[sidecar.istio.io/status]", record},
		"annotation":    {map[string]string{facts.RevisionLabel: "1-25"}, "1-25", "metadata.annotations[istio.io/rev]", "1-25"},
		"older record":  {map[string]string{facts.StatusAnnotation: `{"containers":["istio-proxy"]}`, facts.RevisionLabel: "1-9"}, "1-9", "metadata.annotations[istio.io/rev]", "1-9"},
		"cut by a tool": {map[string]string{facts.StatusAnnotation: `{"containers":["ist`, facts.RevisionLabel: "1-9"}, "1-9", "metadata.annotations[istio.io/rev]", "1-9"},
	} {
		pod := podOf("Never", "Running", app(), proxy())
		pod.Meta.Annotations = kube.PairsOf(tc.annotations)
		c := facts.Build(&kube.Set{Jobs: []*kube.Job{jobOf()}, Pods: []*kube.Pod{pod}}, facts.Options{})
		p := c.Workloads[0].Pods[0]
		if ev := evInjectedBy(p); injectedBy(p) != tc.revision || ev.Field != tc.field || ev.Value != tc.value {
			t.Errorf("%s: %q, %s=%s", name, injectedBy(p), ev.Field, ev.Value)
		}
	}
}
