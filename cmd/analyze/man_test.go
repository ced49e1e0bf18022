package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

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
		file := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		page, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Errorf("%s has no page: %v", cmd.CommandPath(), err)
			continue
		}
		for _, want := range []string{".TH ", ".SH NAME", ".SH SYNOPSIS", "max-bytes", "max-files\\fP=1000000"} {
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
	root := (&app{}).rootCommand()
	root.InitDefaultCompletionCmd()
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Section: "1", Source: strings.TrimSpace("sidecar-must-gather " + version), Manual: "sidecar-must-gather"}
	if os.Getenv("SOURCE_DATE_EPOCH") == "" {
		fixed := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
		header.Date = &fixed
	}
	if err := doc.GenManTree(root, header, dir); err != nil {
		t.Fatal(err)
	}
	return root
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
