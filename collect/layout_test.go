package collect

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// The tree is the one that must-gather viewers open: one top folder with directory entries, objects by namespace.
func TestLayout(t *testing.T) {
	t.Parallel()
	res := healthyRun(t)
	if res.exit != 0 || res.bundle == nil {
		t.Fatalf("exit %d\n%s", res.exit, res.stderr)
	}
	b := res.bundle
	if !regexp.MustCompile(`^sidecar-must-gather-kind-prod-\d{8}T\d{6}Z$`).MatchString(b.top) {
		t.Errorf("top folder %q", b.top)
	}
	if h := b.headers[0]; h.Typeflag != tar.TypeDir || strings.TrimSuffix(h.Name, "/") != b.top {
		t.Errorf("the first entry is %q, viewers need the top folder's own entry", h.Name)
	}
	dirs := map[string]bool{}
	for _, h := range b.headers {
		name := strings.TrimSuffix(h.Name, "/")
		if h.Typeflag == tar.TypeDir {
			dirs[name] = true
		} else if h.Typeflag != tar.TypeReg {
			t.Errorf("%s: only folders and files are expected, no links", h.Name)
		}
		if parent := path.Dir(name); name != b.top && !dirs[parent] {
			t.Errorf("%s has no entry for its folder before it", h.Name)
		}
		if h.Mode&0o077 != 0 {
			t.Errorf("%s: mode %o is open to others", h.Name, h.Mode)
		}
	}
	for _, want := range []string{
		"version", "timestamp", "collection.json", "version.json", "errors.txt",
		"cluster-scoped-resources/core/nodes.yaml",
		"namespaces/batch/batch.yaml", "namespaces/istio-system/istio-system.yaml",
		"namespaces/batch/core/pods.yaml", "namespaces/batch/core/events.yaml",
		"namespaces/batch/batch/jobs.yaml", "namespaces/batch/batch/cronjobs.yaml",
		"namespaces/istio-system/apps/deployments.yaml", "namespaces/istio-system/apps/replicasets.yaml",
		"describe/pods.txt", "describe/jobs.txt", "describe/cronjobs.txt", "describe/nodes.txt",
	} {
		if b.files[want] == "" {
			t.Errorf("%s is missing or empty", want)
		}
	}
	if _, bad := b.files["version.yaml"]; bad {
		t.Error("version.yaml at the root is the marker of two other formats")
	}
	if got := strings.Split(b.files["version"], "\n")[0]; got != "sidecar-must-gather/must-gather" {
		t.Errorf("version starts with %q", got)
	}
	for name, text := range b.files {
		if strings.HasSuffix(name, ".yaml") && yaml.Unmarshal([]byte(text), new(any)) != nil {
			t.Errorf("%s is no YAML", name)
		}
	}
	if res.mode != 0o600 {
		t.Errorf("the tarball has mode %o", res.mode)
	}
	if len(res.left) != 1 {
		t.Errorf("%d entries in the output folder, want the tarball alone", len(res.left))
	}
}

// What stands on standard output can be pasted into a ticket.
func TestSummary(t *testing.T) {
	t.Parallel()
	res := run{}.on(t, healthy(t).with(forbidden("get nodes", "nodes", "", "at the cluster scope")))
	raw, err := os.ReadFile(res.tarballs[0])
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(raw)
	for _, want := range []string{res.tarballs[0], hex.EncodeToString(sum[:]), "kind-prod", "v1.32.13", "redaction: true",
		`nodes: forbidden; needs the right to list resource "nodes" in API group "" at the cluster scope`} {
		if !strings.Contains(res.stdout, want) {
			t.Errorf("%q is not in the summary:\n%s", want, res.stdout)
		}
	}
	if res.exit != 3 {
		t.Errorf("exit %d, want 3: something is missing", res.exit)
	}
}

