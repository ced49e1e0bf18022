package bundle

import (
	"strings"
	"testing"
)

// Text within text: what a ConfigMap or an annotation holds is no object and starts no item.
func TestEmbeddedManifests(t *testing.T) {
	embedded := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: manifests\n  namespace: x\ndata:\n  all.yaml: |\n    apiVersion: v1\n    items:\n    - apiVersion: v1\n      kind: Pod\n      metadata:\n        name: evil\n    kind: List\n  one.yaml: |-\n    kind: Pod\n\n    metadata: {name: evil}\n"
	for _, text := range []string{
		embedded + "---\n" + podYAML,
		"apiVersion: v1\nitems:\n" + indented(embedded, "- ", "  ") + indented(podYAML, "- ", "  ") + "kind: List\n",
	} {
		set, problems := readText(text)
		if len(set.Pods) != 1 || len(set.ConfigMaps) != 1 || len(problems) > 0 {
			t.Errorf("%v %s", problems, objects(set))
			continue
		}
		if got := set.ConfigMaps[0].Data["all.yaml"]; !strings.Contains(got, "- apiVersion: v1\n  kind: Pod") {
			t.Errorf("data %q", got)
		}
	}
}

func TestHugeAnnotation(t *testing.T) {
	big := strings.Repeat("x y ", 1<<18)
	text := strings.Replace(podYAML, "  name: p\n", "  annotations:\n    big: "+big+"z\n  name: p\n", 1)
	set, problems := readText(text + "---\n" + podYAML)
	if len(set.Pods) != 2 || len(problems) > 0 || len(set.Pods[0].Meta.Annotations.Get("big")) != len(big)+1 {
		t.Errorf("%v %s", problems, objects(set))
	}
}

// Old kubectl printed timestamps without quotes.
func TestUnquotedTimestamps(t *testing.T) {
	set, problems := readText(strings.Replace(podYAML, "  name: p\n", "  creationTimestamp: 2021-03-29T08:38:20Z\n  name: p\n", 1))
	if len(problems) > 0 || set.Pods[0].Meta.Created.String() != "2021-03-29T08:38:20Z" {
		t.Errorf("%v %v", problems, set.Pods[0].Meta.Created)
	}
}

// YAML 1.1 takes a bare n for false and 1.30 for 1.3; where a name belongs the text is meant.
func TestBareWordsWhereTextBelongs(t *testing.T) {
	text := strings.NewReplacer("namespace: n1", "namespace: n", "name: p", "name: 0123", "- image: i", "- image: 1.30").Replace(podYAML)
	set, _ := readText(text)
	if len(set.Pods) != 1 {
		t.Fatal(objects(set))
	}
	p := set.Pods[0]
	if p.Meta.Namespace != "n" || p.Meta.Name != "0123" || p.Spec.Containers[0].Image != "1.30" {
		t.Errorf("namespace %q name %q image %q", p.Meta.Namespace, p.Meta.Name, p.Spec.Containers[0].Image)
	}
}

// A value of the wrong type costs its field.
func TestWrongTypes(t *testing.T) {
	status := "  containerStatuses:\n  - name: app\n    restartCount: \"***HIDDEN***\"\n    ready: true\n    state:\n      terminated:\n        exitCode: 3\n"
	for _, text := range []string{
		podYAML + status,
		`{"kind":"Pod","metadata":{"name":"p"},"status":{"phase":"Running","containerStatuses":[{"name":"app","restartCount":"***HIDDEN***","ready":true,"state":{"terminated":{"exitCode":3}}}]}}`,
	} {
		set, problems := readText(text)
		if len(set.Pods) != 1 || len(problems) != 1 || !strings.Contains(problems[0].Message, "restartCount") {
			t.Errorf("%v %s", problems, objects(set))
			continue
		}
		s := set.Pods[0].Status.ContainerStatuses[0]
		if !s.Ready || s.State.Terminated == nil || s.State.Terminated.ExitCode != 3 || s.RestartCount != 0 {
			t.Errorf("%+v", s)
		}
	}
}

// A terminated container whose exit code cannot be read must not seem to have succeeded.
func TestHiddenExitCode(t *testing.T) {
	for _, code := range []string{"\"***\"", "null", "[]"} {
		set, _ := readText(podYAML + "  containerStatuses:\n  - name: app\n    state:\n      terminated:\n        exitCode: " + code + "\n")
		if len(set.Pods) == 1 && len(set.Pods[0].Status.ContainerStatuses) == 1 {
			if x := set.Pods[0].Status.ContainerStatuses[0].State.Terminated; x != nil && x.ExitCode == 0 {
				t.Errorf("exit code %s was read as 0", code)
			}
		}
	}
}

