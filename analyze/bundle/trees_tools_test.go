package bundle

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

const imageDir = "quay-io-openshift-must-gather-sha256-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef/"

func ownTree(t testing.TB, all []object) *tree {
	tr := &tree{name: "sidecar-must-gather", layout: "sidecar-must-gather", roots: 1, files: map[string]string{}}
	const top = "sidecar-must-gather-kind-20261130T122000Z/"
	tr.inspected(top, "List", withoutSecrets(all))
	tr.add(top+"namespaces/batch/batch/cronjobs.yaml", yamlList("List", nil))
	tr.add(top+"version", "sidecar-must-gather/must-gather\n0.1.0\n")
	tr.add(top+"timestamp", "2026-11-30T12:20:00Z\n2026-11-30T12:20:09Z\n")
	tr.add(top+"version.json", `{"clientVersion": {"gitVersion": "v1.32.5"}, "serverVersion": {"gitVersion": "v1.32.13"}}`+"\n")
	tr.add(top+"errors.txt", "$ kubectl get cronjobs.batch --all-namespaces -o yaml\n(exit 1)\n"+
		`Error from server (Forbidden): cronjobs.batch is forbidden: User "reader" cannot list resource "cronjobs" in API group "batch" at the cluster scope`+"\n")
	tr.add(top+"describe/pods.txt", string(fixtureFile(t, fixtureCluster+"describe-pods.txt")))
	tr.add(top+"collection.json", `{
  "tool": "sidecar-must-gather", "version": "0.1.0", "schema": 1, "started": "2026-11-30T12:20:00Z", "finished": "2026-11-30T12:20:09Z",
  "arguments": [],
  "context": "kind", "serverVersion": "v1.32.13", "redaction": true,
  "interrupted": false, "missing": 1,
  "permissions": [{"verb": "list", "resource": "cronjobs.batch", "namespace": "*", "allowed": "no"}],
  "steps": [
    {"id": "pods", "command": "kubectl get pods --all-namespaces -o yaml", "exit": 0, "seconds": 1, "bytes": 12063, "items": 1, "files": ["namespaces/batch/core/pods.yaml"], "errorClass": "", "note": "", "stderr": ""},
    {"id": "cronjobs", "command": "kubectl get cronjobs.batch --all-namespaces -o yaml", "exit": 1, "seconds": 0, "bytes": 68, "items": 0, "files": [], "errorClass": "forbidden", "note": "", "stderr": "Error from server (Forbidden): cronjobs.batch is forbidden"}
  ]
}
`)
	return tr
}

func withoutSecrets(all []object) []object {
	var out []object
	for _, o := range all {
		if o.kind() != "Secret" {
			out = append(out, o)
		}
	}
	return out
}

func mustGatherTree(all []object) *tree {
	tr := &tree{name: "must-gather", layout: "must-gather", roots: 1, files: map[string]string{}, lacks: []string{"Server"}}
	const top = "must-gather.local.4729386504719283/"
	const stamp = "2026-11-30 12:20:00.02 +0000 UTC m=+0.1\n2026-11-30 12:20:09.02 +0000 UTC m=+9.1\n"
	tr.add(top+"timestamp", stamp)
	tr.add(top+"event-filter.html", "<html><body>events</body></html>\n")
	tr.add(top+imageDir+"timestamp", stamp)
	tr.add(top+imageDir+"version", "openshift/must-gather\n4.19.0\n")
	tr.add(top+imageDir+"etcd_info/endpoint_health.json", "[]\n")
	tr.inspected(top+imageDir, "", managed(all))
	tr.add(top+imageDir+"namespaces/batch/batch/cronjobs.yaml", "---\n"+yamlList("CronJobList", nil))
	tr.podFiles(top+imageDir, all)
	return tr
}

// podFiles writes the pods once more, one by one, with their logs.
func (tr *tree) podFiles(root string, all []object) {
	for _, o := range all {
		if o.kind() != "Pod" {
			continue
		}
		dir := root + "namespaces/" + o.namespace() + "/pods/" + o.name() + "/"
		tr.add(dir+o.name()+".yaml", "---\n"+toYAML(o))
		tr.add(dir+"main/main/logs/current.log", "2026-11-30T12:19:20Z kind: Pod\n")
		tr.add(dir+"main/main/logs/previous.log", "")
	}
}

