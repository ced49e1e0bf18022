package collect

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// canaries makes unique strings; none of them may be in a tarball.
type canaries struct{ n int }

var canary = regexp.MustCompile(`(?i)canary[0-9]+x`)

func (c *canaries) next() string {
	c.n++
	return fmt.Sprintf("Canary%dx", c.n)
}

type (
	object = map[string]any
	array  = []any
)

// secretive is a container with a canary in every place where a container can hide a value.
func (c *canaries) secretive(name string) object {
	block := "first line\n- apiVersion: v1\n  kind: Pod\nenv:\n- name: ENABLE_NATIVE_SIDECARS\n  value: " + c.next() + "\n"
	return object{
		"name":  name,
		"image": "registry.example.com/app:1",
		"args": array{
			"serve", "--db-password=" + c.next(), "--api-token", c.next(), "-u", "root:" + c.next(), "-p" + c.next(),
			"https://robot:" + c.next() + "@example.com/x", "https://" + c.next() + "@example.com/x",
			"set -e\nexport PGPASSWORD=" + c.next() + "\nrun --now\n# " + c.next(),
			"curl -u admin:" + c.next() + " http://localhost/",
			"echo " + c.next() + " | docker login -u me --password-stdin", "app --db-password " + c.next() + " --port 80", "--api-token " + c.next(), `{"password": "` + c.next() + `"}`, "password: " + c.next(),
			"x" + strings.Repeat("0aZ", 14) + c.next(), "a long line that kubectl folds because it has more than eighty columns and spaces secret=" + c.next(),
			"curl -X POST localhost:15020/quitquitquit -H 'Authorization: Basic " + c.next() + "'",
		},
		"command": array{"sh", "-c", "-----BEGIN RSA PRIVATE KEY-----\n" + c.next() + "\n-----END RSA PRIVATE KEY-----", "mysql -uroot -p" + c.next()},
		"env": array{
			object{"name": "ENABLE_NATIVE_SIDECARS", "value": "True"},
			object{"name": "CA_ADDR", "value": "istiod.istio-system.svc:15012"},
			object{"name": "PLAIN", "value": c.next()},
			object{"name": "QUOTED", "value": "it's: \"" + c.next() + "\""},
			object{"name": "BLOCK", "value": block},
			object{"name": "CONTROL", "value": "tab\there \x01" + c.next() + "\nnext " + c.next() + "\n"},
			object{"name": "FOLDED", "value": strings.Repeat("words of a long value ", 8) + c.next()},
			object{"name": "SPACES", "value": " leading\n  and deeper\n\n " + c.next() + "\n\n"},
			object{"name": "REFERENCE", "valueFrom": object{"secretKeyRef": object{"name": "db", "key": "password"}}},
			object{"name": "PROXY_CONFIG", "value": `{"discoveryAddress":"istiod-canary.istio-system.svc:15012","proxyMetadata":{"KEY":"` + c.next() + `"}}` + "\n"},
		},
		"livenessProbe": object{"httpGet": object{"path": "/", "port": 80, "httpHeaders": array{object{"name": "X-Token", "value": c.next()}}}},
		"lifecycle":     object{"preStop": object{"exec": object{"command": array{"sh", "-c", "export TOKEN=" + c.next() + "; echo " + c.next() + " | login --password-stdin"}}}},
	}
}

func (c *canaries) podSpec() object {
	proxy := c.secretive("istio-proxy")
	proxy["restartPolicy"] = "Always"
	return object{
		"containers": array{c.secretive("main"), object{"name": "split", "image": "x", "command": array{"serve", "--password"}, "args": array{c.next(), "kept-argument"}},
			object{"name": "whole", "image": "x", "args": array{"first-kept", "--verbose"}}},
		"initContainers":      array{proxy},
		"ephemeralContainers": array{c.secretive("debugger")},
		"volumes": array{
			object{"name": "inline", "csi": object{"driver": "x", "volumeAttributes": object{"anything": c.next()}}},
			object{"name": "flex", "flexVolume": object{"driver": "x", "options": object{"anything": c.next()}}},
			object{"name": "config", "configMap": object{"name": "app-config"}},
		},
	}
}

