package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestTwoBuildsOfOneCommitAreTheSame builds the release of HEAD for RELEASE_TEST (platforms as scripts/release takes
// them), once here and once in another clone, with a build cache that is empty, another umask, home and time zone. It
// takes minutes, so it is asked for: RELEASE_TEST=linux/amd64 go test ./scripts/pack -run Builds -timeout 60m
func TestTwoBuildsOfOneCommitAreTheSame(t *testing.T) {
	wanted := os.Getenv("RELEASE_TEST")
	if wanted == "" {
		t.Skip("RELEASE_TEST=linux/amd64 builds the release twice")
	}
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	clone := filepath.Join(t.TempDir(), "another place")
	commit := strings.TrimSpace(command(t, here, nil, "git", "rev-parse", "HEAD")) // it may move on while this builds
	command(t, here, nil, "git", "clone", "-q", here, clone)
	one, two := t.TempDir(), t.TempDir()
	command(t, here, nil, "scripts/release", "--commit", commit, "--platforms", wanted, "--out", one)
	command(t, clone, []string{"GOCACHE=" + t.TempDir(), "HOME=" + t.TempDir(), "TZ=Asia/Tokyo", "LANG=tr_TR.UTF-8",
		"GOFLAGS=-tags=other", "GOMODCACHE=" + strings.TrimSpace(command(t, here, nil, "go", "env", "GOMODCACHE"))},
		"bash", "-c", "umask 077; exec scripts/release --commit "+commit+" --platforms '"+wanted+"' --out '"+two+"'")
	files, err := os.ReadDir(one)
	if err != nil || len(files) < 3 {
		t.Fatalf("built: %v, %v", files, err)
	}
	for _, f := range files {
		a, _ := os.ReadFile(filepath.Join(one, f.Name()))
		b, err := os.ReadFile(filepath.Join(two, f.Name()))
		if err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs between two builds: %v", f.Name(), err)
		}
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".tar.gz") {
			checkArchive(t, filepath.Join(one, f.Name()), commit)
		}
	}
	if _, err := exec.LookPath("sha256sum"); err == nil {
		command(t, one, nil, "sha256sum", "-c", "sha256sums.txt")
		alone, err := filepath.Glob(filepath.Join(one, "*.sha256"))
		if err != nil || len(alone) != strings.Count(wanted, ",")+1 {
			t.Errorf("checksums of single archives: %v, %v", alone, err)
		}
		for _, sum := range alone {
			command(t, one, nil, "sha256sum", "-c", filepath.Base(sum))
		}
	}
}

// checkArchive unpacks an archive and sees that everything is there and that its pages lead nowhere outside.
func checkArchive(t *testing.T, file, commit string) {
	t.Helper()
	dir := t.TempDir()
	command(t, dir, nil, "tar", "-xzf", file)
	top := filepath.Join(dir, strings.TrimSuffix(filepath.Base(file), ".tar.gz"))
	for _, name := range []string{"analyze", "collect.sh", "README.md", "CHANGELOG.md", "LICENSE", "THIRD_PARTY_LICENSES.txt", "sbom.cdx.json",
		"docs/rbac.yaml", "docs/collector.md", "docs/report.schema.json", "man/man1/analyze.1", "man/man1/analyze-fix.1",
		"completions/analyze.bash", "completions/_analyze", "completions/analyze.fish", "completions/analyze.ps1",
		"completions/kubectl_complete-sidecar_must_gather", "rules/docs/HeldBySidecar.md", "rules/data/issues.yaml"} {
		if info, err := os.Stat(filepath.Join(top, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s lacks %s: %v", filepath.Base(file), name, err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(top, "CHANGELOG.md")); err != nil || strings.Contains(string(text), unreleased) {
		t.Errorf("%s: what is in it is called not released: %v", filepath.Base(file), err)
	}
	for _, dead := range deadLinks(t, top) {
		t.Errorf("%s: %s", filepath.Base(file), dead)
	}
	if strings.HasSuffix(top, "-"+runtime.GOOS+"-"+runtime.GOARCH) {
		tryArchive(t, top, commit)
	}
}

// tryArchive does what its pages say, with nothing but what was unpacked.
func tryArchive(t *testing.T, top, commit string) {
	t.Helper()
	if script, err := os.ReadFile(filepath.Join(top, "collect.sh")); err != nil || command(t, top, nil, "./analyze", "collect-script") != string(script) {
		t.Errorf("analyze collect-script is not collect.sh: %v", err)
	}
	if !strings.Contains(command(t, top, nil, "./analyze", "version"), "commit "+commit+"\n") {
		t.Errorf("analyze version does not say that it was built from %s", commit)
	}
	pages, err := filepath.Glob(filepath.Join(top, "docs/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, page := range append(pages, filepath.Join(top, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^\$ (?:analyze|go run \./cmd/analyze) (.*)$`).FindAllStringSubmatch(string(text), -1) {
			cmd := exec.Command("./analyze", strings.Fields(m[1])...)
			cmd.Dir = top
			if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() == 2 {
				t.Errorf("%s: analyze %s fails in an archive:\n%s", filepath.Base(page), m[1], out)
			}
			ran++
		}
	}
	if ran < 10 {
		t.Errorf("only %d commands were found", ran)
	}
}

// command runs a program and gives what it printed; a failure ends the test.
func command(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}
