package bundle

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

const scenario = "../../fixtures/bundles/ordinary-sidecar-holding-job/"

func fixture(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(scenario + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// readText reads a text as a file of its own.
func readText(text string) (*kube.Set, []Problem) {
	set := &kube.Set{}
	return set, readContent("file", strings.NewReader(text), set, contentLimits{})
}

// objects lists what a set holds, one object a line, with the line it begins at and one value from within.
func objects(s *kube.Set) string {
	var b strings.Builder
	for _, p := range s.Pods {
		path := "status.containerStatuses[name=istio-proxy].state.running.startedAt"
		fmt.Fprintf(&b, "%s %d phase=%s proxy=%d\n", p.Ref(), p.Origin.Line, p.Status.Phase, p.Origin.LineOf(path))
	}
	for _, j := range s.Jobs {
		fmt.Fprintf(&b, "%s %d active at %d\n", j.Ref(), j.Origin.Line, j.Origin.LineOf("status.active"))
	}
	for _, n := range s.Nodes {
		fmt.Fprintf(&b, "%s %d %s\n", n.Ref(), n.Origin.Line, n.Status.NodeInfo.KubeletVersion)
	}
	for _, e := range s.Events {
		fmt.Fprintf(&b, "%s %d %s\n", e.Ref(), e.Origin.Line, e.Reason)
	}
	fmt.Fprintf(&b, "%d cronjobs %d rows %d others %d servers\n", len(s.CronJobs), len(s.Rows), len(s.Others), len(s.Servers))
	for _, n := range s.Notes {
		fmt.Fprintf(&b, "note %d %s\n", n.Line, n.Class)
	}
	return b.String()
}

func utf16Text(s string, big bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

// The same text in every encoding that shells and editors leave it in.
func TestEncodings(t *testing.T) {
	text := fixture(t, "all.yaml")
	want, problems := readText(text)
	if len(problems) > 0 || len(want.Pods) != 1 || len(want.Jobs) != 1 || len(want.Nodes) != 2 || len(want.Events) == 0 {
		t.Fatalf("plain: %v\n%s", problems, objects(want))
	}
	crlf := strings.ReplaceAll(text, "\n", "\r\n")
	for name, form := range map[string]string{
		"BOM":              "\ufeff" + text,
		"CRLF":             crlf,
		"lone CR":          strings.ReplaceAll(text, "\n", "\r"),
		"UTF-16LE":         "\xff\xfe" + utf16Text(crlf, false),
		"UTF-16BE":         "\xfe\xff" + utf16Text(crlf, true),
		"UTF-16LE, no BOM": utf16Text(crlf, false),
		"UTF-16BE, no BOM": utf16Text(crlf, true),
		"no final newline": strings.TrimSuffix(text, "\n"),
	} {
		got, problems := readText(form)
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
		if objects(got) != objects(want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, objects(got), objects(want))
		}
		if got.Pods[0].Meta.Annotations.Get("sidecar.istio.io/status") != want.Pods[0].Meta.Annotations.Get("sidecar.istio.io/status") {
			t.Errorf("%s: annotations differ", name)
		}
	}
}

// kubectl's own YAML and JSON of the same objects, and several files' worth in one, give the same objects.
func TestNotationsAgree(t *testing.T) {
	yaml, p1 := readText(fixture(t, "jobs.yaml") + fixture(t, "pods.yaml"))
	json, p2 := readText(fixture(t, "jobs-pods.json"))
	marked, p3 := readText("---\n" + fixture(t, "jobs.yaml") + "---\n" + fixture(t, "pods.yaml"))
	managed, p4 := readText(fixture(t, "jobs.yaml") + fixture(t, "pods-managed-fields.yaml"))
	if n := len(p1) + len(p2) + len(p3) + len(p4); n > 0 {
		t.Fatal(p1, p2, p3, p4)
	}
	for name, got := range map[string]*kube.Set{"JSON": json, "with ---": marked, "with managedFields": managed} {
		if len(got.Pods) != 1 || len(got.Jobs) != 1 {
			t.Errorf("%s: %s", name, objects(got))
			continue
		}
		a, b, c, d := *yaml.Pods[0], *got.Pods[0], *yaml.Jobs[0], *got.Jobs[0]
		a.Origin, b.Origin, c.Origin, d.Origin = kube.Origin{}, kube.Origin{}, kube.Origin{}, kube.Origin{}
		if !reflect.DeepEqual(a, b) || !reflect.DeepEqual(c, d) {
			t.Errorf("%s: objects differ\n%+v\n%+v", name, a, b)
		}
	}
}

// Every line that is given must be the line of the field, in whichever notation.
func TestLines(t *testing.T) {
	for _, file := range []string{"all.yaml", "pods.yaml", "pods-managed-fields.yaml", "jobs-pods.json", "cluster-info-dump.json"} {
		text := fixture(t, file)
		lines := strings.Split(text, "\n")
		set, _ := readText(text)
		for path, wants := range map[string]string{
			"metadata.name": "name", "metadata.annotations[sidecar.istio.io/status]": "sidecar.istio.io/status",
			"metadata.labels[job-name]": "job-name", "metadata.ownerReferences[kind=Job].name": "nightly-report",
			"spec.containers[name=istio-proxy].image": "proxyv2", "spec.containers[name=main].command": "command",
			"spec.initContainers[name=istio-init]": "", "spec.restartPolicy": "Never", "spec.nodeName": "worker-",
			"status.containerStatuses[name=main].state.terminated.exitCode":      "exitCode",
			"status.containerStatuses[name=istio-proxy].state.running.startedAt": "startedAt",
			"status.initContainerStatuses[name=istio-init].state.terminated":     "terminated",
			"status.conditions[type=Ready].status":                               "False",
			"spec.containers[name=istio-proxy].env[name=PROXY_CONFIG].value":     "value",
			"spec.containers[name=istio-proxy].resources.limits.cpu":             "cpu",
			"status.phase": "Running",
		} {
			n := set.Pods[0].Origin.Lines.LineOf(path)
			if n < 1 || !strings.Contains(lines[n-1], wants) {
				t.Errorf("%s: %s is said to be in line %d", file, path, n)
			}
		}
		if n := set.Pods[0].Origin.Lines.LineOf("spec.initContainers[name=istio-init].restartPolicy"); n != 0 {
			t.Errorf("%s: a field that is not there is said to be in line %d", file, n)
		}
	}
}

// TestAuditRecords: they are no objects, and worth a word of their own.
func TestAuditRecords(t *testing.T) {
	for _, text := range []string{
		"protoPayload:\n  methodName: io.k8s.core.v1.pods.create\nlabels:\n  patch.webhook.admission.k8s.io/round_1_index_3: '{}'\n",
		`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"x","verb":"create"}` + "\n",
	} {
		if _, problems := readText(text); len(problems) != 1 || !strings.HasPrefix(problems[0].Message, "an audit record, which is not read") {
			t.Errorf("%v", problems)
		}
	}
}

// Only a file without a byte is empty: one line without an end is something in which nothing was recognised.
func TestOneLineIsNotEmpty(t *testing.T) {
	for text, want := range map[string]string{"": "empty", "hello": "nothing of kubectl's output", "\n": "nothing of kubectl's output"} {
		problems := readContent("f", strings.NewReader(text), &kube.Set{}, contentLimits{})
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Message, want) {
			t.Errorf("%q: %v, want %q", text, problems, want)
		}
	}
}