func (c *canaries) annotations() object {
	applied := `{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"annotations":{"a":"` + c.next() + `"},"name":"nightly","namespace":"batch"},"spec":{"jobTemplate":{"spec":{"template":{"spec":{` +
		`"containers":[{"command":["x","` + c.next() + `\\","y\"` + c.next() + `"],"env":[{"name":"A","value":"` + c.next() + `"}],"name":"main"}],` +
		`"initContainers":[{"name":"istio-proxy","restartPolicy":"Always","args":["{\"name\":\"` + c.next() + `\"}"]}]}}}},"schedule":"* * * * *"}}`
	return object{
		"kubectl.kubernetes.io/last-applied-configuration":                  applied + "\n",
		"sidecar.istio.io/nativeSidecar":                                    "true",
		"sidecar.istio.io/status":                                           `{"initContainers":["istio-init","istio-proxy"],"containers":null,"imagePullSecrets":null,"revision":"default"}`,
		"proxy.istio.io/config":                                             "holdApplicationUntilProxyStarts: true\nproxyMetadata:\n  ENABLE_NATIVE_SIDECARS: \"true\"\n  OTHER: " + c.next() + "\n",
		"proxy.istio.io/overrides":                                          `{"containers":[{"name":"istio-proxy","env":[{"name":"A","value":"` + c.next() + `"}]}]}`,
		"sidecar.istio.io/userVolume":                                       `{"v":"` + c.next() + `"}`,
		"vault.hashicorp.com/agent-inject-template-db":                      "{{ with secret \"x\" }}\n" + c.next() + "\n{{ end }}",
		"vault.hashicorp.com/agent-pre-populate-only":                       "true",
		"example.com/note":                                                  c.next(),
		"kubernetes.io/change-cause":                                        "kubectl set env job/x A=" + c.next(),
		"openshift.io/description":                                          c.next(),
		"dapr.io/env":                                                       "A=" + c.next(),
		"istio.io/some-token":                                               c.next(),
		strings.Repeat("a", 60) + ".example.com/" + strings.Repeat("b", 40): c.next(),
	}
}

// quotedCommands are messages in which the kubelet and the container runtime quote a command line.
func (c *canaries) quotedCommands() []string {
	var all []string
	for _, command := range []string{"mysql -uroot -p" + c.next() + " -e x", "/bin/sh -c echo " + c.next() + " | docker login --password-stdin", "app -p" + c.next(), "curl -u me:" + c.next() + " x"} {
		all = append(all, "Exec lifecycle hook (["+command+"]) for Container \"main\" in Pod \"a_b(c)\" failed - error: command '"+command+"' exited with 1: , message: \"\"",
			"failed to start containerd task \"main\": exec: \""+command+"\": executable file not found in $PATH")
	}
	return all
}

