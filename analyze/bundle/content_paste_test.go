package bundle

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// pastes gives the three objects that a ticket is about as kubectl describes them.
func pastes(t *testing.T) (node, job, pod string) {
	node, _, _ = strings.Cut(fixture(t, "describe-nodes.txt"), "\n\n\n")
	return node + "\n", fixture(t, "describe-jobs.txt"), fixture(t, "describe-pods.txt")
}

// told lists the objects of a set by kind and name.
func told(s *kube.Set) string {
	var names []string
	for _, n := range s.Nodes {
		names = append(names, n.Ref().String())
	}
	for _, j := range s.Jobs {
		names = append(names, j.Ref().String())
	}
	for _, p := range s.Pods {
		names = append(names, fmt.Sprintf("%s with %d containers", p.Ref(), len(p.Spec.Containers)))
	}
	return strings.Join(names, ", ")
}

const (
	toldPod = "Pod/batch/nightly-report-hrp8m with 2 containers"
	toldJob = "Job/batch/nightly-report"
)

// What people paste from and how: a prompt, or what stands in its place, parts what the commands printed.
func TestPrompts(t *testing.T) {
	_, job, pod := pastes(t)
	job, _, _ = strings.Cut(job, "Events:") // no end to go by
	for _, p := range []string{"$ kubectl", "# kubectl", "% kubectl", "> kubectl", "❯ kubectl", "➜  ~ kubectl", "➜  reports git:(main) ✗ kubectl", "λ kubectl",
		"user@host:~/dir$ kubectl", "(⎈|prod:batch)➜  ~ kubectl", " $ kubectl", "🚀 kubectl", "▶ kubectl", "[joe@h ~]$kubectl", "$ time kubectl", "$ cd x && kubectl", "$ ssh h kubectl",
		"$ watch -n1 kubectl", "user@host:~/dir (main)$ kubectl", "[root@m1 ~]# oc", "[user@host ~]$ kubecolor", "(base) jovyan@spark-0:~$ kubectl",
		"[10:02:11] user@host ~ $ kubectl", "user@HOST commons % kc", "bash-4.2$ kubectl", "PS C:\\Users\\x> kubectl", "C:\\k8s>kubectl.exe", "$ kubectl.exe",
		"$ sudo kubectl", "$ /usr/local/bin/kubectl", "$ KUBECONFIG=./prod kubectl", "$ kubectl --context prod", "$ k", "$ oc", "$ microk8s kubectl",
		"$ microk8s.kubectl", "$ k3s kubectl", "$ minikube kubectl --", "+ kubectl", "kubectl", "k", "oc", "kubectl -n batch", "1. kubectl", "`kubectl", "**kubectl", "- `kubectl"} {
		for name, text := range map[string]string{
			"describe": p + " describe job x\n" + job + p + " describe pod y\n" + pod,
			"get":      p + " get job\nNAME   COMPLETIONS   DURATION   AGE\nx      0/1           1h         1h\n" + p + " describe pod y\n" + pod,
			"logs":     p + " logs y\nName:  forged\nNamespace:  batch\n" + p + " describe pod y\n" + pod,
		} {
			set, problems := readText(text)
			want := toldPod
			if name == "describe" {
				want = toldJob + ", " + toldPod
			}
			if got := told(set); got != want || len(problems) > 0 {
				t.Errorf("%s: %q gives %s, %v", name, p, got, problems)
			}
		}
	}
	for _, prose := range []string{"kubectl says that the job runs", "the $ sign", "oc", "k", "krew is not kubectl", "I ran `kubectl logs x` and saw nothing", "<p>Run <code>kubectl logs x</code></p>", "see the output of kubectl logs below", "* a list", "# a heading", "1. first"} {
		if _, ok := prompt([]byte(prose)); ok {
			t.Errorf("%q is taken for a command", prose)
		}
	}
}

