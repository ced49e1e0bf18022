package collect

import (
	"regexp"
	"strings"
	"testing"
)

// readOnly is everything that the collector may ask of kubectl.
var readOnly = regexp.MustCompile(`^(get [a-z.]+( |$)|describe (pods|jobs\.batch|cronjobs\.batch|nodes)( |$)|version -o json|auth can-i (list|get) |config current-context)`)

// namedConfigMaps are all ConfigMaps that it may read.
var namedConfigMaps = regexp.MustCompile(`^get configmaps (istio-sidecar-injector|values|istio)(-[a-z0-9-]+)? -n |^get configmaps kubelet-config -n kube-system`)

func TestVerbs(t *testing.T) {
	t.Parallel()
	everythingForbidden := cluster{answers: []answer{{words: "get", out: emptyList, exit: 1, err: "Error from server (Forbidden): x is forbidden\n"},
		{words: "", exit: 1, err: "Error from server (Forbidden): x is forbidden\n"}}}
	for name, c := range map[string]struct {
		cluster cluster
		args    []string
	}{
		"all":        {healthy(t), nil},
		"namespaces": {healthy(t), []string{"-n", "batch,istio-system"}},
		"job":        {healthy(t), []string{"--job", "nightly-report", "--context=prod", "--kubeconfig=/tmp/x"}},
		"selector":   {healthy(t), []string{"-l", "app=x", "--no-redact"}},
		"forbidden":  {everythingForbidden, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := healthyRun(t)
			if name != "all" {
				res = run{args: c.args}.on(t, c.cluster)
			}
			if len(res.commands) < 20 {
				t.Fatalf("only %d commands were recorded\n%s", len(res.commands), res.stderr)
			}
			for _, cmd := range res.commands {
				if !readOnly.MatchString(cmd) {
					t.Errorf("not read-only: kubectl %s", cmd)
				}
				if strings.Contains(cmd, "secret") || strings.Contains(cmd, "--raw") {
					t.Errorf("must never be asked: kubectl %s", cmd)
				}
				if strings.HasPrefix(cmd, "get configmaps") && !namedConfigMaps.MatchString(cmd) {
					t.Errorf("not one of the named ConfigMaps: kubectl %s", cmd)
				}
				if !strings.Contains(cmd, "--request-timeout=") {
					t.Errorf("without a time limit: kubectl %s", cmd)
				}
			}
		})
	}
}

// The ConfigMaps of every revision seen are asked for by name: no right to list ConfigMaps is needed.
func TestRevisions(t *testing.T) {
	t.Parallel()
	res := healthyRun(t)
	all := strings.Join(res.commands, "\n")
	for _, want := range []string{"get configmaps istio-sidecar-injector -n istio-system", "get configmaps istio-sidecar-injector-canary -n istio-system",
		"get configmaps values-canary -n istio-system"} {
		if !strings.Contains(all, want) {
			t.Errorf("not asked: %s", want)
		}
	}
}

func TestOptionsReachKubectl(t *testing.T) {
	t.Parallel()
	res := run{args: []string{"-n", "batch", "--context", "a b", "--kubeconfig", "/k", "--chunk-size=7", "--request-timeout", "9", "-l", "app=x"}}.on(t, healthy(t))
	for _, cmd := range res.commands {
		if !strings.HasSuffix(cmd, "--request-timeout=9s --context=a b --kubeconfig=/k") {
			t.Errorf("kubectl %s", cmd)
		}
	}
	all := strings.Join(res.commands, "\n")
	for _, want := range []string{"get jobs.batch --selector=app=x -n batch -o yaml --chunk-size=7", "get pods --selector=app=x -n batch ",
		"get cronjobs.batch -n batch", "get pods --selector=app=istiod -n istio-system", "get pods --selector=tier=control-plane -n kube-system",
		"describe pods --selector=app=x -n batch", "auth can-i list pods --namespace=batch"} {
		if !strings.Contains(all, want) {
			t.Errorf("not asked: %s\n%s", want, all)
		}
	}
	if got := res.bundle.manifest.Context; got != "a b" {
		t.Errorf("context %q", got)
	}
	if !strings.HasPrefix(res.bundle.top, "sidecar-must-gather-a-b-") {
		t.Errorf("top folder %q", res.bundle.top)
	}
}

// One Job: its pods by label, in the context's own namespace when none is given.
func TestOneJob(t *testing.T) {
	t.Parallel()
	job := "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: nightly\n  namespace: batch\nspec:\n  suspend: false\n"
	res := run{args: []string{"--job", "nightly"}}.on(t, healthy(t).with(answer{words: "get jobs.batch nightly", out: job}))
	if !strings.Contains(strings.Join(res.commands, "\n"), "get pods --selector=job-name=nightly -o yaml") {
		t.Errorf("pods of the Job were not asked for:\n%s", strings.Join(res.commands, "\n"))
	}
	want := "apiVersion: v1\nkind: List\nitems:\n- apiVersion: batch/v1\n  kind: Job\n  metadata:\n    name: nightly\n    namespace: batch\n  spec:\n    suspend: false\n"
	if got := res.bundle.files["namespaces/batch/batch/jobs.yaml"]; got != want {
		t.Errorf("jobs.yaml:\n%s", got)
	}
}

