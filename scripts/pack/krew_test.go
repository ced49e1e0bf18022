package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// filledManifest fills the template in for made-up archives.
func filledManifest(t *testing.T, version string) string {
	t.Helper()
	template, err := filepath.Abs(filepath.Join(root, "packaging/krew/sidecar-must-gather.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	dist := t.TempDir()
	for _, platform := range platforms {
		system, processor, _ := strings.Cut(platform, "/")
		name := "sidecar-must-gather-" + version + "-" + system + "-" + processor + ".tar.gz"
		if system == "windows" {
			name = strings.TrimSuffix(name, ".tar.gz") + ".zip"
		}
		if err := os.WriteFile(filepath.Join(dist, name), []byte(platform), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := run([]string{"krew", template, version, dist}, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestKrewManifestIsFilledIn(t *testing.T) {
	text := filledManifest(t, "v1.2.3")
	if strings.Contains(text, "{{") {
		t.Errorf("something is left of the template:\n%s", text)
	}
	sums := regexp.MustCompile(`(?m)^    sha256: ([0-9a-f]{64})$`).FindAllStringSubmatch(text, -1)
	if len(sums) != len(platforms) {
		t.Errorf("%d checksums for %d platforms", len(sums), len(platforms))
	}
	for _, want := range []string{"  version: v1.2.3\n", "/v1.2.3/sidecar-must-gather-v1.2.3-windows-arm64.zip\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	var out strings.Builder
	if err := run([]string{"krew", filepath.Join(root, "packaging/krew/sidecar-must-gather.yaml"), "v9.9.9", t.TempDir()}, &out); err == nil {
		t.Error("archives that were not built have checksums")
	}
}

// TestKrewAcceptsTheManifest asks krew's own validation, where KREW_TEST=1 allows to build it (with its libraries, from
// the Go module proxy). scripts/krew-check does the same to a finished release, and installs it.
func TestKrewAcceptsTheManifest(t *testing.T) {
	if os.Getenv("KREW_TEST") == "" {
		t.Skip("KREW_TEST=1 asks krew's own validation")
	}
	file := filepath.Join(t.TempDir(), "sidecar-must-gather.yaml")
	if err := os.WriteFile(file, []byte(filledManifest(t, "v1.2.3")), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "sigs.k8s.io/krew/cmd/validate-krew-manifest@v0.4.3", "-skip-install", "-manifest", file)
	cmd.Env = append(os.Environ(), "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "structural validation OK") {
		t.Errorf("%v\n%s", err, out)
	}
}
