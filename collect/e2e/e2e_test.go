//go:build linux

package e2e

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

const (
	held      = `{"name": %q, "state": {"terminated": {"exitCode": 0, "reason": "Completed", "message": "Canary5x", "startedAt": "2026-11-30T12:00:01Z", "finishedAt": "2026-11-30T12:00:05Z"}}, "ready": false, "restartCount": 0, "image": "i", "imageID": "", "containerID": "c://1"}`
	serving   = `{"name": %q, "state": {"running": {"startedAt": "2026-11-30T12:00:01Z"}}, "ready": true, "started": true, "restartCount": 0, "image": "i", "imageID": "", "containerID": "c://2"}`
	completed = `{"name": %q, "state": {"terminated": {"exitCode": 0, "reason": "Completed", "startedAt": "2026-11-30T12:00:00Z", "finishedAt": "2026-11-30T12:00:06Z"}}, "ready": false, "restartCount": 0, "image": "i", "imageID": "", "containerID": "c://3"}`
)

// become writes the status that a kubelet would write.
func (p *plane) become(t *testing.T, pod, node, phase, containers, initContainers string) {
	t.Helper()
	p.must(t, fmt.Sprintf(`{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": %q}, "target": {"apiVersion": "v1", "kind": "Node", "name": %q}}`, pod, node),
		"create", "--raw", "/api/v1/namespaces/team/pods/"+pod+"/binding", "-f", "-")
	p.must(t, "", "patch", "pod", pod, "-n", "team", "--subresource=status", "--type=merge", "-p",
		fmt.Sprintf(`{"status": {"phase": %q, "startTime": "2026-11-30T12:00:00Z", "containerStatuses": [%s], "initContainerStatuses": [%s]}}`, phase, containers, initContainers))
}

// podOf waits until the controllers made a pod for the Job whose name begins with prefix.
func (p *plane) podOf(t *testing.T, prefix string) string {
	t.Helper()
	var pod string
	p.eventually(t, "a pod of "+prefix, func() bool {
		out, err := p.kubectl("", "get", "pods", "-n", "team", "-o", "name")
		for _, name := range strings.Fields(out) {
			if rest, ok := strings.CutPrefix(name, "pod/"+prefix); ok && rest != "" {
				pod = strings.TrimPrefix(name, "pod/")
			}
		}
		return err == nil && pod != ""
	})
	return pod
}

func (p *plane) populate(t *testing.T, manifests ...string) {
	t.Helper()
	for _, m := range manifests {
		path := filepath.Join("testdata", m)
		// Nodes keep their status only when they are created; workloads are applied, for last-applied-configuration.
		verb := "apply"
		if m == "cluster.yaml" {
			verb = "create"
		}
		p.must(t, "", verb, "-f", path)
		for _, ns := range []string{"team", "istio-system"} {
			p.eventually(t, "the service account of "+ns, func() bool { return p.try("get", "serviceaccount", "default", "-n", ns) == nil })
		}
	}
}

