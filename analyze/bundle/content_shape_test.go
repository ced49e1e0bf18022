package bundle

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

const podYAML = `apiVersion: v1
kind: Pod
metadata:
  name: p
  namespace: n1
spec:
  containers:
  - image: i
    name: app
status:
  phase: Running
`

// indented shifts a text, the first line behind a dash.
func indented(text, first, rest string) string {
	lines := strings.SplitAfter(text, "\n")
	return first + strings.Join(lines[:len(lines)-1], rest)
}

// The shapes that lists come in; each holds the pods a and b and nothing else.
func TestListShapes(t *testing.T) {
	a, b := strings.Replace(podYAML, "name: p", "name: a", 1), strings.Replace(podYAML, "name: p", "name: b", 1)
	bare := func(s string) string { return strings.Replace(s, "apiVersion: v1\nkind: Pod\n", "", 1) }
	item := func(s string) string { return indented(s, "- ", "  ") }
	for name, text := range map[string]string{
		"kind last":         "apiVersion: v1\nitems:\n" + item(a) + item(b) + "kind: List\nmetadata:\n  resourceVersion: \"\"\n",
		"kind first":        "apiVersion: v1\nkind: List\nmetadata: {}\nitems:\n" + item(a) + item(b),
		"items indented":    "apiVersion: v1\nkind: List\nitems:\n" + indented(a, "  - ", "    ") + indented(b, "  - ", "    "),
		"no list kind":      "items:\n" + item(a) + item(b),
		"typed, bare items": "---\napiVersion: v1\nitems:\n" + item(bare(a)) + item(bare(b)) + "kind: PodList\nmetadata:\n  resourceVersion: \"5\"\n",
		"several documents": "---\n" + a + "---\n" + b,
		"no marks":          a + b,
		"dots":              a + "...\n---\n" + b,
		"a bare array":      item(a) + item(b),
		"list after object": a + "---\napiVersion: v1\nitems:\n" + item(b) + "kind: List\n",
		"comments":          "# from the cluster\n" + a + "# and\n---\n# another\n" + b,
		"JSON list":         `{"apiVersion":"v1","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"n1"},"status":{"phase":"Running"}},{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b","namespace":"n1"},"status":{"phase":"Running"}}],"kind":"List"}`,
		"JSON, bare items":  "{\n  \"kind\": \"PodList\",\n  \"items\": [\n {\"metadata\":{\"name\":\"a\",\"namespace\":\"n1\"},\"status\":{\"phase\":\"Running\"}},\n {\"metadata\":{\"name\":\"b\",\"namespace\":\"n1\"},\"status\":{\"phase\":\"Running\"}}\n ]\n}\n",
		"JSON array":        "[\n {\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"namespace\":\"n1\"},\"status\":{\"phase\":\"Running\"}},\n {\"kind\":\"Pod\",\"metadata\":{\"name\":\"b\",\"namespace\":\"n1\"},\"status\":{\"phase\":\"Running\"}}\n]\n",
		"JSON documents":    "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"namespace\":\"n1\"},\"status\":{\"phase\":\"Running\"}}\n{\n \"kind\":\"Pod\",\"metadata\":{\"name\":\"b\",\"namespace\":\"n1\"},\"status\":{\"phase\":\"Running\"}}\n",
		"flow style items":  "apiVersion: v1\nkind: List\nitems: [{kind: Pod, metadata: {name: a, namespace: n1}, status: {phase: Running}}, {kind: Pod, metadata: {name: b, namespace: n1}, status: {phase: Running}}]\n",
	} {
		set, problems := readText(text)
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
		var got []string
		for _, p := range set.Pods {
			got = append(got, fmt.Sprintf("%s:%s", p.Ref(), p.Status.Phase))
		}
		if strings.Join(got, " ") != "Pod/n1/a:Running Pod/n1/b:Running" {
			t.Errorf("%s: %s", name, objects(set))
		}
	}
}

// Arrays of old support bundles name no kind; the path does.
func TestKindHint(t *testing.T) {
	set := &kube.Set{}
	text := `[{"metadata":{"name":"a","namespace":"n1"},"status":{"phase":"Running"}}]`
	if p := readContent("pods/n1.json", strings.NewReader(text), set, contentLimits{KindHint: "Pod"}); len(p) > 0 || len(set.Pods) != 1 {
		t.Errorf("%v %s", p, objects(set))
	}
	set, problems := readText(text)
	if len(set.Pods) != 0 || len(problems) == 0 {
		t.Errorf("without a hint: %v %s", problems, objects(set))
	}
}

