package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures"
)

// TestDocs runs what README.md and docs/ show: in a fenced block of the kind "console", each line "$ analyze ..." (or
// "$ go run ./cmd/analyze ...") is run from the top of the repository, and the lines behind it must be what it prints.
// A line "..." stands for any lines. UPDATE_GOLDEN=1 rewrites blocks without "...". What this test cannot run (other
// programs, pipes) has no place in such a block.
func TestDocs(t *testing.T) {
	t.Chdir(filepath.Dir(fixtures.Root(t)))
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		updated := checkPage(t, page, string(text))
		if os.Getenv("UPDATE_GOLDEN") != "" && updated != string(text) {
			if err := os.WriteFile(page, []byte(updated), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// checkPage gives the page as it would have to be.
func checkPage(t *testing.T, page, text string) string {
	t.Helper()
	const fence = "```"
	parts := strings.Split(text, "\n"+fence+"console\n")
	for i := 1; i < len(parts); i++ {
		block, rest, closed := strings.Cut(parts[i], "\n"+fence)
		if !closed {
			t.Errorf("%s: a console block has no end", page)
			continue
		}
		parts[i] = checkBlock(t, page, block) + "\n" + fence + rest
	}
	return strings.Join(parts, "\n"+fence+"console\n")
}

func checkBlock(t *testing.T, page, block string) string {
	t.Helper()
	shown := strings.Split("\n"+block, "\n$ ")
	for i := 1; i < len(shown); i++ {
		command, want, _ := strings.Cut(shown[i], "\n")
		args := strings.Fields(strings.Replace(command, "go run ./cmd/analyze", "analyze", 1))
		if len(args) == 0 || args[0] != "analyze" || strings.ContainsAny(command, "|<>&'\"$") {
			t.Errorf("%s: `%s` cannot be run here: put it into a block of another kind", page, command)
			continue
		}
		result := run(args[1:]...)
		if result.Exit == int(exitUsage) {
			t.Errorf("%s: `%s` fails: %s", page, command, result.Stderr)
			continue
		}
		got := strings.TrimRight(string(result.Stdout), "\n")
		want = strings.TrimRight(want, "\n")
		if os.Getenv("UPDATE_GOLDEN") != "" && !hasDots(want) {
			shown[i] = command + "\n" + got
		} else if want != "" && !matchesDots(want, got) {
			t.Errorf("%s: `%s` prints something else now:\n%s", page, command, got)
		}
	}
	return strings.TrimPrefix(strings.Join(shown, "\n$ "), "\n")
}

func hasDots(want string) bool { return strings.Contains("\n"+want+"\n", "\n...\n") }

// matchesDots compares with the parts between the lines "...", in their order.
func matchesDots(want, got string) bool {
	if !hasDots(want) {
		return want == got
	}
	rest := "\n" + got + "\n"
	for i, part := range strings.Split("\n"+want+"\n", "\n...\n") {
		part = strings.Trim(part, "\n")
		if part == "" {
			continue
		}
		at := strings.Index(rest, "\n"+part+"\n")
		if at < 0 || i == 0 && at != 0 {
			return false
		}
		rest = rest[at+len(part)+1:]
	}
	return true
}

func TestMatchesDots(t *testing.T) {
	for _, c := range []struct {
		want, got string
		ok        bool
	}{
		{"a\nb", "a\nb", true},
		{"a\nb", "a\nb\nc", false},
		{"a\n...\nc", "a\nb\nc", true},
		{"a\n...", "a\nb", true},
		{"b\n...", "a\nb", false},
		{"...\nc", "a\nb\nc", true},
		{"a\n...\nx", "a\nb\nc", false},
		{"a\n...\nb\n...", "a\nb", true},
	} {
		if matchesDots(c.want, c.got) != c.ok {
			t.Errorf("%q against %q: want %v", c.want, c.got, c.ok)
		}
	}
}