// Everything is asked of one control plane: its start costs more than all runs together.
func TestCollector(t *testing.T) {
	analyze := buildAnalyzer(t)
	p := start(t, "")
	p.populate(t, "cluster.yaml", "workloads.yaml")
	p.become(t, p.podOf(t, "nightly-report-"), "worker-2", "Running", fmt.Sprintf(held+","+serving, "main", "istio-proxy"), "")
	p.become(t, p.podOf(t, "native-"), "worker-1", "Succeeded", fmt.Sprintf(completed, "main"), fmt.Sprintf(completed, "istio-proxy"))
	p.eventually(t, "the completion of the native Job", func() bool {
		out, _ := p.kubectl("", "get", "job", "native", "-n", "team", "-o", "jsonpath={.status.succeeded}")
		return strings.TrimSpace(out) == "1"
	})
	p.become(t, p.podOf(t, "hourly-"), "worker-2", "Running", fmt.Sprintf(held+","+serving, "main", "istio-proxy"), "")
	p.must(t, "", "create", "rolebinding", "view", "-n", "team", "--clusterrole=view", "--user=viewer")
	p.must(t, "", "apply", "-f", "../../docs/rbac.yaml")

	whole := func(t *testing.T, b *bundle) {
		t.Helper()
		r := b.analyze(t, analyze)
		r.expect(t, "nightly-report", "HeldBySidecar")
		r.expect(t, "hourly-", "HeldBySidecar")
		r.expect(t, "native", "Completed")
		if r.Cluster.Kubernetes.Version != "v1.32.13" || !strings.Contains(r.text, "AutoBlockedByNode") {
			t.Errorf("API server %q; the node that keeps the proxy ordinary is not named", r.Cluster.Kubernetes.Version)
		}
	}
	t.Run("admin", func(t *testing.T) {
		b := p.collect(t, "admin", 0)
		whole(t, b)
		for _, file := range []string{"namespaces/team/batch/jobs.yaml", "namespaces/team/batch/cronjobs.yaml", "namespaces/team/team.yaml", "namespaces/team/core/events.yaml",
			"namespaces/istio-system/apps/replicasets.yaml", "namespaces/istio-system/core/configmaps.yaml", "namespaces/kube-system/core/configmaps.yaml", "describe/pods.txt"} {
			if b.files[file] == "" {
				t.Errorf("%s is missing", file)
			}
		}
	})
	t.Run("rbac.yaml", func(t *testing.T) { whole(t, p.collect(t, "sidecar-must-gather", 0)) })
	t.Run("a CronJob", func(t *testing.T) {
		b := p.collect(t, "admin", 0, "-n", "istio-system,team", "--job", "hourly")
		r := b.analyze(t, analyze)
		r.expect(t, "hourly-", "HeldBySidecar")
		if jobs := b.files["namespaces/team/batch/jobs.yaml"] + b.files["describe/jobs.team.txt"]; strings.Contains(jobs, "nightly-report") || strings.Contains(jobs, "of-a-workflow") {
			t.Errorf("other Jobs are there:\n%s", jobs)
		}
	})
	t.Run("nothing of the name", func(t *testing.T) {
		b := p.collect(t, "admin", 3, "-n", "team,no-such-namespace", "--job", "night") // the beginning of nightly-report
		for _, want := range []string{`Error from server (NotFound): namespaces "no-such-namespace" not found`, "there is no Job night, and none that a CronJob night made"} {
			if !strings.Contains(b.summary, want) {
				t.Errorf("%q is not in the summary:\n%s", want, b.summary)
			}
		}
		if b.files["describe/jobs.team.txt"] != "" {
			t.Error("other Jobs were described")
		}
	})
	t.Run("no answer", func(t *testing.T) {
		for _, c := range []struct{ change, to, want string }{
			{"server: \"https://127.0.0.1:", "server: \"https://127.0.0.1:1", "no bundle"}, // a port beyond all ports
			{"token: ", "token: x", "must be logged in"},
			{"current-context: admin", "current-context: nobody-at-all", "no bundle"},
			{"user: {", "user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-plugin, interactiveMode: Never}} # ", "no bundle"},
		} {
			if out := p.noAnswer(t, c.change, c.to); !strings.Contains(out, c.want) || !strings.Contains(out, "This must work first") {
				t.Errorf("%s: %s", c.to, out)
			}
		}
	})
	for _, args := range [][]string{nil, {"-n", "team"}, {"-n", "team", "--job", "nightly-report"}} {
		t.Run("viewer of one namespace "+strings.Join(args, " "), func(t *testing.T) {
			b := p.collect(t, "viewer", 3, args...)
			r := b.analyze(t, analyze)
			r.expect(t, "nightly-report", "HeldBySidecar")
			if !strings.Contains(b.summary, `nodes: forbidden; needs the right to list resource "nodes" in API group "" at the cluster scope`) {
				t.Errorf("the summary does not say which right is missing:\n%s", b.summary)
			}
		})
	}
	t.Run("nobody", func(t *testing.T) {
		b := p.collect(t, "nobody", 3)
		for name := range b.files {
			if strings.Contains(name, "/") {
				t.Errorf("%s was stored, though nothing was allowed", name)
			}
		}
		if r := b.analyze(t, analyze); len(r.Workloads) != 0 || strings.Contains(r.text, `"Completed"`) {
			t.Errorf("no workload can be judged from this:\n%s", r.text)
		}
	})
	// The dispatcher of some distributions installs several clients side by side.
	for _, client := range []string{"kubectl.1.27", "kubectl.1.28", "kubectl.1.30", "kubectl.1.33"} {
		t.Run(client, func(t *testing.T) {
			path, ok := besideKubectl(client)
			if !ok {
				t.Skip("not installed here")
			}
			whole(t, p.collect(t, "admin", 0, "--kubectl", path))
		})
	}
}

// With the feature gate off the API server drops restartPolicy without a word; last-applied-configuration proves it, and
// that proof survives redaction.
func TestGateOff(t *testing.T) {
	analyze := buildAnalyzer(t)
	p := start(t, "SidecarContainers=false")
	p.populate(t, "cluster.yaml", "gate.yaml")
	_, err := p.kubectl("", "apply", "-f", "testdata/workloads.yaml")
	if err == nil || !strings.Contains(err.Error(), "may not be set for init containers without restartPolicy=Always") {
		t.Errorf("an injected native proxy has probes and should be refused: %v", err)
	}
	if got := p.must(t, "", "get", "job", "stripped", "-n", "team", "-o", "jsonpath={.spec.template.spec.initContainers[0].restartPolicy}"); got != "" {
		t.Errorf("restartPolicy %q was stored with the gate off", got)
	}
	p.become(t, p.podOf(t, "stripped-"), "worker-1", "Pending",
		`{"name": "main", "state": {"waiting": {"reason": "PodInitializing"}}, "ready": false, "restartCount": 0, "image": "i", "imageID": ""}`, fmt.Sprintf(serving, "istio-proxy"))
	r := p.collect(t, "admin", 0).analyze(t, analyze)
	r.expect(t, "stripped", "SidecarBlocksInit")
	if !strings.Contains(r.text, "RestartPolicyStripped") && !strings.Contains(r.text, "FeatureGateOff") {
		t.Errorf("the report does not say that restartPolicy was lost:\n%s", r.text)
	}
}

