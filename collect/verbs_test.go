package collect

import (
	"path/filepath"
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

// jobOwnedBy is a Job as the API server gives it; without kind it has no owner.
func jobOwnedBy(kind, owner, namespace, name string) object {
	meta := object{"name": name, "namespace": namespace, "labels": object{"name": "label"}}
	if kind != "" {
		meta["ownerReferences"] = array{object{"apiVersion": "batch/v1", "kind": kind, "name": owner, "uid": "1"}}
	}
	return object{"apiVersion": "batch/v1", "kind": "Job", "metadata": meta,
		"spec": object{"template": object{"metadata": object{"name": "nightly"}, "spec": object{"containers": array{object{"name": "nightly"}}}}}}
}

// asked reports which of the commands kubectl was not asked.
func asked(t testing.TB, res result, commands ...string) {
	t.Helper()
	all := strings.Join(res.commands, "\n")
	for _, want := range commands {
		if !strings.Contains(all, want) {
			t.Errorf("not asked: %s\n%s", want, all)
		}
	}
}

// names are those of the objects in a file of the bundle.
func (b *bundle) names(file string) string {
	var all []string
	for _, m := range regexp.MustCompile(`(?m)^    name: (.*)$`).FindAllStringSubmatch(b.files[file], -1) {
		all = append(all, m[1])
	}
	return strings.Join(all, " ")
}

// One Job: its pods by label, in the context's own namespace when none is given.
func TestOneJob(t *testing.T) {
	t.Parallel()
	res := run{args: []string{"--job", "nightly"}}.on(t, healthy(t).with(answer{words: "get jobs.batch",
		out: list(t, jobOwnedBy("", "", "batch", "nightly"), jobOwnedBy("", "", "batch", "nightly-other"))}))
	asked(t, res, "get jobs.batch -o yaml", "get pods --selector=job-name in (nightly) -o yaml", "describe jobs.batch nightly --request", "describe pods --selector=job-name in (nightly) --request")
	if got := res.bundle.names("namespaces/batch/batch/jobs.yaml"); res.exit != 0 || got != "nightly" {
		t.Errorf("exit %d, Jobs %q", res.exit, got)
	}
}

// The name of a CronJob: the Jobs that it owns, no others, and their pods. An owner of the same name and another kind is
// another thing; a Job that has the name itself is not.
func TestOneCronJob(t *testing.T) {
	t.Parallel()
	fake := healthy(t).with(answer{words: "get jobs.batch", out: list(t, jobOwnedBy("CronJob", "nightly", "batch", "nightly-1"), jobOwnedBy("CronJob", "other", "batch", "other-1"),
		jobOwnedBy("Workflow", "nightly", "batch", "step-1"), jobOwnedBy("CronJob", "nightly", "batch", "nightly-2"), jobOwnedBy("", "", "batch", "nightly"))})
	res := run{args: []string{"-n", "batch", "--job", "nightly"}}.on(t, fake)
	asked(t, res, "get jobs.batch -n batch -o yaml", "get pods --selector=job-name in (nightly-1,nightly-2,nightly) -n batch -o yaml",
		"describe jobs.batch nightly-1 nightly-2 nightly -n batch", "describe pods --selector=job-name in (nightly-1,nightly-2,nightly) -n batch")
	if got := res.bundle.names("namespaces/batch/batch/jobs.yaml"); res.exit != 0 || got != "nightly-1 nightly-2 nightly" {
		t.Errorf("exit %d, Jobs %q", res.exit, got)
	}
}

// A Job of the name in one namespace is no reason not to look for the CronJob of the name in the next, and the Jobs that
// were found in one are not asked for in the other. That one may not be read says nothing of the other.
func TestJobInTwoNamespaces(t *testing.T) {
	t.Parallel()
	a := answer{words: "get jobs.batch -n a", out: list(t, jobOwnedBy("", "", "a", "nightly"))}
	fake := healthy(t).with(answer{words: "get jobs.batch -n b", out: list(t, jobOwnedBy("CronJob", "nightly", "b", "nightly-1"), jobOwnedBy("", "", "b", "other"))},
		answer{words: "get namespaces a", out: "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n"}, answer{words: "get namespaces b", out: "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: b\n"})
	res := run{args: []string{"-n", "a,b", "--job", "nightly"}}.on(t, fake.with(a))
	asked(t, res, "get pods --selector=job-name in (nightly) -n a", "get pods --selector=job-name in (nightly-1) -n b", "describe jobs.batch nightly -n a", "describe jobs.batch nightly-1 -n b")
	if got := res.bundle.names("namespaces/a/batch/jobs.yaml") + "; " + res.bundle.names("namespaces/b/batch/jobs.yaml"); res.exit != 0 || got != "nightly; nightly-1" {
		t.Errorf("exit %d, Jobs %s", res.exit, got)
	}
	res = run{args: []string{"-n", "a,b", "--job", "nightly"}}.on(t, fake.with(forbidden("get jobs.batch -n a", "jobs", "batch", `in the namespace "a"`)))
	if got := res.bundle.names("namespaces/b/batch/jobs.yaml"); res.exit != 3 || got != "nightly-1" {
		t.Errorf("exit %d, Jobs of b %q", res.exit, got)
	}
	res = run{args: []string{"-n", "a,b", "--job", "none"}}.on(t, fake.with(forbidden("get jobs.batch -n a", "jobs", "batch", `in the namespace "a"`)))
	if res.exit != 3 || strings.Contains(res.stdout, "there is no Job") {
		t.Errorf("exit %d; whether a has it is not known\n%s", res.exit, res.stdout)
	}
}

// What does not exist is said to be missing: a Job, labels, a namespace. kubectl describe takes the name of no Job for the
// beginning of names, so that it is not asked.
func TestNothingOfThatName(t *testing.T) {
	t.Parallel()
	empty := healthy(t).with(answer{words: "get namespaces none", err: "Error from server (NotFound): namespaces \"none\" not found\n", exit: 1},
		answer{words: "get jobs.batch --selector", out: emptyList}, answer{words: "get pods --selector=app=none", out: emptyList},
		answer{words: "get jobs.batch", out: list(t, jobOwnedBy("", "", "batch", "nightly-report"))})
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-n", "batch", "--job", "night"}, "jobs: there is no Job night, and none that a CronJob night made"},
		{[]string{"-l", "app=none"}, "jobs: there is no Job and no pod with the labels app=none"},
		{[]string{"-n", "batch,none"}, `namespaces.none: notFound: Error from server (NotFound): namespaces "none" not found`},
	} {
		res := run{args: c.args}.on(t, empty)
		if res.exit != 3 || !strings.Contains(res.stdout, c.want) || !strings.Contains(strings.Join(res.bundle.manifest.Missing, "\n"), c.want) {
			t.Errorf("%q: exit %d\n%s", c.args, res.exit, res.stdout)
		}
		if strings.Contains(strings.Join(res.commands, "\n"), "describe jobs.batch night ") {
			t.Errorf("%q: other Jobs were described", c.args)
		}
	}
	// pods alone have the labels of most selectors
	if res := (run{args: []string{"-l", "app=nightly"}}).on(t, empty); res.exit != 0 {
		t.Errorf("exit %d\n%s", res.exit, res.stdout)
	}
}