// marshal prints objects as kubectl does: the same library, the same emitter.
func marshal(t testing.TB, v any) string {
	t.Helper()
	b, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func list(t testing.TB, items ...any) string {
	t.Helper()
	return marshal(t, object{"apiVersion": "v1", "kind": "List", "metadata": object{"resourceVersion": ""}, "items": items})
}

func (c *canaries) meta(name, ns string) object {
	return object{"name": name, "namespace": ns, "annotations": c.annotations(), "labels": object{"app": "nightly"},
		"managedFields": array{object{"manager": c.next(), "fieldsV1": object{"f:metadata": object{"k:{\"x\":\"" + c.next() + "\"}": object{".": object{}}}}}}}
}

// secretCluster hides a canary in every place that the collector reads.
func secretCluster(t testing.TB, c *canaries) cluster {
	t.Helper()
	pod := object{"apiVersion": "v1", "kind": "Pod", "metadata": c.meta("nightly-1", "batch"), "spec": c.podSpec(),
		"status": object{"phase": "Running", "containerStatuses": array{object{"name": "main",
			"lastState": object{"terminated": object{"exitCode": 1, "message": c.next()}},
			"state":     object{"terminated": object{"exitCode": 0, "reason": "Completed", "message": "last words\n" + c.next() + "\n"}}}}}}
	job := object{"apiVersion": "batch/v1", "kind": "Job", "metadata": c.meta("nightly", "batch"),
		"spec": object{"template": object{"metadata": object{"annotations": c.annotations()}, "spec": c.podSpec()}}}
	cron := object{"apiVersion": "batch/v1", "kind": "CronJob", "metadata": c.meta("nightly", "batch"),
		"spec": object{"jobTemplate": object{"spec": object{"template": object{"metadata": object{"annotations": c.annotations()}, "spec": c.podSpec()}}}}}
	event := object{"apiVersion": "v1", "kind": "Event", "metadata": object{"name": "e", "namespace": "batch"},
		"message": "Liveness probe failed: token=" + c.next(), "reason": "Unhealthy"}
	mount := `MountVolume.SetUp failed for volume "istio-token" : `
	quoting := array{}
	for _, m := range []string{mount + `configmap "istio-ca-root-cert" not found`, mount + "token=" + c.next()} {
		quoting = append(quoting, object{"apiVersion": "v1", "kind": "Event", "metadata": object{"name": "m", "namespace": "batch"}, "message": m, "reason": "FailedMount"})
	}
	for _, m := range c.quotedCommands() {
		quoting = append(quoting, object{"apiVersion": "v1", "kind": "Event", "metadata": object{"name": "q", "namespace": "batch"}, "message": m, "reason": "FailedPostStartHook"})
	}
	node := object{"apiVersion": "v1", "kind": "Node", "metadata": object{"name": "n1", "annotations": object{"example.com/join": c.next()}}}
	namespace := object{"apiVersion": "v1", "kind": "Namespace", "metadata": object{"name": "batch", "annotations": c.annotations(), "labels": object{"istio-injection": "enabled"}}}
	hook := object{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
		"metadata": object{"name": "istio-sidecar-injector", "labels": object{"istio.io/rev": "default"}},
		"webhooks": array{object{"name": "x", "clientConfig": object{"caBundle": c.next(), "url": "https://me:" + c.next() + "@example.com/inject"}}}}
	istiod := object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": object{"name": "istiod", "namespace": "istio-system"},
		"spec": object{"template": object{"spec": c.podSpec()}}}
	values := `{
  "compatibilityVersion": "1.24",
  "global": { "proxy": { "env": { "PASSWORD": "` + c.next() + `" } }, "imagePullSecrets": ["` + c.next() + `"] },
  "pilot": { "env": { "ENABLE_NATIVE_SIDECARS": "false", "OTHER": "` + c.next() + `" }, "enabled": true },
  "sidecarInjectorWebhook": { "defaultTemplates": ["sidecar"], "templates": { "sidecar": "spec: ` + c.next() + `" } }
}`
	config := `# comment ` + c.next() + `
defaultTemplates: [sidecar]
policy: enabled
alwaysInjectSelector:
  []
injectedAnnotations:
  a: ` + c.next() + `
templates:
  sidecar: |
    {{- $nativeSidecar := (eq (env "ENABLE_NATIVE_SIDECARS" "false") "true") }}
    spec:
      containers:
      - name: istio-proxy
        env:
        - name: A
          value: ` + c.next() + `
        - name: B
          value: |
            ` + c.next() + `
        restartPolicy: Always
`
	configMap := func(name, ns string, data object) string {
		data["unexpected"] = c.next()
		return marshal(t, object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{"name": name, "namespace": ns},
			"data": data, "binaryData": object{"x": c.next()}})
	}
	describe := "Name:             nightly-1\nAnnotations:      example.com/x: " + c.next() + "\n                  b:\n                    " + c.next() + "\n" +
		"Status:           Running\nMessage:          " + c.next() + "\nReason: " + c.next() + "\nStatus: " + c.next() + "\nIP:  192.0.2.1\nContainers:\n  main:\n    Image:         x\n    Command:\n      sh\n      \n      " + c.next() + "\n    Args:\n      " + c.next() + "\n" +
		"    State:          Terminated\n      Reason:       Completed\n      Message:      " + c.next() + "\n" + c.next() + "\nsecond " + c.next() + "\n" +
		"Reason: " + c.next() + "\nStatus: " + c.next() + "\n    Image: " + c.next() + "\nEvents:\n  Normal  " + c.next() + "\n\nName: " + c.next() + "\n" +
		"      Exit Code:    0\n    Liveness:       exec [curl -u me:" + c.next() + " x] delay=0s\n    Startup:        exec [sh -c check " + c.next() + "] delay=0s\n    Environment:\n      A:  " + c.next() + "\n\n          " + c.next() + "\n" +
		"    Mounts:         <none>\nVolumes:\n  x:\n    VolumeAttributes:      a=" + c.next() + "\nQoS Class:  Burstable\n" +
		"Events:\n  Type    Reason  Age  From  Message\n  Normal  Pulled  1s   kubelet  fine\n  Warning  FailedMount  1s  kubelet  " + mount + "not found\n  Warning  Bad  1s  kubelet  password=" + c.next() + "\nand " + c.next() + "\nReason: " + c.next() + "\n    Image: " + c.next() + "\n"
	for _, m := range c.quotedCommands() {
		describe += "  Warning  FailedPostStartHook  1s  kubelet  " + m + "\n"
	}
	return healthy(t).with(
		answer{words: "get pods", out: list(t, pod)},
		answer{words: "get jobs.batch", out: list(t, job)},
		answer{words: "get cronjobs.batch", out: list(t, cron)},
		answer{words: "get events", out: list(t, append(quoting, event)...)},
		answer{words: "get nodes", out: list(t, node)},
		answer{words: "get namespaces", out: list(t, namespace)},
		answer{words: "get mutatingwebhookconfigurations", out: list(t, hook)},
		answer{words: "get deployments.apps", out: list(t, istiod), err: "W1130 warning: Bearer " + c.next() + "\n"},
		answer{words: "get configmaps istio-sidecar-injector ", out: configMap("istio-sidecar-injector", "istio-system", object{"config": config, "values": values})},
		answer{words: "get configmaps values ", out: configMap("values", "istio-system", object{"original-values": values, "merged-values": "not: json " + c.next()})},
		answer{words: "get configmaps istio ", out: configMap("istio", "istio-system", object{"mesh": "defaultConfig:\n  discoveryAddress: istiod.istio-system.svc:15012\n  proxyMetadata:\n    EXIT_ON_ZERO_ACTIVE_CONNECTIONS: \"true\"\n    X: " + c.next() + "\n"})},
		answer{words: "get configmaps kubelet-config ", out: configMap("kubelet-config", "kube-system", object{"kubelet": "apiVersion: kubelet.config.k8s.io/v1beta1\nfeatureGates:\n  SidecarContainers: false\nkind: KubeletConfiguration\nstaticPodURL: " + c.next() + "\n"})},
		answer{words: "describe pods", out: describe}, answer{words: "describe jobs.batch", out: describe}, answer{words: "describe cronjobs.batch", out: describe},
		answer{words: "describe nodes", out: "Name:  n1\nAnnotations:  a: " + c.next() + "\n              b: " + c.next() + "\nTaints:  <none>\n"},
	)
}

