package redact

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// canaries makes unique strings; none of them may be in a copy.
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

// quotedCommands are messages in which the kubelet and the container runtime quote a command line.
func (c *canaries) quotedCommands() []string {
	var all []string
	for _, command := range []string{"mysql -uroot -p" + c.next() + " -e x", "/bin/sh -c echo " + c.next() + " | docker login --password-stdin", "app -p" + c.next(), "curl -u me:" + c.next() + " x"} {
		all = append(all, "Exec lifecycle hook (["+command+"]) for Container \"main\" in Pod \"a_b(c)\" failed - error: command '"+command+"' exited with 1: , message: \"\"",
			"failed to start containerd task \"main\": exec: \""+command+"\": executable file not found in $PATH")
	}
	return all
}

// secretive is a container with a canary in every place where a container can hide a value.
func (c *canaries) secretive(name string) object {
	block := "first line\n- apiVersion: v1\n  kind: Pod\nenv:\n- name: ENABLE_NATIVE_SIDECARS\n  value: " + c.next() + "\n"
	return object{
		"name": name, "image": "registry.example.com/app:1", "notAField": c.next(),
		"command": array{"sh", "-c", "-----BEGIN RSA PRIVATE KEY-----\n" + c.next() + "\n-----END RSA PRIVATE KEY-----", "mysql -uroot -p" + c.next(), "--admin-password"},
		"args": array{c.next(), "serve", "--db-password=" + c.next(), "--api-token", c.next(), "-u", "root:" + c.next(), "-p" + c.next(),
			"https://robot:" + c.next() + "@example.com/x", "https://" + c.next() + "@example.com/x",
			"set -e\nexport PGPASSWORD=" + c.next() + "\nrun --now\n# " + c.next(),
			"curl -u admin:" + c.next() + " http://localhost/",
			"echo " + c.next() + " | docker login -u me --password-stdin", "app --db-password " + c.next() + " --port 80", "--api-token " + c.next(), `{"password": "` + c.next() + `"}`, "password: " + c.next(),
			"x" + strings.Repeat("0aZ", 14) + c.next(), "a line of more than eighty columns with many blanks in it that is folded somewhere secret=" + c.next(),
			"curl -X POST localhost:15020/quitquitquit -H 'Authorization: Basic " + c.next() + "'",
		},
		"env": array{
			object{"name": "ENABLE_NATIVE_SIDECARS", "value": "True"},
			object{"name": "CA_ADDR", "value": "istiod.istio-system.svc:15012"},
			object{"name": "REVISION", "value": "https://me:" + c.next() + "@example.com"},
			object{"name": "PLAIN", "value": c.next()},
			object{"name": "QUOTED", "value": "it's: \"" + c.next() + "\""},
			object{"name": "BLOCK", "value": block},
			object{"name": "CONTROL", "value": "tab\there \x01" + c.next() + "\nnext " + c.next() + "\n"},
			object{"name": "BREAKS", "value": "one\u2028" + c.next() + "\u0085" + c.next()},
			object{"name": "FOLDED", "value": strings.Repeat("words of a long value ", 8) + c.next()},
			object{"name": "SPACES", "value": " leading\n  and deeper\n\n " + c.next() + "\n\n"},
			object{"name": "OBJECT", "value": object{"a": c.next()}},
			object{"name": "REFERENCE", "valueFrom": object{"secretKeyRef": object{"name": "db", "key": "password"}}},
			object{"name": "PROXY_CONFIG", "value": `{"discoveryAddress":"istiod-x.istio-system.svc:15012","proxyMetadata":{"KEY":"` + c.next() + `"}}` + "\n"},
			object{"name": "CA_ADDR", "value": object{"nested": c.next()}},
		},
		"livenessProbe":  object{"httpGet": object{"path": "/?sig=" + c.next(), "port": 80, "httpHeaders": array{object{"name": "X-Token", "value": c.next()}}}},
		"readinessProbe": object{"exec": object{"command": array{"check", "--password", c.next()}}},
		"lifecycle": object{"preStop": object{"exec": object{"command": array{"sh", "-c", "export TOKEN=" + c.next() + "; echo " + c.next() + " | login --password-stdin"}}},
			"postStart": object{"httpGet": object{"httpHeaders": array{object{"name": "Cookie", "value": c.next()}}}}},
		"securityContext": object{"windowsOptions": object{"gmsaCredentialSpec": c.next()}},
	}
}

