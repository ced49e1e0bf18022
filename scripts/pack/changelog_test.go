package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestChangelogNamesTheRelease(t *testing.T) {
	for name, c := range map[string]struct{ text, want, fails string }{
		"not released before": {"# Changelog\n\n## Unreleased\n\n- a\n\n## v1.0.0\n\nUnreleased\n", "# Changelog\n\n## v1.1.0\n\n- a\n\n## v1.0.0\n\nUnreleased\n", ""},
		"named already":       {"# Changelog\n\n## v1.1.0\n\n- a\n", "# Changelog\n\n## v1.1.0\n\n- a\n", ""},
		"both":                {"## Unreleased\n\n## v1.1.0\n", "", "2 headings"},
		"neither":             {"## v1.0.0\n", "", "0 headings"},
	} {
		file := filepath.Join(t.TempDir(), "CHANGELOG.md")
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		err := run([]string{"changelog", file, "v1.1.0"}, &out)
		switch {
		case c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)):
			t.Errorf("%s: %v, want %q", name, err, c.fails)
		case c.fails == "" && (err != nil || out.String() != c.want):
			t.Errorf("%s: %v, %q", name, err, out.String())
		}
	}
}

// TestChangelogOfThisCommit: the file as it is can be released.
func TestChangelogOfThisCommit(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"changelog", filepath.Join(root, "CHANGELOG.md"), "v9.9.9"}, &out); err != nil || !strings.Contains(out.String(), "\n## v9.9.9\n") {
		t.Errorf("%v: %s", err, out.String())
	}
}
