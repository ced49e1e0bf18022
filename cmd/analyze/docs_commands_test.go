package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures"
)

// docPages gives the pages that users get, by their path below the repository.
func docPages(t *testing.T) map[string]string {
	t.Helper()
	root := filepath.Dir(fixtures.Root(t))
	all := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "rules/docs/*.md", "examples/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			rel, _ := filepath.Rel(root, file)
			all[filepath.ToSlash(rel)] = string(text)
		}
	}
	return all
}

// ourCommand finds the program's calls in a line of shell.
var ourCommand = regexp.MustCompile(`(?:^|[|;&(] *|\./)(?:analyze|kubectl sidecar[_-]must[_-]gather) ([^|;&)#\n]*)`)

// TestCommandsInDocsExist checks every call of the program on every page, run or not: its command and its flags.
func TestCommandsInDocsExist(t *testing.T) {
	root := (&app{}).rootCommand()
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	found := 0
	for page, text := range docPages(t) {
		for _, code := range codes(text) {
			for _, m := range ourCommand.FindAllStringSubmatch(code, -1) {
				found++
				if why := noSuchCall(root, strings.Fields(m[1])); why != "" {
					t.Errorf("%s: `%s`: %s", page, strings.TrimSpace(m[0]), why)
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d commands were found", found)
	}
}

// codes gives the code on a page, line by line.
func codes(text string) []string {
	var all []string
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			fenced = !fenced
		case fenced || strings.HasPrefix(line, "    "):
			all = append(all, strings.TrimPrefix(strings.TrimSpace(line), "$ "))
		default:
			for _, m := range inCode.FindAllStringSubmatch(line, -1) {
				all = append(all, m[1])
			}
		}
	}
	return all
}

var inCode = regexp.MustCompile("`([^`]+)`")

// aWord could be the name of a command; a file has a dot or a slash, a placeholder capital letters.
var aWord = regexp.MustCompile(`^[a-z][a-z-]*$`)

// noSuchCall says what is wrong with a call; empty when nothing is.
func noSuchCall(root *cobra.Command, args []string) string {
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err.Error()
	}
	if cmd == root && len(rest) > 0 && aWord.MatchString(rest[0]) && rest[0] != "help" {
		return "no such command"
	}
	cmd.InitDefaultHelpFlag()
	for _, arg := range rest {
		name, _, _ := strings.Cut(strings.TrimRight(arg, "],`"), "=")
		switch name = strings.TrimLeft(name, "["); {
		case strings.HasPrefix(name, "--") && len(name) > 2:
			if cmd.Flags().Lookup(name[2:]) == nil && cmd.InheritedFlags().Lookup(name[2:]) == nil {
				return "no flag " + name
			}
		case len(name) == 2 && name[0] == '-':
			if cmd.Flags().ShorthandLookup(name[1:]) == nil && cmd.InheritedFlags().ShorthandLookup(name[1:]) == nil {
				return "no flag " + name
			}
		}
	}
	return ""
}

func TestNoSuchCall(t *testing.T) {
	root := (&app{}).rootCommand()
	for call, ok := range map[string]bool{
		"ticket.tgz -o json=x.json": true, "BUNDLE": true, "fix BUNDLE JOB -n x": true, "predict --env auto": true, "-": true,
		"fxi BUNDLE": false, "fix BUNDLE --jbo x": false, "ticket.tgz -q": false, "explain x --env y": false,
	} {
		if why := noSuchCall(root, strings.Fields(call)); (why == "") != ok {
			t.Errorf("%s: %q", call, why)
		}
	}
}

// TestTestsInDocsExist: a page that says which test holds a promise names one that there is.
func TestTestsInDocsExist(t *testing.T) {
	root := filepath.Dir(fixtures.Root(t))
	var known []string
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, "_test.go") {
			return err
		}
		text, err := os.ReadFile(p)
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`).FindAllStringSubmatch(string(text), -1) {
			known = append(known, m[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for page, text := range docPages(t) {
		for _, name := range regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w+`).FindAllString(text, -1) {
			if !slices.Contains(known, name) {
				t.Errorf("%s names the test %s, which does not exist", page, name)
			}
		}
	}
}

// TestPagesNameEverything: lists in the docs that can grow in the code are complete.
func TestPagesNameEverything(t *testing.T) {
	pages := docPages(t)
	for _, id := range bundle.LayoutIDs() {
		if !strings.Contains(pages["docs/bundles.md"], "`"+id+"`") {
			t.Errorf("docs/bundles.md does not name the layout %s", id)
		}
	}
	for _, v := range entries(nil) {
		if v.Kind == verdictKind && !strings.Contains(pages["docs/verdicts.md"], string(v.Code)) {
			t.Errorf("docs/verdicts.md does not name the verdict %s", v.Code)
		}
	}
	for page, text := range pages {
		if strings.HasPrefix(page, "docs/") && strings.Contains(text, "analyze fixtures/") {
			t.Errorf("%s uses a file that no archive holds; see examples/", page)
		}
		name, isDoc := strings.CutPrefix(page, "docs/")
		if isDoc && name != "README.md" && !strings.Contains(pages["docs/README.md"], "("+name+")") {
			t.Errorf("docs/README.md does not lead to %s", page)
		}
	}
}
