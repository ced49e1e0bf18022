package collect

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// tools links the named tools into a folder that becomes the whole PATH. A name may say where it leads: "awk=gawk",
// "awk=busybox". It skips the test when one is not installed here.
func tools(t testing.TB, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, n := range names {
		name, target, other := strings.Cut(n, "=")
		if !other {
			target = name
		}
		path, err := exec.LookPath(target)
		if err != nil {
			t.Skipf("%s is not installed here", target)
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// needed is what the script's first lines ask for, beside the shell and awk.
var needed = []string{"sed", "tar", "gzip", "mkfifo", "cat", "cut", "date", "find", "head", "mkdir", "mv", "rm", "sleep", "sort", "tr", "wc"}

// reference is a run of the default shell against secretCluster, made once: its bundle is the one that every shell and
// every awk must produce.
var reference struct {
	once  sync.Once
	fake  cluster
	count int // of the canaries hidden
	res   result
}

func referenceRun(t testing.TB) (cluster, result) {
	t.Helper()
	reference.once.Do(func() {
		c := &canaries{}
		reference.fake = secretCluster(t, c)
		reference.count = c.n
		reference.res = run{}.on(t, reference.fake)
	})
	return reference.fake, reference.res
}

var changing = regexp.MustCompile(`"(started|finished|seconds)": [^,]*,|/[^" ]*/kubectl|"arguments": \[[^\]]*\]`)

// fingerprint is all of a bundle but what differs from run to run.
func fingerprint(b *bundle) string {
	if b == nil {
		return ""
	}
	var names []string
	for n := range b.files {
		names = append(names, n)
	}
	sort.Strings(names)
	var out strings.Builder
	for _, n := range names {
		if n != "timestamp" {
			out.WriteString("== " + n + "\n" + changing.ReplaceAllString(b.files[n], "") + "\n")
		}
	}
	return out.String()
}

func checkSame(t testing.TB, res result) {
	t.Helper()
	want := fingerprint(reference.res.bundle)
	if res.exit != 0 || res.bundle == nil {
		t.Fatalf("exit %d\n%s", res.exit, res.stderr)
	}
	noCanaries(t, res)
	if got := fingerprint(res.bundle); got != want {
		t.Errorf("the bundle differs:\n%s", firstDifference(got, want))
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return "got  " + g[i] + "\nwant " + w[min(i, len(w)-1)]
		}
	}
	return "it is shorter"
}

func TestShells(t *testing.T) {
	t.Parallel()
	fake, _ := referenceRun(t)
	hanging := healthy(t).with(answer{words: "get events", asleep: 40})
	for _, shell := range []string{"dash", "bash", "bash --posix", "busybox sh", "ksh93", "mksh", "yash", "posh"} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			argv := strings.Fields(shell)
			if _, err := exec.LookPath(argv[0]); err != nil {
				t.Skipf("%s is not installed here", argv[0])
			}
			if out, err := exec.Command(argv[0], append(argv[1:], "-n", "collect.sh")...).CombinedOutput(); err != nil {
				t.Fatalf("%s -n: %v\n%s", shell, err, out)
			}
			checkSame(t, run{shell: argv}.on(t, fake))
			if shell == "bash --posix" || shell == "posh" { // their like is here already, and a run takes a second
				return
			}
			interrupted(t, run{shell: argv, during: signalWhen(t, "get events", syscall.SIGINT)}.on(t, hanging), 130)
		})
	}
}

func TestAwks(t *testing.T) {
	t.Parallel()
	fake, _ := referenceRun(t)
	for _, awk := range []string{"mawk", "gawk", "busybox", "original-awk", "goawk"} {
		t.Run(awk, func(t *testing.T) {
			t.Parallel()
			dir := tools(t, "awk="+awk)
			checkSame(t, run{path: dir + ":" + os.Getenv("PATH")}.on(t, fake))
		})
	}
}

// All tools from busybox: its sh, awk, sed, tar, gzip, find, tr.
func TestBusyboxAlone(t *testing.T) {
	t.Parallel()
	fake, _ := referenceRun(t)
	names := []string{"sh=busybox", "awk=busybox", "sha256sum=busybox", "mktemp=busybox"}
	for _, n := range needed {
		names = append(names, n+"=busybox")
	}
	checkSame(t, run{shell: []string{"busybox", "sh"}, path: tools(t, names...)}.on(t, fake))
}

// A host without mktemp, timeout, sha256sum, shasum and openssl.
func TestFewTools(t *testing.T) {
	t.Parallel()
	fake, _ := referenceRun(t)
	res := run{path: tools(t, append([]string{"sh", "awk"}, needed...)...)}.on(t, fake)
	checkSame(t, res)
	if !strings.Contains(res.stdout, "no tool here to compute it") {
		t.Errorf("summary:\n%s", res.stdout)
	}
	if n := len(res.left); n != 1 {
		t.Errorf("%d entries in the output folder", n)
	}
}