// managed adds managedFields to metadata, as oc adm inspect keeps them.
func managed(all []object) []object {
	var out []object
	for _, o := range all {
		c := o.without()
		m := map[string]any{}
		for k, v := range o.meta() {
			m[k] = v
		}
		m["managedFields"] = []any{map[string]any{"manager": "kubectl", "operation": "Update", "apiVersion": "v1",
			"fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:metadata": map[string]any{"f:name": map[string]any{}}}}}
		c["metadata"] = m
		out = append(out, c)
	}
	return out
}

func inspectTree(all []object) *tree {
	tr := &tree{name: "must-gather-empty-list", layout: "must-gather", roots: 1, files: map[string]string{}, lacks: []string{"Server"}}
	const top = "inspect.local.6104729385640/"
	tr.inspected(top, "", all)
	tr.podFiles(top, all)
	tr.add(top+"namespaces/batch/core/pods.yaml", "")
	tr.add(top+"timestamp", "2026-11-30 12:20:00.02 +0000 UTC m=+0.1\n")
	return tr
}

func istioTree(all []object) *tree {
	tr := &tree{name: "istio-must-gather", layout: "must-gather, istio must-gather", roots: 2, files: map[string]string{}, lacks: []string{"Server"}}
	const top = "must-gather.local.88120457/" + imageDir
	tr.add(top+"version", "openshift/must-gather\n4.19.0\n")
	tr.add(top+"namespaces/openshift-etcd/openshift-etcd.yaml",
		"---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: openshift-etcd\n  uid: 1f0c6a52-0000-4000-8000-000000000099\n")
	tr.inspected(top+"istio/", "", all)
	tr.podFiles(top+"istio/", all)
	tr.add(top+"istio/namespaces/istio-system/default/debug-syncz.json", "{}\n")
	return tr
}

func supportBundleTree(all []object) *tree {
	tr := &tree{name: "support-bundle", layout: "troubleshoot support bundle", roots: 1, bare: true, files: map[string]string{}}
	const top = "support-bundle-2026-11-30T12_20_00/"
	tr.add(top+"version.yaml", "apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\nmetadata: {}\nspec:\n  versionNumber: \"\"\n")
	tr.add(top+"cluster-info/cluster_version.json", "{\n  \"info\": {\n    \"major\": \"1\",\n    \"gitVersion\": \"v1.32.13\"\n  },\n  \"string\": \"v1.32.13\"\n}\n")
	tr.add(top+"helm/errors.json", "[\n  \"release: not found\"\n]\n")
	tr.add(top+"cluster-resources/cronjobs-errors.json", "{\n  \"kube-system\": \"cronjobs.batch is forbidden: User \\\"reader\\\" cannot list resource \\\"cronjobs\\\" in API group \\\"batch\\\" in the namespace \\\"kube-system\\\"\"\n}\n")
	tr.add(top+"analysis.json", "[\n  {\"name\": \"***HIDDEN***\", \"severity\": \"debug\"}\n]\n")
	tr.add(top+"cluster-resources/pods/logs/batch/nightly-report/main.log", "kind: Pod\n")
	tr.add(top+"cluster-resources/groups.json", "[\n  {\"name\": \"apps\"}\n]\n")
	tr.resources(top, all, func(kind string, items []object) string { return typedList(kind+"List", "  ", items) })
	return tr
}

// resources writes cluster-resources: a file for each kind and namespace, or for each kind without one.
func (tr *tree) resources(top string, all []object, write func(string, []object) string) {
	keys, groups := grouped(withoutSecrets(all), func(o object) string {
		if o.namespace() == "" {
			return o.plural() + ".json"
		}
		return o.plural() + "/" + o.namespace() + ".json"
	})
	for _, k := range keys {
		tr.add(top+"cluster-resources/"+k, write(groups[k][0].kind(), groups[k]))
	}
}