// The name of a CronJob: the Jobs that it owns, no others, and their pods. A name that nothing has is said to be missing.
func TestOneCronJob(t *testing.T) {
	t.Parallel()
	job := func(name, owner string) object {
		return object{"apiVersion": "batch/v1", "kind": "Job", "metadata": object{"name": name, "namespace": "batch", "labels": object{"name": "label"},
			"ownerReferences": array{object{"apiVersion": "batch/v1", "kind": "CronJob", "name": owner, "uid": "1"}}},
			"spec": object{"template": object{"metadata": object{"name": owner}, "spec": object{"containers": array{object{"name": "nightly"}}}}}}
	}
	fake := healthy(t).with(answer{words: "get jobs.batch nightly ", exit: 1, err: "Error from server (NotFound): jobs.batch \"nightly\" not found\n"},
		answer{words: "get jobs.batch none ", exit: 1, err: "Error from server (NotFound): jobs.batch \"none\" not found\n"},
		answer{words: "get jobs.batch", out: list(t, job("nightly-1", "nightly"), job("other-1", "other"), job("nightly-2", "nightly"))})
	res := run{args: []string{"-n", "batch", "--job", "nightly"}}.on(t, fake)
	all := strings.Join(res.commands, "\n")
	for _, want := range []string{"get jobs.batch -n batch -o yaml", "get pods --selector=job-name in (nightly-1,nightly-2,nightly) -n batch -o yaml",
		"describe jobs.batch nightly-1 nightly-2 -n batch", "describe pods --selector=job-name in (nightly-1,nightly-2,nightly) -n batch"} {
		if !strings.Contains(all, want) {
			t.Errorf("not asked: %s\n%s", want, all)
		}
	}
	if jobs := res.bundle.files["namespaces/batch/batch/jobs.yaml"]; res.exit != 0 || strings.Count(jobs, "\n- ") != 2 || strings.Contains(jobs, "other") {
		t.Errorf("exit %d, jobs.yaml:\n%s", res.exit, jobs)
	}
	res = run{args: []string{"-n", "batch", "--job", "none"}}.on(t, fake)
	if want := "jobs: there is no Job none, and none that a CronJob none made"; res.exit != 3 || !strings.Contains(res.stdout, want) || !strings.Contains(strings.Join(res.bundle.manifest.Missing, "\n"), want) {
		t.Errorf("exit %d\n%s", res.exit, res.stdout)
	}
}

func TestDryRun(t *testing.T) {
	t.Parallel()
	res := run{args: []string{"--dry-run", "-n", "batch"}}.on(t, healthy(t))
	if res.exit != 0 || len(res.commands) != 1 || res.commands[0] != "" || len(res.tarballs) != 0 {
		t.Errorf("exit %d, kubectl was asked %q, tarballs %q", res.exit, res.commands, res.tarballs)
	}
	for _, line := range strings.Split(strings.TrimSpace(res.stdout), "\n") {
		_, cmd, _ := strings.Cut(line, "kubectl ")
		if !readOnly.MatchString(cmd) {
			t.Errorf("unexpected line %q", line)
		}
	}
	if n := len(res.left); n != 0 {
		t.Errorf("a dry run wrote %d entries", n)
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		exit int
		want string
	}{
		{[]string{"--help"}, 0, "usage: collect.sh"},
		{[]string{"--version"}, 0, "sidecar-must-gather "},
		{[]string{"--nonsense"}, 2, "--nonsense"},
		{[]string{"--nonsense", "x"}, 2, "unknown option"},
		{[]string{"positional"}, 2, "positional"},
		{[]string{"-n"}, 2, "value is missing"},
		{[]string{"-n", "../etc"}, 2, "not a name"},
		{[]string{"-n", "a b"}, 2, "not a name"},
		{[]string{"--job", "$(x)"}, 2, "not a name"},
		{[]string{"--timeout", "soon"}, 2, "not a positive number"},
		{[]string{"--job", "a", "-l", "b=c"}, 2, "exclude each other"},
		{[]string{"--kubectl", "/nonexistent"}, 1, "no such command"},
		{[]string{"--output", "/nonexistent"}, 1, "no such folder"},
	} {
		res := run{args: c.args}.on(t, healthy(t))
		if res.exit != c.exit || !strings.Contains(res.stdout+res.stderr, c.want) || len(res.tarballs) != 0 {
			t.Errorf("%q: exit %d\n%s%s", c.args, res.exit, res.stdout, res.stderr)
		}
	}
}