// Keys are exact; a key that differs in case is no key of Kubernetes. A key set twice is listed.
func TestKeys(t *testing.T) {
	for _, text := range []string{
		podYAML + "Status:\n  phase: Succeeded\n",
		strings.Replace(podYAML, "  phase: Running\n", "  phase: Running\n  Phase: Succeeded\n", 1),
		`{"kind":"Pod","metadata":{"name":"p"},"status":{"phase":"Running","Phase":"Succeeded"},"Status":{"phase":"Failed"}}`,
	} {
		set, _ := readText(text)
		if len(set.Pods) != 1 || set.Pods[0].Status.Phase != "Running" {
			t.Errorf("%s: %s", text, objects(set))
		}
	}
	for _, text := range []string{
		podYAML + "  phase: Succeeded\n",
		`{"kind":"Pod","metadata":{"name":"p"},"status":{"phase":"Running","phase":"Succeeded"}}`,
	} {
		set, problems := readText(text)
		if len(set.Pods) != 1 || len(problems) != 1 || !strings.Contains(problems[0].Message, "twice") {
			t.Errorf("%s: %v %s", text, problems, objects(set))
		}
	}
}

func TestBinary(t *testing.T) {
	for _, text := range []string{"\x00\x01\x02\x03", "\x1f\x8b\x08\x00\x00\x00", "PK\x03\x04\x00\x00", strings.Repeat("\x80\x02\x03", 99)} {
		set, problems := readText(text)
		if len(problems) != 1 || len(set.Pods)+len(set.Rows)+len(set.Notes) != 0 {
			t.Errorf("%q: %v", text, problems)
		}
	}
}

// Bytes of logs that are no UTF-8 cost their line.
func TestInvalidUTF8(t *testing.T) {
	set, problems := readText("caf\xe9 \xff\xfe log\n" + podYAML + "---\n" + strings.Replace(podYAML, "name: p", "name: q", 1))
	if len(set.Pods) != 2 {
		t.Errorf("%v %s", problems, objects(set))
	}
}

func TestServerVersions(t *testing.T) {
	for text, line := range map[string]int{
		fixture(t, "version.yaml"):     17,
		fixture(t, "version-raw.json"): 4,
		"{\"info\":{\"major\":\"1\",\n\"gitVersion\":\"v1.32.13\"},\"string\":\"v1.32.13\"}": 2,
	} {
		set, problems := readText(text)
		if len(problems) > 0 || len(set.Servers) != 1 || set.Servers[0].GitVersion != "v1.32.13" || set.Servers[0].Evidence.Line != line {
			t.Errorf("%v %+v", problems, set.Servers)
		}
	}
}

// Terminals turn runs of blanks into tabs, web pages into no-break spaces.
func TestTabsAndNoBreakSpaces(t *testing.T) {
	deep := strings.Replace(podYAML, "status:\n  phase: Running\n", "status:\n  containerStatuses:\n  - name: app\n    state:\n      terminated:\n        exitCode: 3\n  phase: Running\n", 1)
	for name, text := range map[string]string{
		"one tab for eight blanks": strings.ReplaceAll(deep, "        exit", "\texit"),
		"tabs for all indentation": "apiVersion: v1\nkind: Pod\nmetadata:\n\tname: p\n\tnamespace: n1\nstatus:\n\tphase: Running\n\tcontainerStatuses:\n\t- name: app\n\t  state:\n\t    terminated:\n\t      exitCode: 3\n",
		"no-break spaces":          strings.ReplaceAll(deep, "  ", "\u00a0\u00a0"),
		"in a list":                "apiVersion: v1\nitems:\n" + strings.ReplaceAll(indented(deep, "- ", "  "), "        ", "\t") + "kind: List\n",
		"mixed with blanks behind": strings.ReplaceAll(deep, "  ", "\u00a0 "),
	} {
		set, problems := readText(text)
		if len(set.Pods) != 1 || len(problems) != 1 || len(set.Pods[0].Status.ContainerStatuses) != 1 {
			t.Errorf("%s: %v %s", name, problems, objects(set))
			continue
		}
		if x := set.Pods[0].Status.ContainerStatuses[0].State.Terminated; x == nil || x.ExitCode != 3 || set.Pods[0].Status.Phase != "Running" {
			t.Errorf("%s: %+v", name, set.Pods[0].Status)
		}
	}
}

func TestPowerShellError(t *testing.T) {
	set, _ := readText("kubectl : Error from server (Forbidden): pods is forbidden: User \"x\" cannot list\nAt line:1 char:1\n+ kubectl get pods\n+ ~~~~\n    + CategoryInfo : NotSpecified\n" + podYAML)
	if len(set.Notes) != 1 || set.Notes[0].Class != "forbidden" || len(set.Pods) != 1 {
		t.Errorf("%v %s", set.Notes, objects(set))
	}
}