func TestManifest(t *testing.T) {
	t.Parallel()
	res := run{args: []string{"--selector", `tier in (a,b)`}}.on(t, healthy(t).with(
		answer{words: "get events", out: emptyList, exit: 1, err: "Error from server: a \"quoted\"\tand \\ bad \xff byte\nsecond line\n"}))
	m := res.bundle.manifest
	if m.Tool != "sidecar-must-gather" || m.Version == "" || m.Schema != 1 || m.Context != "kind-prod" ||
		m.ServerVersion != "v1.32.13" || !m.Redaction || m.Interrupted {
		t.Errorf("head: %+v", m)
	}
	if m.Started.IsZero() || m.Finished.Before(m.Started) || time.Since(m.Started) > time.Hour {
		t.Errorf("times: %s to %s", m.Started, m.Finished)
	}
	if got := m.Arguments[len(m.Arguments)-1]; got != "tier in (a,b)" {
		t.Errorf("arguments: %q", m.Arguments)
	}
	if len(m.Permissions) < 10 || m.Permissions[0].Allowed != "yes" || m.Permissions[0].Namespace != "*" {
		t.Errorf("permissions: %+v", m.Permissions)
	}
	if len(m.Steps) != len(res.commands) {
		t.Errorf("%d steps for %d commands", len(m.Steps), len(res.commands))
	}
	seen := map[string]bool{}
	for i, s := range m.Steps {
		if seen[s.ID] {
			t.Errorf("step %q occurs twice", s.ID)
		}
		seen[s.ID] = true
		if want := strings.ReplaceAll(s.Command, "'", ""); !strings.HasSuffix(want, res.commands[i]) {
			t.Errorf("step %q says %q, kubectl was asked %q", s.ID, s.Command, res.commands[i])
		}
		for _, f := range s.Files {
			if _, ok := res.bundle.files[f]; !ok {
				t.Errorf("step %q names %q, which is not in the bundle", s.ID, f)
			}
		}
	}
	events := res.bundle.step(t, "events")
	if events.Exit != 1 || events.ErrorClass != "other" || len(events.Files) != 0 ||
		events.Stderr != `Error from server: a "quoted"?and \ bad ? byte`+"\nsecond line" {
		t.Errorf("events: %+v", events)
	}
	if pods := res.bundle.step(t, "pods"); pods.Items != 1 || pods.Bytes < 10000 || len(pods.Files) != 1 {
		t.Errorf("pods: %+v", pods)
	}
	if !strings.Contains(strings.Join(m.Missing, "\n"), `events: other: Error from server: a "quoted"?and`) {
		t.Errorf("missing: %q", m.Missing)
	}
}

func TestErrorClasses(t *testing.T) {
	t.Parallel()
	fails := func(words, stderr string) answer {
		return answer{words: words, out: emptyList, err: stderr + "\n", exit: 1}
	}
	res := run{}.on(t, healthy(t).with(
		fails("get pods", "error: You must be logged in to the server (Unauthorized)"),
		fails("get cronjobs.batch", "error: the server doesn't have a resource type \"cronjobs\""),
		fails("get nodes", "Unable to connect to the server: dial tcp 192.0.2.1:6443: i/o timeout"),
		fails("get events", "Error from server (Timeout): the server was unable to return a response in the time allotted"),
		fails("get replicasets.apps", "error: something else")))
	if want := "cronjobs: notFound: error: the server doesn't have a resource type"; res.exit != 3 || !strings.Contains(res.stdout, want) {
		t.Errorf("exit %d, a list that was not answered is missing:\n%s", res.exit, res.stdout)
	}
	for id, class := range map[string]string{"pods": "forbidden", "cronjobs": "notFound", "nodes": "unreachable", "events": "timeout", "istiod-replicasets": "other", "jobs": ""} {
		if got := res.bundle.step(t, id).ErrorClass; got != class {
			t.Errorf("%s: class %q, want %q", id, got, class)
		}
	}
}

// The page on the collector, its script and its limits are held together here.
func TestScriptItself(t *testing.T) {
	t.Parallel()
	if n := strings.Count(Script, "\n"); n >= 400 {
		t.Errorf("%d lines; a reviewer was promised fewer than 400", n)
	}
	out, err := exec.Command("sh", "-n", "collect.sh").CombinedOutput()
	if err != nil {
		t.Errorf("sh -n: %v\n%s", err, out)
	}
	if path, err := exec.LookPath("shellcheck"); err != nil {
		t.Log("shellcheck is not installed here")
	} else if out, err := exec.Command(path, "collect.sh").CombinedOutput(); err != nil {
		t.Errorf("shellcheck: %v\n%s", err, out)
	}
}
