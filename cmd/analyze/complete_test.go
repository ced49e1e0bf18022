package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// completions runs the program as the shell does and gives the words it offers.
func completions(t *testing.T, args ...string) []string {
	t.Helper()
	got := run(append([]string{"__complete"}, args...)...)
	lines := strings.Split(strings.TrimSpace(string(got.Stdout)), "\n")
	if got.Exit != 0 || len(lines) == 0 {
		t.Fatalf("%v: exit status %d: %s", args, got.Exit, got.Stderr)
	}
	return lines[:len(lines)-1]
}

func TestCompletionNamesWhatTheBundleHas(t *testing.T) {
	const bundle = "../../fixtures/demo/bundle"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"fix", bundle, "n"}, "nightly-report\tCronJob in team-app|nightly-report-29933160\tJob in team-app"},
		{[]string{"fix", bundle, "nightly-report", ""}, ""},
		{[]string{"explain", bundle, "t"}, "thumbnails\tJob in team-app|thumbnails-hk5zt\tPod in team-app"},
		{[]string{"explain", bundle, "-n", "elsewhere", ""}, ""},
		{[]string{bundle, "--job", "led"}, "ledger-export\tJob in team-app"},
		{[]string{"predict", bundle, "--job", "led"}, "ledger-export\tJob in team-app"},
		{[]string{"compare", bundle, "after.tgz", "--job", "led"}, "ledger-export\tJob in team-app"},
		{[]string{"demo", "--job", "led"}, "ledger-export\tJob in team-app"},
		{[]string{bundle, "-n", ""}, "team-app\tnamespace"},
		{[]string{"--job", ""}, ""},
		{[]string{"fix", "missing.tgz", ""}, ""},
		{[]string{"fix", "-", ""}, ""},
		{[]string{bundle, "--rules", "missing", "--job", ""}, ""},
	} {
		if got := strings.Join(completions(t, c.args...), "|"); got != c.want {
			t.Errorf("%q completes to\n%q, want\n%q", c.args, got, c.want)
		}
	}
}

// Whoever made the bundle chose its names; what they chose must not reach a shell unless it is a plain name.
func TestCompletionOffersPlainNamesOnly(t *testing.T) {
	var list bytes.Buffer
	for _, name := range []string{"fine.name-1", "$(touch x)", "a;b", "back`tick`", "with space", "tab\\tbed", "line\\nbreak", "-o",
		"../up", "\\u202efdp", "\\u001b[31mred", strings.Repeat("x", 300)} {
		list.WriteString("---\napiVersion: batch/v1\nkind: Job\nmetadata: {namespace: n1, name: \"" + name + "\"}\n")
	}
	file := filepath.Join(t.TempDir(), "hostile.yaml")
	if err := os.WriteFile(file, list.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := completions(t, "fix", file, ""); len(got) != 1 || got[0] != "fine.name-1\tJob in n1" {
		t.Errorf("offered: %q", got)
	}
}

// A person waits for the shell, so completion ends in time whatever the reading hangs on.
func TestCompletionEndsInTime(t *testing.T) {
	a := &app{}
	cmd := a.rootCommand()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	hang := make(chan struct{})
	defer close(hang)
	forever := func(*facts.Cluster, string) []named {
		<-hang
		return nil
	}
	if got := a.namesIn(ctx, cmd, "../../fixtures/demo/bundle", forever); got != nil || ctx.Err() == nil {
		t.Errorf("got %v, context %v", got, ctx.Err())
	}
}

// It is bounded in bytes too: what lies behind the limit is not read.
func TestCompletionReadsNoMoreThanItMay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "long.yaml")
	job := func(name string) string {
		return "---\napiVersion: batch/v1\nkind: Job\nmetadata: {namespace: n1, name: " + name + "}\n"
	}
	comment := strings.Repeat("# "+strings.Repeat("x", 997)+"\n", completeBytes/1000+200)
	if err := os.WriteFile(file, []byte(job("before")+"---\n"+comment+job("behind")), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := completions(t, "fix", file, ""); strings.Contains(strings.Join(got, "|"), "behind") {
		t.Errorf("offered: %q", got)
	}
}

// A pipe or a device can be read once, and that is not while the shell completes.
func TestCompletionLeavesPipesAlone(t *testing.T) {
	if got := completions(t, "fix", os.DevNull, ""); len(got) != 0 {
		t.Errorf("offered: %q", got)
	}
}
