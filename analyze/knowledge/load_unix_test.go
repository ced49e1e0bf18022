//go:build unix

package knowledge

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestTablesAreFiles: a pipe or a device in the place of a table is refused, and not waited for.
func TestTablesAreFiles(t *testing.T) {
	pipe, device := t.TempDir(), t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(pipe, "issues.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(device, "issues.yaml")); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{pipe, device} {
		_, _, err := base(t).Overlay(os.DirFS(dir))
		if err == nil || !strings.Contains(err.Error(), "issues.yaml is no plain file") {
			t.Errorf("%v", err)
		}
		if errs := Lint(os.DirFS(dir)); len(errs) == 0 {
			t.Error("the lint has nothing to say")
		}
	}
}
