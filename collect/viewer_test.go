package collect

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A must-gather viewer opens the tarball as it is: omc (github.com/gmeghnag/omc), where it is installed.
func TestViewerOpensTheBundle(t *testing.T) {
	t.Parallel()
	omc, err := exec.LookPath("omc")
	if err != nil {
		t.Skip("omc is not installed here")
	}
	res := run{}.on(t, healthy(t))
	home := t.TempDir()
	ask := func(args ...string) string {
		cmd := exec.Command(omc, args...)
		cmd.Dir, cmd.Env = home, append(os.Environ(), "HOME="+home)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("omc %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	ask("use", res.tarballs[0])
	for _, c := range []struct{ kind, want string }{{"pods", "nightly-report-hrp8m"}, {"jobs", "nightly-report"}, {"nodes", "worker-1"}, {"cronjobs", "hourly-sync"}} {
		args := []string{"get", c.kind}
		if c.kind != "nodes" {
			args = append(args, "-A")
		}
		if out := ask(args...); !strings.Contains(out, c.want) {
			t.Errorf("omc get %s does not show %s:\n%s", c.kind, c.want, out)
		}
	}
}
