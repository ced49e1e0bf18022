package collect

import (
	"os"
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
