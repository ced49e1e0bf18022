package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures"
)

// TestCodesPage holds docs/codes.md to the catalogue; UPDATE_GOLDEN=1 rewrites it.
func TestCodesPage(t *testing.T) {
	want := codesPage()
	file := filepath.Join(filepath.Dir(fixtures.Root(t)), "docs/codes.md")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != want {
		t.Errorf("docs/codes.md is not what the catalogue makes of it (scripts/update-golden): %v\n%s", err, want)
	}
}

func codesPage() string {
	var b strings.Builder
	b.WriteString(`# Codes

Every code has a page: what it means, what proves it, what disproves it, what to do, and where that was read. The program
prints the same page (` + "`analyze rules CODE`" + `). Codes are never renamed. This list is made from the catalogue.

The severity is the usual one. In a bundle in which a finding matters more or less, the report gives it another: BundleIncomplete
is an info where only explanations lack, CaptureInconsistent where another copy is only later, or only times of events differ.

## Verdicts

Why a workload had not completed: exactly one each. What the Job itself says is tried first, then what its pods
say; within these about in this order. InsufficientEvidence comes wherever what would decide is missing.
`)
	writeCodes(&b, verdictKind)
	b.WriteString(`
## Findings

What explains a verdict, or will break the next run: any number. A finding has fired, or it is undecided and says what is
missing.
`)
	writeCodes(&b, findingKind)
	return b.String()
}

func writeCodes(b *strings.Builder, kind string) {
	b.WriteString("\n| code | severity | meaning |\n|---|---|---|\n")
	for _, e := range entries(nil) {
		if e.Kind == kind {
			fmt.Fprintf(b, "| [%s](../rules/docs/%s.md) | %s | %s |\n", e.Code, e.Code, e.Severity, e.Title)
		}
	}
}