func TestRedactionCanaries(t *testing.T) {
	t.Parallel()
	fake, res := referenceRun(t)
	if res.exit != 0 || !res.bundle.manifest.Redaction {
		t.Fatalf("exit %d\n%s", res.exit, res.stderr)
	}
	noCanaries(t, res)
	kept(t, res.bundle)
	noCanaries(t, run{args: []string{"-n", "my-nodes"}}.on(t, fake)) // what is of pods there is not taken for what is of nodes

	open := run{args: []string{"--no-redact"}}.on(t, fake)
	if open.bundle.manifest.Redaction || !strings.Contains(open.stdout, "redaction: false") {
		t.Error("--no-redact is not said")
	}
	found := map[string]bool{}
	for _, text := range open.bundle.files {
		for _, s := range canary.FindAllString(text, -1) {
			found[s] = true
		}
	}
	if all := reference.count; len(found) < all*9/10 { // managedFields are dropped always
		t.Errorf("only %d of %d canaries reach the collector at all: the test tests nothing", len(found), all)
	}
}

func noCanaries(t testing.TB, res result) {
	t.Helper()
	for name, text := range res.bundle.files {
		for _, line := range strings.Split(text, "\n") {
			if canary.MatchString(line) {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
	if canary.MatchString(res.stdout + res.stderr) {
		t.Error("a canary was printed")
	}
}

// kept checks what the analysis lives on.
func kept(t testing.TB, b *bundle) {
	t.Helper()
	applied := `'{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"nightly","namespace":"batch"},"spec":{"jobTemplate":{"spec":{"template":{"spec":{` +
		`"containers":[{"name":"main"}],"initContainers":[{"name":"istio-proxy","restartPolicy":"Always"}]}}}}}}'`
	status := `{"initContainers":["istio-init","istio-proxy"],"containers":null,"imagePullSecrets":null,"revision":"default"}`
	for file, wants := range map[string][]string{
		"namespaces/batch/core/pods.yaml": {"last-applied-configuration: " + applied, "nativeSidecar: \"true\"", status,
			"name: ENABLE_NATIVE_SIDECARS\n        value: \"True\"", "value: istiod.istio-system.svc:15012", "name: PLAIN\n        value: REDACTED",
			`value: '{"discoveryAddress":"istiod-canary.istio-system.svc:15012"}'`, "- 'REDACTED (mentions :15020/quitquitquit)'", "key: password", "- serve\n", "- kept-argument\n", "- first-kept\n", "- REDACTED (stops no proxy)\n      - kept-argument",
			`proxy.istio.io/config: '{"holdApplicationUntilProxyStarts":true,"proxyMetadata":{"ENABLE_NATIVE_SIDECARS":"true"}}'`,
			`agent-pre-populate-only: "true"`, `proxy.istio.io/overrides: '{"containers":[{"name":"istio-proxy"}]}'`, "message: REDACTED"},
		"namespaces/batch/batch/cronjobs.yaml":          {applied, "restartPolicy: Always"},
		"namespaces/istio-system/apps/deployments.yaml": {"value: \"True\""},
		"namespaces/istio-system/core/configmaps.yaml": {`"compatibilityVersion":"1.24"`, `"ENABLE_NATIVE_SIDECARS":"false","OTHER":"REDACTED"`, `"defaultTemplates":["sidecar"]`,
			"policy: enabled", "$nativeSidecar := (eq (env \"ENABLE_NATIVE_SIDECARS\"", "- name: istio-proxy", "merged-values: REDACTED",
			`mesh: '{"defaultConfig":{"discoveryAddress":"istiod.istio-system.svc:15012","proxyMetadata":{"EXIT_ON_ZERO_ACTIVE_CONNECTIONS":"true"}}}'`},
		"namespaces/kube-system/core/configmaps.yaml": {"SidecarContainers: false"},
		"namespaces/batch/batch.yaml":                 {"istio-injection: enabled"},
		"describe/pods.txt": {"Name:             nightly-1", "    Environment:  REDACTED", "    Args:  REDACTED", "      Message:  REDACTED", "      Exit Code:    0", "Message:  REDACTED\nIP:", "      Reason:       Completed",
			"    Startup:        exec [REDACTED] delay=0s",
			"  Normal  Pulled  1s   kubelet  fine", `  Warning  FailedMount  1s  kubelet  MountVolume.SetUp failed for volume "istio-token" : not found`},
		"namespaces/batch/core/events.yaml": {`failed for volume "istio-token" : configmap "istio-ca-root-cert"`},
	} {
		for _, want := range wants {
			if !strings.Contains(b.files[file], want) {
				t.Errorf("%s lacks %q\n%s", file, want, b.files[file])
			}
		}
	}
	for name, text := range b.files {
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		if strings.Contains(text, "managedFields") {
			t.Errorf("%s has managedFields", name)
		}
		if err := yaml.Unmarshal([]byte(text), new(any)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	config := "defaultTemplates: [sidecar]\npolicy: enabled\nalwaysInjectSelector:\n  []\ntemplates:\n  sidecar: |\n" +
		"    {{- $nativeSidecar := (eq (env \"ENABLE_NATIVE_SIDECARS\" \"false\") \"true\") }}\n    spec:\n      containers:\n" +
		"      - name: istio-proxy\n        - name: A\n        - name: B\n        restartPolicy: Always\n"
	if got := configData(t, b, "istio-system", "istio-sidecar-injector", "config"); got != config {
		t.Errorf("config of the injector:\n%s", got)
	}
	if got := configData(t, b, "kube-system", "kubelet-config", "kubelet"); got != "apiVersion: kubelet.config.k8s.io/v1beta1\nfeatureGates:\n  SidecarContainers: false\nkind: KubeletConfiguration\n" {
		t.Errorf("kubelet's configuration:\n%s", got)
	}
}

// configData reads a key of a ConfigMap from the bundle.
func configData(t testing.TB, b *bundle, ns, name, key string) string {
	t.Helper()
	var list struct {
		Items []struct {
			Metadata struct{ Name string }
			Data     map[string]string
		}
	}
	if err := yaml.Unmarshal([]byte(b.files["namespaces/"+ns+"/core/configmaps.yaml"]), &list); err != nil {
		t.Fatal(err)
	}
	for _, m := range list.Items {
		if m.Metadata.Name == name {
			return m.Data[key]
		}
	}
	return ""
}

// An object that the filter cannot follow is left out and counted, never passed on half understood.
func TestFailsClosed(t *testing.T) {
	t.Parallel()
	hostile := []string{
		"  spec: &x\n    containers: CANARY1X",                        // an anchor
		"  spec: {containers: [{env: [{name: A, value: CANARY1X}]}]}", // braces
		"  ? " + strings.Repeat("k", 130) + "\n  : CANARY1X",          // how YAML writes a long key
		"  # CANARY1X",                               // a comment
		"  spec:\n  -\n    name: CANARY1X",           // a dash on its own
		"  CANARY1X",                                 // neither key nor item
		"  metadata:\n    namespace: ../../CANARY1X", // a name that would leave the folder
		"\tspec: CANARY1X",                           // a tab
		"  spec:\n    env:\n    - name: CA_ADDR\n      value: !!str\n        CANARY1X", // a tag
		// The emitter of kubectl writes no line feed after such a break: the next variable would pass as this one's text.
		"  spec:\n    env:\n    - name: ENABLE_NATIVE_SIDECARS\n      value: |-\n        x\u2028    - name: B\n      value: CANARY1X",
		"  spec:\n    env:\n    - name: ENABLE_NATIVE_SIDECARS\n      value: |-\n        x\u0085    - name: B\n      value: CANARY1X",
	}
	item := func(name, more string) string {
		return "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: " + name + "\n    namespace: batch\n" + more
	}
	var out strings.Builder
	out.WriteString("apiVersion: v1\nitems:\n")
	for _, h := range hostile {
		out.WriteString(item("good", "") + item("bad", h+"\n"))
	}
	out.WriteString(item("good", "") + "kind: List\nmetadata:\n  resourceVersion: \"\"\n")
	res := run{args: []string{"-n", "batch"}}.on(t, healthy(t).with(answer{words: "get pods -n batch", out: out.String()}))
	noCanaries(t, res)
	s := res.bundle.step(t, "pods.batch")
	if want := fmt.Sprintf("%d objects left out, the first: unknown form in line 13", len(hostile)); s.Items != len(hostile)+1 || s.Note != want || res.exit != 3 {
		t.Errorf("exit %d, step %+v; want %d good objects and %q", res.exit, s, len(hostile)+1, want)
	}
	text := res.bundle.files["namespaces/batch/core/pods.yaml"]
	if strings.Count(text, "name: good") != len(hostile)+1 || strings.Contains(text, "name: bad") {
		t.Errorf("pods.yaml:\n%s", text)
	}
}

// What stands where the list should end: the whole list is left out.
func TestBrokenList(t *testing.T) {
	t.Parallel()
	out := strings.Replace(healthy(t).pods(), "kind: List\n", "spec: Canary1x\nkind: List\n", 1)
	res := run{args: []string{"-n", "batch"}}.on(t, healthy(t).with(answer{words: "get pods -n batch", out: out}))
	noCanaries(t, res)
	if s := res.bundle.step(t, "pods.batch"); len(s.Files) != 0 || s.ErrorClass != "other" || !strings.HasPrefix(s.Note, "left out: ") {
		t.Errorf("step %+v", s)
	}
}