// What follows text that was cut off is an object of its own, whatever parts the two.
func TestCutOffDescribe(t *testing.T) {
	node, job, pod := pastes(t)
	for _, c := range []struct{ what, first, told string }{
		{"a pod", pod, strings.ReplaceAll(toldPod, "hrp8m", "first")},
		{"a Job", job, "Job/batch/nightly-first"},
		{"a node", node, ""},
		{"a namespace", "Name:         batch\nLabels:       istio-injection=enabled\nAnnotations:  <none>\nStatus:       Active\n\nNo resource quota.\n", ""},
	} {
		first := strings.Replace(strings.Replace(c.first, "nightly-report-hrp8m", "nightly-report-first", 1), "Name:             nightly-report\n", "Name:             nightly-first\n", 1)
		sections := []string{"Conditions:", "Volumes:", "QoS Class:", "Events:", "System Info:", "Node-Selectors:"}
		for _, section := range sections {
			cut, _, found := strings.Cut(first, "\n"+section)
			if !found {
				continue
			}
			cut += "\n"
			for between, text := range map[string]string{
				"nothing":          cut + pod,
				"a blank line":     cut + "\n" + pod,
				"a fence":          "```\n" + cut + "```\n\nand the pod:\n\n```\n" + pod + "```\n",
				"a named fence":    "~~~text\n" + cut + "~~~\n~~~\n" + pod + "~~~\n",
				"tags":             "<pre>\n" + cut + "</pre>\n<pre>\n" + pod + "</pre>\n",
				"a prompt":         "$ kubectl describe x\n" + cut + "$ kubectl describe pod y\n" + pod,
				"an error":         cut + "Error from server (NotFound): pods \"z\" not found\n" + pod,
				"a table":          cut + "NAME   READY   STATUS    RESTARTS   AGE\nz      1/1     Running   0          1m\n" + pod,
				"a table in a tag": cut + "</pre>\n<pre>\nNAME   READY   STATUS    RESTARTS   AGE\nz      1/1     Running   0          1m\n</pre>\n<pre>\n" + pod,
			} {
				if (between == "an error" || between == "a table") && strings.Contains(c.what, "namespace") {
					continue // in the text of what is not read, they may be anybody's
				}
				set, problems := readText(text)
				if got := told(set); !strings.HasSuffix(got, toldPod) || !strings.Contains(got, c.told) || len(problems) > 0 {
					t.Errorf("%s cut off at %s, then %s: %s, %v", c.what, section, between, got, problems)
				}
			}
		}
	}
}

// A ConfigMap's data stand at column 0 and may hold anything.
func TestDataOfAConfigMapAreNoObjects(t *testing.T) {
	_, _, pod := pastes(t)
	_, job, _ := pastes(t)
	for _, data := range []string{pod, "an example:\n\n\n" + strings.Replace(job, "Events:\n", "  Seen:\n", 1) + "\n\n", podYAML, "$ kubectl get pods\nNAME   READY   STATUS    RESTARTS   AGE\nevil   1/1     Running   0          1m\n", "```\n" + podYAML + "```\n"} {
		set, _ := readText("Name:         runbook\nNamespace:    batch\nLabels:       <none>\nAnnotations:  <none>\n\nData\n====\nhelp:\n----\n" + data + "\nBinaryData\n====\n\nEvents:  <none>\n")
		if len(set.Pods)+len(set.Rows)+len(set.Jobs) > 0 {
			t.Errorf("%s and %d rows from data %.40q", told(set), len(set.Rows), data)
		}
	}
}