func TestEmptyThings(t *testing.T) {
	for text, recognised := range map[string]bool{
		"":     false,
		"\n\n": false,
		"apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: \"\"\n": true,
		"apiVersion: v1\nitems: null\nkind: PodList\n":                                true,
		"---\n":                      false,
		`{"kind":"List","items":[]}`: true,
		"[]\n":                       true,
		"[]":                         true,
		"just a log line\n":          false,
		"{\"level\":\"info\"}\n":     false,
	} {
		set, problems := readText(text)
		if recognised != (len(problems) == 0) {
			t.Errorf("%q: %v", text, problems)
		}
		if len(problems) == 1 && !problems[0].unrecognised {
			t.Errorf("%q is not told as unrecognised: %v", text, problems)
		}
		if objects(set) != objects(&kube.Set{}) {
			t.Errorf("%q gave %s", text, objects(set))
		}
	}
}

// One broken item costs one item.
func TestBrokenItem(t *testing.T) {
	item := func(name, more string) string {
		return indented(strings.Replace(podYAML, "name: p", "name: "+name, 1)+more, "- ", "  ")
	}
	for name, broken := range map[string]string{
		"a tab":             item("x", "\tbad: 1\n"),
		"an open quote":     item("x", "z: \"open\n"),
		"an unknown anchor": item("x", "z: *nowhere\n"),
		"a bad mapping":     item("x", "z: a: b\n"),
		"a scalar":          "- hello\n",
		"a bad indentation": item("x", "   z: 1\n"),
	} {
		text := "apiVersion: v1\nitems:\n" + item("a", "") + broken + item("b", "") + "kind: List\n"
		set, problems := readText(text)
		if len(set.Pods) != 2 || set.Pods[1].Meta.Name != "b" {
			t.Errorf("%s: %s", name, objects(set))
		}
		if len(problems) != 1 || problems[0].Line != 14 || !strings.Contains(problems[0].Message, "item 2") {
			t.Errorf("%s: %v", name, problems)
		}
	}
	set, problems := readText(`{"kind":"List","items":[{"kind":"Pod","metadata":{"name":"a"}},{"kind":"Pod","metadata":{"name":x}},
 {"kind":"Pod","metadata":{"name":"b"}}]}`)
	if len(set.Pods) != 2 || len(problems) != 1 || problems[0].Line != 1 {
		t.Errorf("JSON: %v %s", problems, objects(set))
	}
}

// The last item of a list that is cut off is lost, and counted.
func TestTruncatedList(t *testing.T) {
	for _, file := range []string{"all.yaml", "cluster-info-dump.json", "jobs-pods.json"} {
		text := fixture(t, file)
		full, _ := readText(text)
		count := func(s *kube.Set) int { return len(s.Pods) + len(s.Jobs) + len(s.Nodes) + len(s.Events) }
		whole := count(full)
		for cut := len(text) * 3 / 10; cut < len(text)*9/10; cut += len(text)/23 + 1 {
			set, problems := readText(text[:cut])
			if len(problems) == 0 || count(set) >= whole || len(set.Pods) > 1 {
				t.Errorf("%s cut at %d: %d of %d objects, problems %v", file, cut, count(set), whole, problems)
			}
			for _, p := range set.Pods {
				if p.Status.Phase != "Running" || p.Origin.Truncated {
					t.Errorf("%s cut at %d: a pod that is not whole", file, cut)
				}
			}
			for _, p := range problems {
				if p.Line <= 0 || p.Line > strings.Count(text[:cut], "\n")+1 {
					t.Errorf("%s cut at %d: problem in line %d", file, cut, p.Line)
				}
			}
		}
	}
}

// Of a single pod that is cut off, the whole lines are kept, and the pod is marked.
func TestTruncatedPod(t *testing.T) {
	pod := strings.Join(strings.Split(strings.TrimPrefix(indentedPod(t), "  "), "\n  "), "\n")
	whole, problems := readText(pod)
	if len(problems) > 0 || len(whole.Pods) != 1 || whole.Pods[0].Origin.Truncated {
		t.Fatalf("%v %s", problems, objects(whole))
	}
	from := strings.Index(pod, "\nstatus:") + 200
	for cut := from; cut < strings.Index(pod, "\n  phase:"); cut += 97 {
		set, problems := readText(pod[:cut])
		if len(set.Pods) != 1 || !set.Pods[0].Origin.Truncated {
			t.Errorf("cut at %d: %s %v", cut, objects(set), problems)
		}
	}
	job := fixture(t, "jobs.yaml")
	job = strings.Join(strings.Split(job[strings.Index(job, "- apiVersion")+2:strings.Index(job, "kind: List")], "\n  "), "\n")
	if set, problems := readText(job[:len(job)/2]); len(set.Jobs) != 0 && len(problems) == 0 {
		t.Errorf("a job that is cut off: %s %v", objects(set), problems)
	}
}

// indentedPod is the pod of the scenario as an item of its list.
func indentedPod(t *testing.T) string {
	text := fixture(t, "pods.yaml")
	return text[strings.Index(text, "- apiVersion")+2 : strings.Index(text, "kind: List")]
}
