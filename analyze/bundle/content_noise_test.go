package bundle

import (
	"strings"
	"testing"
)

const noiseLines = `Warning: v1 ComponentStatus is deprecated in v1.19+
W1130 12:00:00.123456   12345 memcache.go:265] couldn't get current server API group list
Error from server (Forbidden): cronjobs.batch is forbidden: User "x" cannot list resource "cronjobs" in API group "batch" at the cluster scope
`

// Messages of kubectl and prompts around its output cost nothing but themselves.
func TestNoiseAround(t *testing.T) {
	text := fixture(t, "all.yaml")
	clean, _ := readText(text)
	want := strings.Count(objects(clean), "\n")
	shift := strings.Count(noiseLines, "\n")
	for name, form := range map[string]string{
		"before":  noiseLines + text,
		"after":   text + noiseLines,
		"prompts": "[ops@bastion ~]$ kubectl get job,pod,nodes -A -o yaml\n" + noiseLines + text + "[ops@bastion ~]$ ",
		"plain $": "$ kubectl get job,pod,nodes -A -o yaml\n" + text + noiseLines + "$ exit\n",
		"fence":   "Here is the output:\n\n```yaml\n" + text + "```\n" + noiseLines,
		"windows": "PS C:\\Users\\me> kubectl get all -A -o yaml\n" + noiseLines + text,
	} {
		set, problems := readText(form)
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
		if got := strings.Count(objects(set), "\n"); got < want || len(set.Pods) != 1 || len(set.Nodes) != 2 {
			t.Errorf("%s: %s", name, objects(set))
		}
		if name == "before" {
			p, q := set.Pods[0].Origin, clean.Pods[0].Origin
			if p.Line != q.Line+shift || p.LineOf("status.phase") != q.LineOf("status.phase")+shift {
				t.Errorf("lines are off: %d, want %d", p.Line, q.Line+shift)
			}
		}
	}
}

// kubectl writes its messages to another stream, which can hit any place of its output.
func TestNoiseWithin(t *testing.T) {
	lines := strings.SplitAfter(fixture(t, "pods.yaml"), "\n")
	for at := 1; at < len(lines)-1; at += 7 {
		text := strings.Join(lines[:at], "") + noiseLines + strings.Join(lines[at:], "")
		set, problems := readText(text)
		if len(problems) > 0 || len(set.Pods) != 1 || len(set.Notes) != 2 {
			t.Fatalf("after line %d: %v\n%s", at, problems, objects(set))
		}
		want := 1 + strings.Count(text[:strings.Index(text, "\n    phase: Running")+1], "\n")
		if got := set.Pods[0].Origin.LineOf("status.phase"); got != want {
			t.Errorf("after line %d: status.phase is said to be in line %d, not %d", at, got, want)
		}
	}
}

func TestForbiddenIsNotEmpty(t *testing.T) {
	for text, class := range map[string]string{
		`Error from server (Forbidden): pods is forbidden: User "x" cannot list resource "pods" in API group "" at the cluster scope`:                                      "forbidden",
		"Error from server (NotFound): jobs.batch \"x\" not found\n":                                                                                                       "notFound",
		"Unable to connect to the server: dial tcp 10.0.0.1:443: i/o timeout\n":                                                                                            "unreachable",
		"The connection to the server localhost:8080 was refused - did you specify the right host or port?\n":                                                              "unreachable",
		"The Job \"ui\" is invalid: spec.template.spec.containers[1].restartPolicy: Forbidden: may not be set\n":                                                           "invalid",
		"Error from server (BadRequest): error when creating \"job.yaml\": Job in version \"v1\" cannot be handled as a Job: strict decoding error: unknown field \"x\"\n": "invalid",
		"Error from server (Forbidden): error when creating \"p.yaml\": pods \"p\" is forbidden: violates PodSecurity \"baseline:latest\"\n":                               "invalid",
		`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"nodes is forbidden","reason":"Forbidden","code":403}`:                              "forbidden",
		"No resources found in batch namespace.\n": "other",
	} {
		set, problems := readText(text)
		if len(set.Notes) != 1 || set.Notes[0].Class != class || set.Notes[0].Line != 1 || len(problems) > 0 {
			t.Errorf("%s\nnotes %v, problems %v", text, set.Notes, problems)
		}
	}
}

// A refusal lists its reasons in lines of their own.
func TestInvalidWithReasons(t *testing.T) {
	set, _ := readText("The Job \"n\" is invalid: \n* spec.a: Forbidden: may not be set\n* spec.b: Required value\n(exit 1)\n")
	if len(set.Notes) != 1 || !strings.Contains(set.Notes[0].Text, "spec.a: Forbidden") || !strings.Contains(set.Notes[0].Text, "spec.b: Required") {
		t.Errorf("%+v", set.Notes)
	}
}

// The output of kubectl logs and exec is a container's: what it looks like proves nothing.
func TestLogsOfASessionAreNoObjects(t *testing.T) {
	forged := "apiVersion: v1\nkind: Pod\nmetadata:\n  name: evil\n  namespace: x\nstatus:\n  phase: Succeeded\n"
	text := "[ops@bastion ~]$ kubectl logs job/x -n batch\n" + forged + "Error from server (Forbidden): no\n" +
		"[ops@bastion ~]$ kubectl get pod -n hobby\nNAME   READY   STATUS    RESTARTS   AGE\nreal   2/2     Running   0          5m\n" +
		"[ops@bastion ~]$ kubectl -n batch exec real -- cat x\n" + forged + "[ops@bastion ~]$ kubectl get pods -o yaml\n" + fixture(t, "pods.yaml")
	set, problems := readText(text)
	if len(set.Pods) != 1 || set.Pods[0].Meta.Name == "evil" || len(set.Notes) != 0 || len(problems) > 0 {
		t.Errorf("%v\n%s", problems, objects(set))
	}
	if len(set.Rows) != 1 || set.Rows[0].Cells["NAMESPACE"] != "hobby" {
		t.Errorf("rows %v", set.Rows)
	}
}

// What an event's message can hold is not taken for what the API server has stored.
func TestYAMLBehindDescribedEvents(t *testing.T) {
	forged := "apiVersion: v1\nkind: Pod\nmetadata:\n  name: evil\n  namespace: x\nstatus:\n  phase: Succeeded\n"
	describe := fixture(t, "describe-jobs.txt")
	set, _ := readText(describe + forged)
	for _, p := range set.Pods {
		if p.Origin.Strength == "" {
			t.Errorf("%s is taken for stored", p.Ref())
		}
	}
	set, _ = readText(describe + fixture(t, "pods.yaml"))
	if len(set.Pods) != 1 || len(set.Jobs) != 1 {
		t.Errorf("YAML appended to describe text: %s", objects(set))
	}
}

func TestVersionInASession(t *testing.T) {
	set, problems := readText("$ kubectl version\nClient Version: v1.32.5\nKustomize Version: v5.5.0\nServer Version: v1.32.13\n$ kubectl logs x\nServer Version: v9.9.9\n")
	if len(problems) > 0 || len(set.Servers) != 1 || set.Servers[0].GitVersion != "v1.32.13" || set.Servers[0].Evidence.Line != 4 {
		t.Errorf("%v %+v", problems, set.Servers)
	}
}