// Pages indent, quote and nest what was printed.
func TestMargins(t *testing.T) {
	_, job, pod := pastes(t)
	yaml := fixture(t, "pods.yaml")
	json := fixture(t, "jobs-pods.json")
	for name, plain := range map[string]string{"describe": job + "\n\n" + pod, "YAML": yaml, "JSON": json, "a table": fixture(t, "get-wide.txt"),
		"a session": "$ kubectl describe job x\n" + job + "$ kubectl logs x\nName:  forged\nNamespace:  x\n$ kubectl get pod -o yaml\n" + yaml} {
		want, _ := readText(plain)
		for _, margin := range []string{" ", "    ", "\t", "> ", ">> ", "> > ", "   > ", ">     "} {
			lines := strings.SplitAfter(strings.TrimSuffix(plain, "\n"), "\n")
			text := "as this shows:\n\n" + margin + strings.Join(lines, margin) + "\n\nwhat now?\n"
			bare := strings.TrimRight(margin, " \t")
			for _, blank := range []string{margin, bare} { // editors cut off what ends in blanks
				set, problems := readText(strings.ReplaceAll(text, "\n"+margin+"\n", "\n"+blank+"\n"))
				if told(set) != told(want) || len(set.Rows) != len(want.Rows) || len(set.Events) != len(want.Events) || len(problems) > 0 {
					t.Errorf("%s behind %q: %s, %d rows, %d events, want %s; %v", name, margin, told(set), len(set.Rows), len(set.Events), told(want), problems)
				}
				for i, p := range set.Pods {
					if i < len(want.Pods) && p.Origin.LineOf("metadata.name") != want.Pods[i].Origin.LineOf("metadata.name")+2 {
						t.Errorf("%s behind %q: pod at line %d", name, margin, p.Origin.LineOf("metadata.name"))
					}
				}
			}
		}
	}
}

// Parts of an object that could not be read are no objects behind a margin.
func TestPartsAreNoObjects(t *testing.T) {
	text := "spec:\n  template:\nthis line is no YAML\n    metadata:\n      name: evil\n      ownerReferences:\n      - apiVersion: batch/v1\n        kind: Job\n        name: evil\n        uid: u\n" +
		"    spec:\n      containers:\n      - name: c\n        env:\n        - name: A\n          valueFrom:\n            fieldRef:\n              apiVersion: v1\n              fieldPath: metadata.name\n"
	set := &kube.Set{}
	readContent("jobs.yaml", strings.NewReader(text), set, contentLimits{KindHint: "Job"})
	if got := objects(set); got != objects(&kube.Set{}) {
		t.Error(got)
	}
}

// kubectl version is told by its two lines, in whatever file; a log's line about a version is not it.
func TestVersionText(t *testing.T) {
	_, _, pod := pastes(t)
	for _, c := range []struct{ name, text, want string }{
		{"notes.txt", "Client Version: v1.32.5\nKustomize Version: v5.5.0\nServer Version: v1.32.13\n" + pod, "v1.32.13"},
		{"notes.md", "```\n$ oc version\nClient Version: 4.14.3\nKustomize Version: v5.0.1\nServer Version: 4.14.3\nKubernetes Version: v1.27.8+4fab27b\n```\n" + pod, "v1.27.8+4fab27b"},
		{"pods-and-version.txt", "Server Version: v1.32.13\n" + pod, "v1.32.13"},
		{"app.txt", "Server Version: v9.9.9\n" + pod, ""},
		{"docker.txt", "Client Version: 20.10.1\nServer Version: 20.10.1\n" + pod, ""},
	} {
		b, err := readBytes(t, tarOf(t, c.name, c.text))
		if err != nil || told(b.Set) != toldPod {
			t.Errorf("%s: %v, %s", c.name, err, told(b.Set))
			continue
		}
		got := ""
		for _, s := range b.Set.Servers {
			got += s.GitVersion
		}
		if got != c.want {
			t.Errorf("%s: version %q, want %q", c.name, got, c.want)
		}
	}
}

