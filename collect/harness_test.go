package collect

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// answer is what the fake kubectl does for the commands that begin with its words.
type answer struct {
	words  string // "get pods --all-namespaces"; "" answers everything
	out    string
	err    string
	exit   int
	asleep int // seconds before it answers; a child process of kubectl sleeps, as a wrapper's would
}

// cluster is a fake kubectl: the first answer whose words fit is given, and every command is recorded.
type cluster struct{ answers []answer }

// with gives a cluster in which the given answers come first.
func (c cluster) with(more ...answer) cluster {
	return cluster{answers: append(append([]answer{}, more...), c.answers...)}
}

var ordinary struct {
	once sync.Once
	res  result
}

// healthyRun is a run without options against the healthy cluster, made once.
func healthyRun(t testing.TB) result {
	t.Helper()
	ordinary.once.Do(func() { ordinary.res = run{}.on(t, healthy(t)) })
	return ordinary.res
}

// pods is what it answers to "get pods".
func (c cluster) pods() string {
	for _, a := range c.answers {
		if a.words == "get pods" {
			return a.out
		}
	}
	return emptyList
}

const emptyList = "apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: \"\"\n"

// healthy answers with what a real kubectl printed (testdata), and with nothing where testdata has nothing.
func healthy(t testing.TB) cluster {
	t.Helper()
	file := func(name string) string {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	return cluster{answers: []answer{
		{words: "version -o json", out: versionJSON},
		{words: "config current-context", out: "kind-prod\n"},
		{words: "auth can-i", out: "yes\n"},
		{words: "get pods", out: file("pods.yaml")},
		{words: "get jobs.batch", out: file("jobs.yaml")},
		{words: "get cronjobs.batch", out: file("cronjobs.yaml")},
		{words: "get events", out: file("events.yaml")},
		{words: "get nodes", out: file("nodes.yaml")},
		{words: "get namespaces batch", out: "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: batch\n"},
		{words: "get namespaces", out: namespaceList("batch", "istio-system")},
		{words: "get deployments.apps", out: istiodList("Deployment")},
		{words: "get replicasets.apps", out: istiodList("ReplicaSet")},
		{words: "describe pods", out: file("describe-pods.txt")},
		{words: "describe jobs.batch", out: file("describe-jobs.txt")},
		{words: "describe cronjobs.batch", out: file("describe-cronjobs.txt")},
		{words: "describe nodes", out: file("describe-nodes.txt")},
		{words: "get configmaps", err: "Error from server (NotFound): configmaps \"x\" not found\n", exit: 1},
		{words: "get ", out: emptyList},
		{words: "", err: "error: unknown command\n", exit: 1},
	}}
}

const versionJSON = `{
  "clientVersion": {
    "major": "1",
    "gitVersion": "v1.32.5"
  },
  "kustomizeVersion": "v5.5.0",
  "serverVersion": {
    "major": "1",
    "gitVersion": "v1.32.13"
  }
}
`

func namespaceList(names ...string) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nitems:\n")
	for _, n := range names {
		fmt.Fprintf(&b, "- apiVersion: v1\n  kind: Namespace\n  metadata:\n    labels:\n      istio-injection: enabled\n    name: %s\n", n)
	}
	return b.String() + "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
}

func istiodList(kind string) string {
	return fmt.Sprintf(`apiVersion: v1
items:
- apiVersion: apps/v1
  kind: %s
  metadata:
    labels:
      app: istiod
      istio.io/rev: canary
    name: istiod-canary
    namespace: istio-system
  spec:
    template:
      spec:
        containers:
        - env:
          - name: ENABLE_NATIVE_SIDECARS
            value: "false"
          - name: REVISION
            value: canary
          image: docker.io/istio/pilot:1.30.3
          name: discovery
kind: List
metadata:
  resourceVersion: ""
`, kind)
}

// forbidden is how a real kubectl answers without permission: a list command prints a valid EMPTY list and exits 1.
func forbidden(words, resource, group, where string) answer {
	a := answer{words: words, exit: 1, err: fmt.Sprintf(
		"Error from server (Forbidden): %s is forbidden: User \"restricted\" cannot list resource %q in API group %q %s\n",
		resource, resource, group, where)}
	if strings.HasPrefix(words, "get ") {
		a.out = emptyList
	}
	return a
}

