package main

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestStampedCommit(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef"}
	for name, c := range map[string]struct {
		settings []debug.BuildSetting
		want     string
	}{
		"no checkout": {[]debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "vcs.modified", Value: "true"}}, ""},
		"clean":       {[]debug.BuildSetting{revision, {Key: "vcs.modified", Value: "false"}}, "0123456789abcdef"},
		"changed":     {[]debug.BuildSetting{{Key: "vcs.modified", Value: "true"}, revision}, "0123456789abcdef, changed"},
	} {
		if got := stampedCommit(c.settings); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestVersionNamesTheCommit(t *testing.T) {
	for commit, want := range map[string]string{"": "commit unknown\n", "0123abcd": "commit 0123abcd\n"} {
		if out := string(runWith(IO{Commit: commit}, "version").Stdout); !strings.Contains(out, want) {
			t.Errorf("%q is not in %q", want, out)
		}
	}
	if out := string(run("version", "-o", "json").Stdout); !strings.Contains(out, `"commit": "unknown"`) {
		t.Error(out)
	}
}