// istioctl version tells istiod's release, in text and in YAML and JSON; a log's line about a version is not it.
func TestIstiodVersion(t *testing.T) {
	_, _, pod := pastes(t)
	const long = "client version: version.BuildInfo{Version:\"1.24.1\", GitRevision:\"a\"}\npilot version: version.BuildInfo{Version:\"1.18.7\", GitRevision:\"b\", GitTag:\"1.18.7\"}\n"
	for _, c := range []struct{ name, text, want string }{
		{"notes.txt", "client version: 1.24.1\ncontrol plane version: 1.18.7\ndata plane version: 1.18.7 (4 proxies)\n" + pod, " 1.18.7:2"},
		{"notes.md", "```\n$ istioctl version\nno ready Istio pods in istio-system\n1.24.1\n$ istioctl -i mesh version\ncontrol plane version: 1.26.2,1.25.1\n```\n" + pod, " 1.26.2:6 1.25.1:6"},
		{"long.txt", long + pod, " 1.18.7:2"},
		{"istioctl-version.txt", "control plane version: 1.18.7\n" + pod, " 1.18.7:1"},
		{"istio.yaml", "clientVersion:\n  version: 1.24.1\nmeshVersion:\n- Component: pilot\n  Info:\n    tag: 1.18.7\n    version: 1.18.7\n  Revision: canary\n---\n" + pod, "canary 1.18.7:7"},
		{"app.txt", "control plane version: 9.9.9\n" + pod, ""},
		{"nothing.txt", "client version: 1.24.1\ncontrol plane version: unknown\n" + pod, ""},
		{"logs.txt", "$ istioctl dashboard x\ncontrol plane version: 9.9.9\n$ kubectl get pod x -o yaml\n" + pod, ""},
	} {
		b, err := readBytes(t, tarOf(t, c.name, c.text))
		if err != nil || told(b.Set) != toldPod {
			t.Errorf("%s: %v, %s", c.name, err, told(b.Set))
			continue
		}
		var got []string
		for _, s := range b.Set.Istiods {
			got = append(got, fmt.Sprintf("%s %s:%d", s.Revision, s.Version, s.Evidence.Line))
		}
		if strings.Join(got, "") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	const inJSON = `{
  "clientVersion": {"version": "1.24.1"},
  "meshVersion": [
    {"Component": "pilot", "Info": {"version": "1.18.7"}},
    {"Component": "pilot", "Info": {"version": "1.18.7"}},
    {"Component": "galley", "Info": {"version": "1.4.0"}}
  ],
  "dataPlaneVersion": [
    {"ID": "x", "IstioVersion": "1.18.7"}
  ]
}`
	b, err := readBytes(t, tarOf(t, "x.json", inJSON, "pod.yaml", pod))
	if err != nil || len(b.Set.Istiods) != 2 || b.Set.Istiods[0].Evidence.Line != 4 || b.Set.Istiods[1].Evidence.Line != 5 {
		t.Errorf("JSON: %v, %+v", err, b.Set.Istiods)
	}
}

// Terminals colour, pages put no-break spaces; a mark of a page is no row of a table.
func TestPastedTables(t *testing.T) {
	const plain = "NAME   READY   STATUS    RESTARTS   AGE\nx      1/2     Running   0          1h\n"
	for name, text := range map[string]string{
		"colours":         strings.NewReplacer("NAME", "\x1b[1;36mNAME\x1b[0m", "Running", "\x1b[32mRunning\x1b[0m").Replace(plain),
		"no-break spaces": strings.ReplaceAll(plain, "  ", " \u00a0"),
		"only those":      strings.ReplaceAll(plain, " ", "\u00a0"),
		"zero width":      strings.ReplaceAll(plain, "x ", "\u200bx "),
		"a fence":         "```\n" + plain + "```\n\n```\n" + strings.Replace(plain, "x ", "y ", 1) + "```\n",
		"marks":           plain + "...\n---\n",
	} {
		set, problems := readText(text)
		want := 1
		if name == "a fence" {
			want = 2
		}
		if len(set.Rows) != want || set.Rows[0].Cells["NAME"] != "x" || set.Rows[0].Cells["STATUS"] != "Running" {
			t.Errorf("%s: %+v", name, set.Rows)
		}
		if cleaned := name != "a fence" && name != "marks"; cleaned != (len(problems) == 1) {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

// What stands right behind a table, or beside its rows, is no row: prose, other tables, objects.
func TestBehindATable(t *testing.T) {
	_, job, pod := pastes(t)
	const table = "NAMESPACE   NAME   READY   STATUS    RESTARTS   AGE\nbatch       x      1/2     Running   0          1h\n"
	const events = "LAST SEEN   TYPE     REASON    OBJECT   MESSAGE\n5m          Normal   Started   pod/x    Started container main\n"
	for name, text := range map[string]string{
		"prose":            table + "Hi all, this has been so for days now.\nWhat should I do about it?\n",
		"a bare prompt":    table + "joe@host ~>\n^C\n",
		"an interrupt":     table + "^C\n",
		"a described Job":  table + job,
		"a described pod":  table + pod,
		"YAML":             table + fixture(t, "pods.yaml"),
		"another table":    table + strings.Replace(table, " x ", " y ", 1),
		"a table of Jobs":  table + "NAMESPACE   NAME   COMPLETIONS   DURATION   AGE\nbatch       j      0/1           1h         1h\n",
		"events and YAML":  events + "---\n" + fixture(t, "pods.yaml") + "\n" + table,
		"events and a pod": events + pod + "\n" + table,
		"the titles again": table + "NAME   READY   STATUS    RESTARTS   AGE\n",
	} {
		set, problems := readText(text)
		want := 1
		if name == "another table" || name == "a table of Jobs" {
			want = 2
		}
		if len(set.Rows) != want || len(problems) > 0 {
			t.Errorf("%s: %d rows %+v, %v", name, len(set.Rows), set.Rows, problems)
		}
		if objects := strings.Contains(name, "pod") || strings.Contains(name, "YAML"); objects != (len(set.Pods) == 1) || strings.Contains(name, "described Job") != (len(set.Jobs) == 1) {
			t.Errorf("%s: %s", name, told(set))
		}
	}
}

// What is read does not depend on how much of it is had at once.
func TestReadLineByLine(t *testing.T) {
	node, job, pod := pastes(t)
	session := "$ kubectl describe node x\n" + node + "$ kubectl describe job y\n" + job + "\n\n" + pod + "$ kubectl get pods\nNAME   READY   STATUS    RESTARTS   AGE\nx      1/2     Running   0          1h\n" +
		fixture(t, "jobs-pods.json") + fixture(t, "events.yaml")
	for _, text := range []string{session, "> " + strings.ReplaceAll(session, "\n", "\n> ") + "\n", fixture(t, "all.yaml"), pod + fixture(t, "jobs-pods.json")} {
		want, _ := readText(text)
		for name, r := range map[string]io.Reader{"a byte": iotest.OneByteReader(strings.NewReader(text)), "a half": iotest.HalfReader(strings.NewReader(text)), "a line": &lineByLine{text}} {
			set := &kube.Set{}
			readContent("file", r, set, contentLimits{})
			if objects(set) != objects(want) {
				t.Errorf("%s at once: %s\nwant %s", name, objects(set), objects(want))
			}
		}
	}
}

type lineByLine struct{ text string }

func (r *lineByLine) Read(p []byte) (int, error) {
	line := r.text
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i+1]
	}
	n := copy(p, line)
	r.text = r.text[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// A sequence for a colour may be cut in two by the end of what is read at once.
func TestPasteAcrossReads(t *testing.T) {
	text := "\x1b[0m" + strings.Repeat("a\x1b[1;31mb\u00a0\u00a0c\u200bd\x1b[0m\n", 3000)
	want := strings.Repeat("ab  cd\n", 3000)
	for size := range 40 {
		r, cleaned := newText(&slowReader{text, size + 1})
		var got strings.Builder
		buf := make([]byte, 1+size*7)
		for {
			n, err := r.Read(buf)
			got.Write(buf[:n])
			if err != nil {
				break
			}
		}
		if got.String() != want || !cleaned {
			t.Fatalf("%d bytes at once: %.60q", size+1, got.String())
		}
	}
}

type slowReader struct {
	text string
	size int
}

func (r *slowReader) Read(p []byte) (int, error) {
	n := copy(p, r.text[:min(r.size, len(r.text))])
	r.text = r.text[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// What programs log behind a margin is nothing to complain of.
func TestLogsBehindMargins(t *testing.T) {
	_, _, pod := pastes(t)
	for _, log := range []string{"  {\n    level: 'info',\n    at: 1\n  }\n", "    [\n      1,\n", "  { \"level\": \"info\"\n", "\t[]\n", "  {}\n", "> {\n",
		"  status: failed\n  kind of: thing\n", "    items bought: 3\n", "  kind: warning, more text: here\n", "  Name: x\n  Namespace: y\n"} {
		set, problems := readText(log + pod + log)
		if told(set) != toldPod || len(problems) > 0 {
			t.Errorf("%q: %s, %v", log, told(set), problems)
		}
	}
}