// bundle is a tarball that the collector made.
type bundle struct {
	path, summary string
	files         map[string]string
}

var canary = regexp.MustCompile(`Canary[0-9]+x`)

// collect runs the script as a user and fails on any canary in the tarball.
func (p *plane) collect(t *testing.T, user string, exit int, args ...string) *bundle {
	t.Helper()
	out := t.TempDir()
	cmd := exec.Command("sh", append([]string{"../collect.sh", "--kubeconfig", p.kubeconfig(user), "--output", out}, args...)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	if cmd.ProcessState.ExitCode() != exit {
		t.Fatalf("as %s: %v, want exit status %d\n%s%s", user, err, exit, stdout, stderr.String())
	}
	found, _ := filepath.Glob(filepath.Join(out, "*.tar.gz"))
	if len(found) != 1 {
		t.Fatalf("tarballs: %q", found)
	}
	b := &bundle{path: found[0], summary: string(stdout), files: untar(t, found[0])}
	for name, text := range b.files {
		if s := canary.FindString(text); s != "" {
			t.Errorf("%s holds %s", name, s)
		}
	}
	return b
}

// noAnswer runs the script as the admin with a kubeconfig in which something is wrong, and gives standard error.
func (p *plane) noAnswer(t *testing.T, change, to string) string {
	t.Helper()
	text, err := os.ReadFile(p.kubeconfig("admin"))
	if err != nil || !strings.Contains(string(text), change) {
		t.Fatalf("%v: %s", err, text)
	}
	out, kubeconfig := t.TempDir(), filepath.Join(t.TempDir(), "kubeconfig")
	file(t, kubeconfig, strings.Replace(string(text), change, to, 1))
	cmd := exec.Command("sh", "../collect.sh", "--kubeconfig", kubeconfig, "--output", out)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdout, _ := cmd.Output()
	if left, _ := os.ReadDir(out); cmd.ProcessState.ExitCode() != 1 || len(stdout) != 0 || len(left) != 0 {
		t.Errorf("exit %d, %d entries left\n%s", cmd.ProcessState.ExitCode(), len(left), stdout)
	}
	return stderr.String()
}

func untar(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(r); err != nil {
			t.Fatal(err)
		} else if h.Typeflag == tar.TypeReg {
			_, name, _ := strings.Cut(h.Name, "/")
			files[name] = string(text)
		}
	}
}

type report struct {
	Cluster struct {
		Kubernetes struct{ Version string }
	}
	Workloads []struct{ Kind, Namespace, Name, Verdict string }
	text      string
}

func (b *bundle) analyze(t *testing.T, analyze string) report {
	t.Helper()
	out, err := exec.Command(analyze, "--all", "-o", "json", b.path).Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r := report{text: string(out)}
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return r
}

func (r report) expect(t *testing.T, prefix, verdict string) {
	t.Helper()
	for _, w := range r.Workloads {
		if w.Kind == "Job" && w.Namespace == "team" && strings.HasPrefix(w.Name, prefix) {
			if w.Verdict != verdict {
				t.Errorf("%s: %s, want %s", w.Name, w.Verdict, verdict)
			}
			return
		}
	}
	t.Errorf("%s* is not in the report:\n%s", prefix, r.text)
}

var analyzer struct {
	once sync.Once
	path string
	err  error
}

// buildAnalyzer builds the product's binary from the module above this one, once.
func buildAnalyzer(t *testing.T) string {
	t.Helper()
	analyzer.once.Do(func() {
		dir, err := os.MkdirTemp("", "e2e")
		if err != nil {
			analyzer.err = err
			return
		}
		analyzer.path = filepath.Join(dir, "analyze")
		cmd := exec.Command("go", "build", "-o", analyzer.path, "./cmd/analyze")
		cmd.Dir = "../.."
		if out, err := cmd.CombinedOutput(); err != nil {
			analyzer.err = fmt.Errorf("building the analyzer: %w\n%s", err, out)
		}
	})
	if analyzer.err != nil {
		t.Fatal(analyzer.err)
	}
	return analyzer.path
}

func besideKubectl(name string) (string, bool) {
	if path, err := exec.LookPath(name); err == nil {
		return path, true
	}
	kubectl, err := exec.LookPath("kubectl")
	if err != nil {
		return "", false
	}
	if kubectl, err = filepath.EvalSymlinks(kubectl); err != nil {
		return "", false
	}
	path := filepath.Join(filepath.Dir(kubectl), name)
	_, err = os.Stat(path)
	return path, err == nil
}
