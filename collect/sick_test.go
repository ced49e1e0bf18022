package collect

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A command that hangs is stopped, even when kubectl is a wrapper whose child holds the pipe; the others still run.
func TestHanging(t *testing.T) {
	t.Parallel()
	start := time.Now()
	res := run{args: []string{"--timeout", "1"}}.on(t, healthy(t).with(answer{words: "get pods", asleep: 40}))
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %s", took)
	}
	s := res.bundle.step(t, "pods")
	if s.ErrorClass != "timeout" || s.Note != "stopped after 1 s" || len(s.Files) != 0 {
		t.Errorf("step %+v", s)
	}
	if res.exit != 3 || res.bundle.step(t, "events").Items == 0 {
		t.Errorf("exit %d; what came after was not collected\n%s", res.exit, res.stderr)
	}
}

// When the time for the whole run is spent, what is left is not asked for, and the manifest says so.
func TestRunBudget(t *testing.T) {
	t.Parallel()
	res := run{args: []string{"--run-timeout", "2"}}.on(t, healthy(t).with(answer{words: "get namespaces", asleep: 40}))
	if s := res.bundle.step(t, "namespaces"); s.ErrorClass != "timeout" {
		t.Errorf("step %+v", s)
	}
	if s := res.bundle.step(t, "describe/nodes"); s.Exit != -1 || s.ErrorClass != "timeout" || !strings.HasPrefix(s.Note, "not run") {
		t.Errorf("step %+v", s)
	}
	if res.exit != 3 {
		t.Errorf("exit %d", res.exit)
	}
}

// A signal ends the command at hand; a bundle of what had been answered is still written. TestShells has SIGINT.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		signal syscall.Signal
		exit   int
	}{{syscall.SIGTERM, 143}, {syscall.SIGHUP, 129}} {
		t.Run(c.signal.String(), func(t *testing.T) {
			t.Parallel()
			res := run{during: signalWhen(t, "get events", c.signal)}.on(t, healthy(t).with(answer{words: "get events", asleep: 40}))
			interrupted(t, res, c.exit)
		})
	}
}

// A terminal sends SIGINT to all that runs, also to what was only to write a line of the manifest.
func TestInterruptedEverywhere(t *testing.T) {
	t.Parallel()
	tools := t.TempDir()
	tr, err := exec.LookPath("tr")
	if err != nil {
		t.Skip(err)
	}
	out := t.TempDir()
	write(t, filepath.Join(tools, "tr"), "#!/bin/sh\nif [ -e "+out+"/now ]; then rm "+out+"/now; kill -INT 0; fi\nexec "+tr+" \"$@\"\n", 0o700)
	res := run{out: out, path: tools + ":" + os.Getenv("PATH"), during: func(_ *os.Process, asked func() []string) {
		for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			if strings.Contains(strings.Join(asked(), "\n"), "get events") {
				write(t, filepath.Join(out, "now"), "", 0o600) // the next thing that runs tr is what writes the manifest
				return
			}
		}
	}}.on(t, healthy(t).with(answer{words: "get events", asleep: 1, err: "a \"quoted\" error\n", exit: 1}))
	if res.exit != 130 || res.bundle == nil || !res.bundle.manifest.Interrupted {
		t.Fatalf("exit %d, %d steps\n%s", res.exit, len(res.bundle.manifest.Steps), res.stderr)
	}
	if s := res.bundle.step(t, "nodes"); s.Note != "not run: interrupted" {
		t.Errorf("step %+v", s)
	}
	if res.bundle.step(t, "events").Exit != 1 || len(res.left) != 1 {
		t.Errorf("step %+v, %d entries left", res.bundle.step(t, "events"), len(res.left))
	}
}

// signalWhen waits until kubectl was asked words, then sends the signal to the script alone.
func signalWhen(t testing.TB, words string, s syscall.Signal) func(*os.Process, func() []string) {
	return func(p *os.Process, asked func() []string) {
		for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			if strings.Contains(strings.Join(asked(), "\n"), words) {
				time.Sleep(200 * time.Millisecond)
				_ = p.Signal(s)
				return
			}
		}
		t.Errorf("kubectl was never asked %q", words)
	}
}

func interrupted(t *testing.T, res result, exit int) {
	t.Helper()
	if res.exit != exit || res.bundle == nil {
		t.Fatalf("exit %d, want %d; bundle %v\n%s", res.exit, exit, res.tarballs, res.stderr)
	}
	b := res.bundle
	if !b.manifest.Interrupted || b.step(t, "events").Note != "interrupted" || b.step(t, "nodes").Note != "not run: interrupted" {
		t.Errorf("manifest: %+v, %+v", b.step(t, "events"), b.step(t, "nodes"))
	}
	if b.files["namespaces/batch/core/pods.yaml"] == "" {
		t.Error("what had been answered is not in the bundle")
	}
	if n := len(res.left); n != 1 {
		t.Errorf("%d entries left in the output folder", n)
	}
}

