package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the head of a converted report says in fixed words is in the language that was asked for; sentences stay.
func TestConvertSaysTheHeadInTheLanguageAskedFor(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(file, run("demo", "-o", "json").Stdout, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"table", "wide", "markdown", "html"} {
		direct, converted := string(run("demo", "--lang", "zh", "-o", format).Stdout), string(run("convert", file, "--lang", "zh", "-o", format).Stdout)
		for _, line := range strings.Split(direct, "\n") {
			if strings.Contains(line, "采集于") && !strings.Contains(converted, line) {
				t.Errorf("%s: the head of the converted report lacks %q", format, line)
			}
		}
		if !strings.Contains(direct, "采集于") {
			t.Errorf("%s: no head was found", format)
		}
	}
	if out := string(run("convert", file).Stdout); !strings.Contains(out, "by the collector's manifest") {
		t.Errorf("an English head is changed: %s", out)
	}
}