func (c *canaries) podSpec() object {
	proxy := c.secretive("istio-proxy")
	proxy["restartPolicy"] = "Always"
	return object{
		"containers": array{c.secretive("main")}, "initContainers": array{proxy}, "ephemeralContainers": array{c.secretive("debugger")},
		"newField": object{"anything": c.next()}, "restartPolicy": "Never",
		"volumes": array{
			object{"name": "inline", "csi": object{"driver": "x", "volumeAttributes": object{"anything": c.next()}}},
			object{"name": "flex", "flexVolume": object{"driver": "x", "options": object{"anything": c.next()}}},
			object{"name": "claim", "ephemeral": object{"volumeClaimTemplate": object{"metadata": object{"annotations": c.annotations()}}}},
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
		"dapr.io/env":                                                       "A=" + c.next(),
		"istio.io/some-token":                                               c.next(),
		"istio.io/two-lines":                                                "a\n" + c.next(),
		strings.Repeat("a", 60) + ".example.com/" + strings.Repeat("b", 40): c.next(),
		"example.com/object":                                                object{"a": c.next()},
	}
}

func (c *canaries) meta(name, ns string) object {
	return object{"name": name, "namespace": ns, "uid": "u-" + name, "annotations": c.annotations(), "labels": object{"app": "nightly"},
		"unknown": c.next(), "managedFields": array{object{"manager": c.next(), "fieldsV1": object{"f:metadata": object{"k:{\"x\":\"" + c.next() + "\"}": object{}}}}}}
}

// objects hides a canary in every place of every kind that is read, and of some that are not.
func (c *canaries) objects() map[string]object {
	template := func() object { return object{"metadata": object{"annotations": c.annotations()}, "spec": c.podSpec()} }
	kind := func(apiVersion, kind, name, ns string, more object) object {
		o := object{"apiVersion": apiVersion, "kind": kind, "metadata": c.meta(name, ns), "oddField": c.next()}
		for k, v := range more {
			o[k] = v
		}
		return o
	}
	pem := "died:\n-----BEGIN EC PRIVATE KEY-----\n" + c.next() + "\n-----END EC PRIVATE KEY-----\nbye"
	return map[string]object{
		"pod": kind("v1", "Pod", "nightly-1", "batch", object{"spec": c.podSpec(), "status": object{"phase": "Running", "message": "token=" + c.next(),
			"containerStatuses": array{object{"name": "main", "lastState": object{"terminated": object{"exitCode": 1, "message": pem}},
				"state": object{"terminated": object{"exitCode": 0, "reason": "Completed", "message": "last words\npassword: " + c.next() + "\napi_key:\n  " + c.next()}}}}}}),
		"job":        kind("batch/v1", "Job", "nightly", "batch", object{"spec": object{"template": template(), "new": c.next()}}),
		"cron":       kind("batch/v1", "CronJob", "nightly", "batch", object{"spec": object{"jobTemplate": object{"metadata": object{"annotations": c.annotations()}, "spec": object{"template": template()}}}}),
		"quoting":    kind("v1", "Event", "q", "batch", object{"reason": "FailedPostStartHook", "message": strings.Join(c.quotedCommands(), "\n")}),
		"event":      kind("v1", "Event", "e", "batch", object{"message": "Liveness probe failed: token=" + c.next(), "reason": "Unhealthy", "involvedObject": object{"kind": "Pod", "name": "nightly-1", "namespace": "batch"}}),
		"node":       kind("v1", "Node", "n1", "", object{"spec": object{"configSource": c.next()}}),
		"namespace":  kind("v1", "Namespace", "batch", "", nil),
		"hook":       kind("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "istio-sidecar-injector", "", object{"webhooks": array{object{"name": "x", "clientConfig": object{"caBundle": c.next(), "url": "https://me:" + c.next() + "@example.com/inject"}}}}),
		"istiod":     kind("apps/v1", "Deployment", "istiod", "istio-system", object{"spec": object{"template": template()}}),
		"replicas":   kind("apps/v1", "ReplicaSet", "istiod-1", "istio-system", object{"spec": object{"template": template()}}),
		"daemons":    kind("apps/v1", "DaemonSet", "d", "batch", object{"spec": object{"template": template()}}),
		"stateful":   kind("apps/v1", "StatefulSet", "s", "batch", object{"spec": object{"template": template(), "volumeClaimTemplates": array{object{"metadata": object{"annotations": c.annotations()}}}}}),
		"secret":     kind("v1", "Secret", "db", "batch", object{"data": object{"password": c.next()}, "stringData": object{"x": c.next()}}),
		"workflow":   kind("argoproj.io/v1alpha1", "Workflow", "w", "batch", object{"spec": object{"templates": array{c.podSpec()}, "arguments": object{"parameters": array{object{"name": "p", "value": c.next()}}}}}),
		"other-job":  kind("batch.volcano.sh/v1alpha1", "Job", "v", "batch", object{"spec": c.podSpec()}),
		"app-config": kind("v1", "ConfigMap", "app-config", "batch", object{"data": object{"config": "a: " + c.next(), "values": c.next()}, "binaryData": object{"x": c.next()}}),
		"injector":   kind("v1", "ConfigMap", "istio-sidecar-injector-canary", "istio-system", object{"data": object{"config": c.injectorConfig(), "values": c.values(), "unexpected": c.next()}}),
		"values":     kind("v1", "ConfigMap", "values", "istio-system", object{"data": object{"original-values": c.values(), "merged-values": "not: [json " + c.next()}}),
		"mesh":       kind("v1", "ConfigMap", "istio", "istio-system", object{"data": object{"mesh": "defaultConfig:\n  discoveryAddress: istiod.istio-system.svc:15012\n  proxyMetadata:\n    EXIT_ON_ZERO_ACTIVE_CONNECTIONS: \"true\"\n    X: " + c.next() + "\n", "meshNetworks": c.next()}}),
		"kubelet":    kind("v1", "ConfigMap", "kubelet-config", "kube-system", object{"data": object{"kubelet": "apiVersion: kubelet.config.k8s.io/v1beta1\nfeatureGates:\n  SidecarContainers: false\nkind: KubeletConfiguration\nstaticPodURL: " + c.next() + "\n"}}),
	}
}

func (c *canaries) values() string {
	return `{
  "compatibilityVersion": "9.24",
  "global": { "proxy": { "env": { "PASSWORD": "` + c.next() + `" } }, "imagePullSecrets": ["` + c.next() + `"], "hub": "https://a:` + c.next() + `@b" },
  "pilot": { "env": { "ENABLE_NATIVE_SIDECARS": "false", "OTHER": "` + c.next() + `" }, "enabled": true },
  "sidecarInjectorWebhook": { "defaultTemplates": ["sidecar"], "templates": { "sidecar": "spec: ` + c.next() + `" } }
}`
}

func (c *canaries) injectorConfig() string {
	return `# comment ` + c.next() + `
defaultTemplates: [sidecar]
policy: enabled
injectedAnnotations:
  a: ` + c.next() + `
templates:
  sidecar: |
    {{- $nativeSidecar := (eq (env "ENABLE_NATIVE_SIDECARS" "false") "true") }}
    {{- $nativeSidecarToken := "token=` + c.next() + `" }}
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

func listOf(items ...any) object {
	return object{"apiVersion": "v1", "kind": "List", "metadata": object{"resourceVersion": ""}, "items": items}
}
