package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures"
)

// TestNumbersInDocs: a bound that changes in the code changes on its page too.
func TestNumbersInDocs(t *testing.T) {
	pages := docPages(t)
	var limits string
	for _, name := range []string{"limits.go", "content_window.go"} {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(fixtures.Root(t)), "analyze/bundle", name))
		if err != nil {
			t.Fatal(err)
		}
		limits += string(text)
	}
	source := regexp.MustCompile(` +`).ReplaceAllString(limits, " ")
	for constant, row := range map[string]string{
		"DefaultMaxBytes = 16 << 30":  "| unpacked bytes, all together | 16 GiB (`--max-bytes`) |",
		"DefaultMaxFiles = 1_000_000": "| files | 1 000 000 (`--max-files`) |",
		"maxPiece = 64 << 20":         "| one object | 64 MiB of text; a larger one is left out |",
		"maxRatio = 400":              "| one compressed stream | 400 times its size, past the first 64 MiB |",
		"ratioFree = 64 << 20":        "past the first 64 MiB",
		"maxLayers = 8":               "| containers within containers | 8 layers |",
		"maxArchives = 256":           "| archives within a bundle | 256 |",
		"maxDictionary = 128 << 20":   "| window of xz and zstd | 128 MiB |",
		"maxSpool = 64 << 20":         "64 MiB are held in memory",
		"maxProblems = 500":           "| problems listed | 500, the others are counted |",
	} {
		if !strings.Contains(source, constant) || !strings.Contains(pages["docs/bundles.md"], row) {
			t.Errorf("analyze/bundle has %q: %v, docs/bundles.md has %q: %v", constant, strings.Contains(source, constant),
				row, strings.Contains(pages["docs/bundles.md"], row))
		}
	}
	most := fmt.Sprintf("most %d seconds, %d MiB and %d 000 files", int(completeWithin.Seconds()), completeBytes>>20, completeFiles/1000)
	if text := strings.Join(strings.Fields(pages["docs/install.md"]), " "); !strings.Contains(text, most) {
		t.Errorf("docs/install.md does not say: at %s", most)
	}
}
