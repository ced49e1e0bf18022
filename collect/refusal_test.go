package collect

import (
	"strings"
	"testing"
)

// nobody may do nothing but ask for the version, as a real API server answers it.
func nobody() cluster {
	return cluster{answers: []answer{
		{words: "version -o json", out: versionJSON},
		{words: "config current-context", out: "restricted\n"},
		{words: "auth can-i", out: "no\n", exit: 1},
		forbidden("get pods", "pods", "", "at the cluster scope"),
		forbidden("get jobs.batch", "jobs", "batch", "at the cluster scope"),
		forbidden("get cronjobs.batch", "cronjobs", "batch", "at the cluster scope"),
		forbidden("get ", "things", "", "at the cluster scope"),
		forbidden("describe ", "things", "", "at the cluster scope"),
	}}
}

// Without permission kubectl prints a valid EMPTY list and exits 1. Stored, it would say "none exist".
func TestForbiddenEverything(t *testing.T) {
	t.Parallel()
	res := run{}.on(t, nobody())
	if res.exit != 3 {
		t.Errorf("exit %d, want 3", res.exit)
	}
	for name := range res.bundle.files {
		switch name {
		case "version", "timestamp", "collection.json", "version.json", "errors.txt":
		default:
			t.Errorf("%s was stored, though nothing was answered", name)
		}
	}
	m := res.bundle.manifest
	if m.ServerVersion != "v1.32.13" || m.Permissions[0].Allowed != "no" {
		t.Errorf("manifest: %q, %+v", m.ServerVersion, m.Permissions[0])
	}
	for _, s := range m.Steps {
		asked := strings.Contains(s.Command, "kubectl get ") || strings.Contains(s.Command, "kubectl describe ")
		if asked && (s.ErrorClass != "forbidden" || s.Exit != 1 || len(s.Files) != 0 || s.Stderr == "") {
			t.Errorf("step %+v", s)
		}
		if strings.Contains(s.Command, " can-i ") && s.ErrorClass != "" {
			t.Errorf("\"no\" is an answer, not an error: %+v", s)
		}
	}
	if want := `jobs: forbidden; needs the right to list resource "jobs" in API group "batch" at the cluster scope`; !strings.Contains(res.stdout, want) {
		t.Errorf("%q is not in the summary:\n%s", want, res.stdout)
	}
	if !strings.Contains(res.bundle.files["errors.txt"], "pods is forbidden") {
		t.Errorf("errors.txt:\n%s", res.bundle.files["errors.txt"])
	}
}

// A cluster-wide list that is forbidden is asked for again, namespace by namespace.
func TestForbiddenClusterWide(t *testing.T) {
	t.Parallel()
	wide := []answer{
		forbidden("get pods --all-namespaces", "pods", "", "at the cluster scope"),
		forbidden("get jobs.batch --all-namespaces", "jobs", "batch", "at the cluster scope"),
		forbidden("get pods -n other", "pods", "", `in the namespace "other"`),
		forbidden("describe pods --selector=job-name --all-namespaces", "pods", "", "at the cluster scope"),
	}
	t.Run("namespaces readable", func(t *testing.T) {
		t.Parallel()
		res := run{}.on(t, healthy(t).with(wide...).with(answer{words: "get namespaces", out: namespaceList("batch", "other")}))
		b := res.bundle
		if b.step(t, "pods").ErrorClass != "forbidden" || b.step(t, "pods.batch").Items != 1 || b.step(t, "pods.other").ErrorClass != "forbidden" {
			t.Errorf("steps: %+v", b.manifest.Steps)
		}
		if !strings.Contains(b.files["namespaces/batch/core/pods.yaml"], "name: istio-proxy") || b.files["describe/pods.batch.txt"] == "" {
			t.Errorf("what was allowed is not in the bundle: %v", b.manifest.Missing)
		}
		if res.exit != 3 || !strings.Contains(res.stdout, `in the namespace "other"`) {
			t.Errorf("exit %d\n%s", res.exit, res.stdout)
		}
		// pods of istiod and of the control plane would have come with all pods
		b.step(t, "istiod-pods.istio-system")
		b.step(t, "apiserver-pods")
	})
	t.Run("namespaces unreadable", func(t *testing.T) {
		t.Parallel()
		res := run{}.on(t, healthy(t).with(wide...).with(forbidden("get namespaces", "namespaces", "", "at the cluster scope")))
		if s := res.bundle.step(t, "pods.here"); s.Items != 1 || strings.Contains(s.Command, " -n ") {
			t.Errorf("the context's own namespace was not asked: %+v", s)
		}
	})
	t.Run("namespaces given", func(t *testing.T) {
		t.Parallel()
		res := run{args: []string{"-n", "batch"}}.on(t, healthy(t).with(wide...))
		for _, cmd := range res.commands {
			if strings.HasPrefix(cmd, "get pods --all") || strings.HasPrefix(cmd, "get jobs.batch --all") {
				t.Errorf("asked beyond the namespace given: %s", cmd)
			}
		}
		if res.exit != 0 || res.bundle.files["namespaces/batch/core/pods.yaml"] == "" {
			t.Errorf("exit %d\n%s", res.exit, res.stderr)
		}
	})
}