// install writes the fake kubectl into a folder of its own and returns its path.
func (c cluster) install(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("#!/bin/sh\nd=${0%/*}\nprintf '%s\\n' \"$*\" >>\"$d/log\"\ncase \"$* \" in\n")
	for i, a := range c.answers {
		out, errs := fmt.Sprintf("out.%d", i), fmt.Sprintf("err.%d", i)
		write(t, filepath.Join(dir, out), a.out, 0o600)
		write(t, filepath.Join(dir, errs), a.err, 0o600)
		fmt.Fprintf(&b, "  '%s'*) ", a.words)
		if a.asleep > 0 {
			fmt.Fprintf(&b, "sleep %d; ", a.asleep)
		}
		if a.err != "" {
			fmt.Fprintf(&b, "cat \"$d/%s\" >&2; ", errs)
		}
		fmt.Fprintf(&b, "cat \"$d/%s\"; exit %d ;;\n", out, a.exit)
	}
	b.WriteString("esac\nexit 1\n")
	path := filepath.Join(dir, "kubectl")
	write(t, path, b.String(), 0o700)
	return path
}

func write(t testing.TB, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// run is one run of the script.
type run struct {
	shell  []string // default: sh
	path   string   // PATH; default: the test's
	args   []string
	out    string                             // folder for the tarball; default: a fresh one
	during func(*os.Process, func() []string) // called while it runs, with what kubectl was asked so far
}

type result struct {
	exit           int
	stdout, stderr string
	commands       []string      // what kubectl was asked, in order
	out            string        // the folder
	left           []os.DirEntry // what the folder holds at the end
	tarballs       []string
	mode           os.FileMode // of the first tarball
	bundle         *bundle     // the first tarball, nil if there is none
}

func (r run) on(t testing.TB, c cluster) result {
	t.Helper()
	kubectl := c.install(t)
	if r.out == "" {
		r.out = t.TempDir()
	}
	if r.shell == nil {
		r.shell = []string{"sh"}
	}
	script := filepath.Join(filepath.Dir(kubectl), "collect.sh")
	write(t, script, Script, 0o600)
	argv := append(append([]string{}, r.shell[1:]...), script, "--kubectl", kubectl, "--output", r.out)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.shell[0], append(argv, r.args...)...)
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(os.Environ(), "KUBECONFIG=/nonexistent")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // as a terminal starts it: a signal may be sent to all of it
	if r.path != "" {
		cmd.Env = append(cmd.Env, "PATH="+r.path)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	log := func() []string {
		b, _ := os.ReadFile(filepath.Join(filepath.Dir(kubectl), "log"))
		return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	}
	if r.during != nil {
		r.during(cmd.Process, log)
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v\n%s", r.shell, err, stderr.String())
	}
	res := result{exit: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String(), out: r.out, commands: log()}
	res.tarballs, _ = filepath.Glob(filepath.Join(r.out, "*.tar.gz"))
	res.left, _ = os.ReadDir(r.out)
	if len(res.tarballs) > 0 {
		if info, err := os.Stat(res.tarballs[0]); err == nil {
			res.mode = info.Mode().Perm()
		}
		res.bundle = open(t, res.tarballs[0])
	}
	return res
}

// bundle is a tarball, read.
type bundle struct {
	top      string
	headers  []*tar.Header
	files    map[string]string // by path below the top folder
	manifest manifest
}

// manifest is the whole of collection.json; a field that is not listed here fails the decoding.
type manifest struct {
	Tool, Version     string
	Schema            int
	Started, Finished time.Time
	Arguments         []string
	Context           string
	ServerVersion     string
	Redaction         bool
	Interrupted       bool
	Missing           []string
	Permissions       []struct{ Verb, Resource, Namespace, Allowed string }
	Steps             []step
}

type step struct {
	ID, Command    string
	Exit           int
	Seconds, Bytes int
	Items          int
	Files          []string
	ErrorClass     string
	Note, Stderr   string
}

func (b *bundle) step(t testing.TB, id string) step {
	t.Helper()
	for _, s := range b.manifest.Steps {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("no step %q in the manifest", id)
	return step{}
}

func open(t testing.TB, path string) *bundle {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	b := &bundle{files: map[string]string{}}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		b.headers = append(b.headers, h)
		top, rest, _ := strings.Cut(h.Name, "/")
		if b.top == "" {
			b.top = top
		}
		if top != b.top {
			t.Errorf("two top folders: %s and %s", b.top, top)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		b.files[rest] = string(text)
	}
	d := json.NewDecoder(strings.NewReader(b.files["collection.json"]))
	d.DisallowUnknownFields()
	if err := d.Decode(&b.manifest); err != nil {
		t.Fatalf("collection.json: %v\n%s", err, b.files["collection.json"])
	}
	return b
}