// A name that is given twice is asked for once.
func TestNamesGivenTwice(t *testing.T) {
	t.Parallel()
	res := run{args: []string{"-n", "batch", "-n", "batch,", "--istio-namespace", "istio-system"}}.on(t, healthy(t).with(
		answer{words: "get deployments.apps", out: emptyList}))
	seen := map[string]bool{}
	for _, s := range res.bundle.manifest.Steps {
		if seen[s.ID] {
			t.Errorf("step %s occurs twice", s.ID)
		}
		seen[s.ID] = true
	}
	if got := res.bundle.files["namespaces/batch/batch.yaml"]; strings.Count(got, "name: batch") != 1 {
		t.Errorf("batch.yaml:\n%s", got)
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
	// where nothing can be printed, too
	res = run{shell: []string{"sh", "-c", `exec sh "$@" >/dev/full`, "sh"}, args: []string{"--dry-run"}}.on(t, healthy(t))
	if len(res.commands) != 1 || res.commands[0] != "" {
		t.Errorf("kubectl was asked %q", res.commands)
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing")
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
		{[]string{"--kubectl", missing}, 1, missing + ": no such command; install kubectl or oc"},
		{[]string{"--output", missing}, 1, "no such folder, make it first: " + missing},
		{[]string{"--job", "a,b"}, 2, "one name only"},
	} {
		res := run{args: c.args}.on(t, healthy(t))
		if res.exit != c.exit || !strings.Contains(res.stdout+res.stderr, c.want) || len(res.tarballs) != 0 {
			t.Errorf("%q: exit %d\n%s%s", c.args, res.exit, res.stdout, res.stderr)
		}
	}
}