// Where the API server answers nothing there is nothing to collect: the run ends soon, without a bundle, and says what
// kubectl said and what must work first. A server that refuses has answered.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ err, want string }{
		"no credential plugin": {"Unable to connect to the server: getting credentials for x: exec: executable aws not found", "unreachable"},
		"refused":              {"E1130 23:05:04 1 memcache.go:265] \"Unhandled Error\"\nThe connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?", "The connection to the server"},
		"no such context":      {"Error in configuration: context was not found for specified context: nope", "context was not found"},
		"no kubeconfig":        {"error: stat /nonexistent: no such file or directory", "stat /nonexistent"},
		"not logged in":        {"error: You must be logged in to the server (Unauthorized)", "must be logged in"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := run{args: []string{"-n", "batch"}}.on(t, cluster{answers: []answer{{words: "config current-context", out: "kind-prod\n"}, {words: "", err: c.err + "\n", exit: 1}}})
			noAnswer(t, res, c.want, "This must work first (see --context, --kubeconfig, --kubectl): ")
			if !strings.Contains(res.stderr, "/kubectl get namespaces batch -o yaml --request-timeout=30s\n") {
				t.Errorf("which command must work is not said:\n%s", res.stderr)
			}
		})
	}
	t.Run("hanging", func(t *testing.T) {
		t.Parallel()
		res := run{args: []string{"--timeout", "1"}}.on(t, cluster{answers: []answer{{words: "config current-context", out: "kind-prod\n"}, {words: "", asleep: 40}}})
		noAnswer(t, res, "namespaces: timeout, stopped after 1 s")
	})
	t.Run("not executable", func(t *testing.T) {
		t.Parallel()
		noAnswer(t, run{args: []string{"--kubectl", t.TempDir()}}.on(t, healthy(t)), "")
	})
}

func noAnswer(t *testing.T, res result, wants ...string) {
	t.Helper()
	if res.exit != 1 || len(res.left) != 0 || res.stdout != "" || len(res.commands) > 3 {
		t.Errorf("exit %d, %d entries left, %d commands\n%s", res.exit, len(res.left), len(res.commands), res.stdout)
	}
	for _, want := range append(wants, "no bundle, for the API server answers nothing") {
		if !strings.Contains(res.stderr, want) {
			t.Errorf("%q is not said:\n%s", want, res.stderr)
		}
	}
}

// The API server says a list was cut (or kubectl was killed after it printed half): no list is better than half a list.
func TestTruncatedList(t *testing.T) {
	t.Parallel()
	whole := healthy(t).pods()
	res := run{}.on(t, healthy(t).with(answer{words: "get pods", out: whole[:len(whole)/2]}))
	s := res.bundle.step(t, "pods")
	if s.ErrorClass != "other" || !strings.Contains(s.Note, "cut short") || res.exit != 3 {
		t.Errorf("exit %d, step %+v", res.exit, s)
	}
	if _, stored := res.bundle.files["namespaces/batch/core/pods.yaml"]; stored {
		t.Error("half a list was stored")
	}
}

// TestAnswersAboutRightsAreWords: what kubectl, or what stands in its place, answers about rights is yes, no or unknown, and never
// more of the manifest.
func TestAnswersAboutRightsAreWords(t *testing.T) {
	t.Parallel()
	for out, want := range map[string]string{"yes\n": "yes", "no - no RBAC policy matched\n": "no", "": "unknown",
		"yes\", \"allowed\": \"no\n": "unknown", "warning: \"x\\\n": "unknown"} {
		res := run{}.on(t, healthy(t).with(answer{words: "auth can-i", out: out}))
		for _, p := range res.bundle.manifest.Permissions {
			if p.Allowed != want {
				t.Errorf("%q: %s, want %s", out, p.Allowed, want)
				break
			}
		}
		if len(res.bundle.manifest.Permissions) == 0 {
			t.Errorf("%q: no permissions", out)
		}
	}
}