func oldSupportBundleTree(all []object) *tree {
	tr := &tree{name: "support-bundle-2021", layout: "troubleshoot support bundle", roots: 1, files: map[string]string{},
		lacks: []string{"Server"}, bare: true}
	tr.resources("supportbundle/", all, func(_ string, items []object) string {
		var bare []object
		for _, o := range items {
			bare = append(bare, o.without("kind", "apiVersion"))
		}
		return jsonArray("", "  ", bare) + "\n"
	})
	return tr
}

func dumpLacks() []string {
	return []string{"Server", "Job", "Namespace", "ConfigMap", "MutatingWebhookConfiguration"}
}

// dumped gives the documents of kubectl cluster-info dump, with their file names, in its order.
func dumped(all []object) (names []string, docs map[string]string) {
	docs = map[string]string{}
	put := func(name, list, kind, ns string) {
		var items []object
		for _, o := range all {
			if o.kind() == kind && o.namespace() == ns {
				items = append(items, o)
			}
		}
		names = append(names, name)
		docs[name] = typedList(list, "    ", items)
	}
	put("nodes.json", "NodeList", "Node", "")
	for _, ns := range []string{"batch", "istio-system", "default"} {
		for _, kind := range []string{"Event", "ReplicationController", "Service", "DaemonSet", "Deployment", "ReplicaSet", "Pod"} {
			file := strings.ToLower(kind) + "s.json"
			if kind == "ReplicationController" {
				file = "replication-controllers.json"
			}
			put(ns+"/"+file, kind+"List", kind, ns)
		}
	}
	return names, docs
}

func dumpTree(all []object) *tree {
	tr := &tree{name: "cluster-info-dump", layout: "kubectl cluster-info dump", roots: 1, bare: true, files: map[string]string{}, lacks: dumpLacks()}
	_, docs := dumped(all)
	for name, text := range docs {
		tr.add("dump/"+name, text)
	}
	tr.add("dump/batch/nightly-report-hrp8m/logs.txt", "==== START logs for container main of pod batch/nightly-report-hrp8m ====\nkind: Pod\n==== END logs for container main of pod batch/nightly-report-hrp8m ====\n")
	return tr
}

func dumpStdoutTree(all []object) *tree {
	tr := &tree{name: "cluster-info-dump-stdout", layout: "kubectl files", roots: 1, bare: true, files: map[string]string{}, lacks: dumpLacks()}
	var all1 strings.Builder
	names, docs := dumped(all)
	for _, name := range names {
		all1.WriteString(docs[name])
	}
	all1.WriteString("==== START logs for container main of pod batch/nightly-report-hrp8m ====\n{\"level\":\"info\",\"kind\":\"Pod\"}\nreport written\n==== END logs for container main of pod batch/nightly-report-hrp8m ====\n")
	tr.add("dump.json", all1.String())
	return tr
}

func bugReportTree(all []object) *tree {
	tr := &tree{name: "bug-report", layout: "istioctl bug-report", roots: 1, files: map[string]string{}}
	var mixed, scoped, nodes, events []object
	for _, o := range withoutSecrets(all) {
		switch {
		case o.kind() == "Node":
			nodes = append(nodes, o)
			scoped = append(scoped, o)
		case o.kind() == "Event":
			events = append(events, o)
		case o.namespace() == "":
			scoped = append(scoped, o)
		default:
			mixed = append(mixed, o)
			if o.kind() == "Job" { // category all and category jobs
				mixed = append(mixed, o)
			}
		}
	}
	tr.add("bug-report/cluster/k8s-resources", yamlList("List", append(mixed, events...)))
	tr.add("bug-report/cluster/k8s-cluster-resources", yamlList("List", scoped))
	tr.add("bug-report/cluster/nodes", yamlList("List", nodes))
	tr.add("bug-report/cluster/secrets", "NAMESPACE   NAME                 TYPE     DATA   AGE\nbatch       report-credentials   Opaque   1      1m\n")
	tr.add("bug-report/cluster/kubectl-version", "Client Version: v1.32.5\nKustomize Version: v5.5.0\nServer Version: v1.32.13\n")
	tr.add("bug-report/cluster/cluster-context", "CURRENT   NAME   CLUSTER   AUTHINFO   NAMESPACE\n*         kind   kind      kind\n")
	tr.add("bug-report/versions", "The following Istio control plane revisions/versions were found in the cluster:\nRevision default:\n- 1.30.3\n")
	tr.add("bug-report/bug-report.log", "info\tstarting\n")
	tr.add("bug-report/proxies/batch/nightly-report-hrp8m/config_dump", "{\"configs\": []}\n")
	tr.add("bug-report/proxies/batch/nightly-report-hrp8m/netstat", "Active Internet connections\n")
	tr.add("bug-report/istio/istio-system/istiod-1/discovery.log", "info\n")
	return tr
}

