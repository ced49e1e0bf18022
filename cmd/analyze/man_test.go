package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// helpColumns is how wide the sentences of a command's help may be.
const helpColumns = 130

// TestManPages writes the manual pages, a page for each command, and checks them. scripts/release takes them from here:
//
//	MAN_PAGES=DIR VERSION=v1.2.3 SOURCE_DATE_EPOCH=1796000000 go test ./cmd/analyze -run '^TestManPages$'
//
// They are made in a test, because the program need not carry the library that makes them.
func TestManPages(t *testing.T) {
	dir := os.Getenv("MAN_PAGES")
	if dir == "" {
		dir = t.TempDir()
	}
	root := manPages(t, dir, os.Getenv("VERSION"))
	for _, cmd := range append(root.Commands(), root) {
		if cmd.Hidden || cmd.Name() == "help" {
			continue
		}
		for line := range strings.Lines(cmd.Long) {
			if len(line) > helpColumns && cmd.Name() != "completion" {
				t.Errorf("help of %s: %d columns: %s", cmd.CommandPath(), len(line), line)
			}
		}
		file := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		page, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Errorf("%s has no page: %v", cmd.CommandPath(), err)
			continue
		}
		want := []string{".TH ", ".SH NAME", ".SH SYNOPSIS"}
		if !slices.Contains(idleFlags[cmd.Name()], "max-files") {
			want = append(want, "max-bytes", "max-files\\fP=1000000")
		}
		if cmd == root {
			want = append(want, `\fB-v\fP, \fB--version\fP`)
		}
		for _, want := range want {
			if !strings.Contains(string(page), want) {
				t.Errorf("%s lacks %q", file, want)
			}
		}
		if strings.Contains(string(page), "Auto generated") {
			t.Errorf("%s has the time in it at which it was made", file)
		}
	}
}

// manPages writes the pages as the program with all its commands describes itself. The date is SOURCE_DATE_EPOCH, which
// the library reads, or that of the rule data's first edition, so that two runs give the same bytes.
func manPages(t *testing.T, dir, version string) *cobra.Command {
	t.Helper()
	root := (&app{IO: IO{Version: "v0"}}).rootCommand() // without a version there would be no --version
	root.InitDefaultVersionFlag()
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Section: "1", Source: manSource(version), Manual: "analyze"}
	if os.Getenv("SOURCE_DATE_EPOCH") == "" {
		fixed := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
		header.Date = &fixed
	}
	if err := doc.GenManTree(root, header, dir); err != nil {
		t.Fatal(err)
	}
	return root
}

// untagged is the version that a commit without a tag gets: its time and its id.
var untagged = regexp.MustCompile(`^v0\.0\.0-\d{14}-([0-9a-f]{12})$`)

// manSource names program and version in the foot of a page, beside the date. There is room for little: of a commit
// without a tag its id is enough, and a long version stands alone.
func manSource(version string) string {
	if m := untagged.FindStringSubmatch(version); m != nil {
		version = m[1]
	}
	source := strings.TrimSpace("sidecar-must-gather " + version)
	if len(source) > footRoom {
		return version
	}
	return source
}

// At 80 columns man writes 78. The head has the title twice and the manual in the middle, the foot the source, and the
// date in the middle.
const (
	manColumns = 78
	footRoom   = (manColumns-len("Nov 2026"))/2 - 1
)

// TestManPagesFit: what does not fit into head and foot is printed over.
func TestManPagesFit(t *testing.T) {
	for version, want := range map[string]string{
		"": "sidecar-must-gather", "v1.2.3": "sidecar-must-gather v1.2.3", "v0.0.0-20261130194400-9facdea50355": "sidecar-must-gather 9facdea50355",
		"v10.20.30-rc.4+site": "v10.20.30-rc.4+site",
	} {
		if got := manSource(version); got != want || len(got) > footRoom {
			t.Errorf("%q: %q, want %q within %d", version, got, want, footRoom)
		}
	}
	dir := t.TempDir()
	manPages(t, dir, "v1.2.3")
	pages, err := filepath.Glob(dir + "/*.1")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		th := regexp.MustCompile(`\.TH "(.*)" "1" "(.*)" "(.*)" "(.*)"`).FindStringSubmatch(string(text))
		if th == nil {
			t.Errorf("%s has no head", page)
			continue
		}
		title := strings.ReplaceAll(th[1], `\-`, "-") + "(1)"
		if n := 2*len(title) + len(th[4]) + 2; n > manColumns {
			t.Errorf("%s: its head takes %d columns", title, n)
		}
	}
}

func TestManPagesAreTheSameTwice(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	manPages(t, one, "v1")
	manPages(t, two, "v1")
	pages, err := filepath.Glob(one + "/*.1")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, page := range pages {
		a, _ := os.ReadFile(page)
		b, err := os.ReadFile(filepath.Join(two, filepath.Base(page)))
		if err != nil || string(a) != string(b) {
			t.Errorf("%s differs: %v", filepath.Base(page), err)
		}
	}
}