// Two runs in the same second end in two files.
func TestNeverOverwrites(t *testing.T) {
	t.Parallel()
	clock := t.TempDir()
	write(t, filepath.Join(clock, "date"), "#!/bin/sh\ncase $* in *+%s) echo 1700000000 ;; *%m%d*) echo 20231114T221320Z ;; *) echo 2023-11-14T22:13:20Z ;; esac\n", 0o700)
	r := run{path: clock + ":" + os.Getenv("PATH"), out: t.TempDir(), args: []string{"-n", "batch"}}
	first := r.on(t, healthy(t))
	before, err := os.ReadFile(first.tarballs[0])
	if err != nil {
		t.Fatal(err)
	}
	second := r.on(t, healthy(t))
	after, _ := os.ReadFile(first.tarballs[0])
	if len(second.tarballs) != 2 || second.exit != first.exit || string(before) != string(after) {
		t.Errorf("%q, exit %d\n%s", second.tarballs, second.exit, second.stderr)
	}
}

// A disk that fills up is said, and leaves neither half a tarball nor the working folder.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	tools := t.TempDir()
	write(t, filepath.Join(tools, "tar"), "#!/bin/sh\nwhile [ $# -gt 0 ]; do case $1 in -c*f) printf half >\"$2\" ;; esac; shift; done\n"+
		"echo 'tar: write error: No space left on device' >&2\nexit 2\n", 0o700)
	res := run{path: tools + ":" + os.Getenv("PATH"), args: []string{"-n", "batch"}}.on(t, healthy(t))
	if res.exit != 1 || !strings.Contains(res.stderr, "disk full") {
		t.Errorf("exit %d\n%s", res.exit, res.stderr)
	}
	if n := len(res.left); n != 0 {
		t.Errorf("%d entries left behind", n)
	}
}

// A list for which there is no room is left out and said to be; what is smaller is there, and so is the whole manifest.
func TestNoRoomForAList(t *testing.T) {
	t.Parallel()
	var pods array
	for range 2000 {
		pods = append(pods, object{"apiVersion": "v1", "kind": "Pod", "metadata": object{"name": "p", "namespace": "batch"}})
	}
	res := run{shell: []string{"sh", "-c", `ulimit -f 80 && exec sh "$@"`, "sh"}, args: []string{"-n", "batch"}}.on(t, healthy(t).with(answer{words: "get pods -n batch", out: list(t, pods...)},
		answer{words: "get pods --selector", out: emptyList}))
	if res.exit != 3 || res.bundle == nil || !strings.Contains(res.stdout, "  - pods.batch: other, left out: ") || !strings.Contains(res.stdout, "is the disk full?") {
		t.Fatalf("exit %d\n%s%s", res.exit, res.stdout, res.stderr)
	}
	if len(res.bundle.manifest.Steps) != len(res.commands) || res.bundle.files["namespaces/batch/core/events.yaml"] == "" || res.bundle.files["namespaces/batch/core/pods.yaml"] != "" {
		t.Errorf("%d steps for %d commands", len(res.bundle.manifest.Steps), len(res.commands))
	}
}

// Where no pipe can be made any more, nothing is asked of kubectl: its answer would become a file, not filtered.
func TestNoPipe(t *testing.T) {
	t.Parallel()
	mkfifo, err := exec.LookPath("mkfifo")
	if err != nil {
		t.Skip(err)
	}
	tools := t.TempDir()
	write(t, filepath.Join(tools, "mkfifo"), "#!/bin/sh\necho >>"+tools+"/count\n[ $(wc -l <"+tools+"/count) -lt 8 ] || exit 1\nexec "+mkfifo+" \"$@\"\n", 0o700)
	res := run{path: tools + ":" + os.Getenv("PATH")}.on(t, healthy(t))
	if res.exit != 1 || len(res.left) != 0 || len(res.commands) != 6 || !strings.Contains(res.stderr, "cannot write to "+res.out+"; is the disk full?") {
		t.Errorf("exit %d, %d entries left, %d commands\n%s%s", res.exit, len(res.left), len(res.commands), res.stdout, res.stderr)
	}
}

// A file that would grow beyond --max-bytes keeps whole objects only, and the manifest says how many it lacks.
func TestMaxBytes(t *testing.T) {
	t.Parallel()
	res := run{args: []string{"--max-bytes", "4000"}}.on(t, healthy(t))
	s := res.bundle.step(t, "events")
	text := res.bundle.files["namespaces/batch/core/events.yaml"]
	if len(text) > 4000 || s.Items != 11 || !strings.HasPrefix(s.Note, "cut at --max-bytes: ") || !strings.Contains(text, "kind: Event") {
		t.Errorf("%d bytes, step %+v", len(text), s)
	}
	if d := res.bundle.files["describe/nodes.txt"]; len(d) > 4000 || len(d) < 3000 {
		t.Errorf("describe/nodes.txt has %d bytes", len(d))
	}
	if res.exit != 3 {
		t.Errorf("exit %d", res.exit)
	}
}