func crustTree(all []object) *tree {
	tr := &tree{name: "crust-gather", layout: "crust-gather", roots: 1, files: map[string]string{}}
	const top = "crust-gather/"
	tr.add(top+"version.yaml", "buildDate: 1970-01-01T00:00:00Z\ncompiler: gc\ngitVersion: v1.32.13\nmajor: '1'\nminor: '32'\n")
	tr.add(top+"api.json", `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[{"metadata":{},"versions":[]}]}`)
	tr.add(top+"collected.timestamp", "2026-11-30T12:20:00Z\n")
	for _, o := range all {
		version := strings.ReplaceAll(fmt.Sprint(o["apiVersion"]), "/", "-")
		name := strings.NewReplacer(":", "-", "*", "-").Replace(o.name())
		dir := "cluster/"
		if ns := o.namespace(); ns != "" {
			dir = "namespaces/" + ns + "/"
		}
		tr.add(top+dir+version+"/"+strings.ToLower(o.kind())+"/"+name+".yaml", toYAML(o))
	}
	tr.add(top+"namespaces/batch/v1/pod/nightly-report-hrp8m/main/current.log", "kind: Pod\n")
	return tr
}

func kitTree(all []object) *tree {
	tr := &tree{name: "support-bundle-kit", layout: "rancher support bundle", roots: 1, files: map[string]string{}, lacks: []string{"Server"}}
	const top = "supportbundle_5f0c_2026-11-30T12-20-00Z/"
	tr.add(top+"metadata.yaml", "projectName: harvester\nbundleCreatedAt: \"2026-11-30T12:20:00Z\"\nkubernetesVersion: v1.32.13\n")
	tr.add(top+"bundleGenerationError.log", "")
	keys, groups := grouped(all, func(o object) string {
		dir := "yamls/cluster/"
		if ns := o.namespace(); ns != "" {
			dir = "yamls/namespaced/" + ns + "/"
		}
		return dir + fmt.Sprint(o["apiVersion"]) + "/" + o.plural() + ".yaml"
	})
	for _, k := range keys {
		tr.add(top+k, yamlList(groups[k][0].kind()+"List", groups[k]))
	}
	tr.add(top+"logs/batch/nightly-report-hrp8m/main.log", "kind: Pod\n")
	var node bytes.Buffer
	z := zip.NewWriter(&node)
	w, _ := z.Create("worker-1/kubelet.log")
	_, _ = w.Write([]byte("I1130 kubelet started\n"))
	_ = z.Close()
	tr.add(top+"nodes/worker-1.zip", node.String())
	return tr
}

func looseTree(t testing.TB, all []object) *tree {
	tr := &tree{name: "kubectl-files", layout: "kubectl files", roots: 1, files: map[string]string{}}
	keys, groups := grouped(withoutSecrets(all), func(o object) string { return o.plural() })
	for _, k := range keys {
		text := yamlList("List", groups[k])
		if k == "pods" {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		tr.add(k+".yaml", text)
	}
	for _, name := range []string{"describe-pods.txt", "describe-jobs.txt", "get-wide.txt", "version.yaml"} {
		tr.add(name, string(fixtureFile(t, fixtureCluster+name)))
	}
	tr.add("cronjobs.yaml", yamlList("List", nil))
	return tr
}
