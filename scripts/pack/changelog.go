package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// unreleased is the heading of what no release has yet.
const unreleased = "## Unreleased"

// changelog prints the changelog of a release: what was not released before is released with it. The file keeps the word,
// so that its bytes and those of the archive follow from the commit and the version.
func changelog(file, version string, out io.Writer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	heading, waiting := "## "+version, 0
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		switch strings.TrimRight(line, " \r") {
		case unreleased:
			lines[i] = heading
			fallthrough
		case heading:
			waiting++
		}
	}
	if waiting != 1 {
		return fmt.Errorf("%s: %d headings %q or %q; one must say what is in this release", file, waiting, unreleased, heading)
	}
	_, err = io.WriteString(out, strings.Join(lines, "\n"))
	return err
}
