package kube

import (
	"bytes"
	"strconv"
	"strings"
)

// LineOf implements Locator for YAML that has no line table: it walks the text when asked, for few lines of few
// objects are ever wanted.
func (t *Text) LineOf(path string) int { return t.lineOf(path) }

// lineOf gives the line of the first of the paths that is there, 0 for none.
func (t *Text) lineOf(paths ...string) int {
	for _, p := range paths {
		if n := locateYAML(t.Raw, splitPath(p)); n >= 0 {
			return t.fileLine(n)
		}
	}
	return 0
}

// fileLine turns a count of newlines in Raw into a line of the file.
func (t *Text) fileLine(n int) int {
	line := t.Line + n
	for _, gap := range t.Gaps {
		if gap <= line {
			line++
		}
	}
	return line
}

// step is one part of a path: a key, or a selection among the items of a list or the keys of a map.
type step struct {
	name  string
	brack bool
}

// splitPath cuts "a.b[name=x].c" into a, b, [name=x], c. Dots within brackets do not count.
func splitPath(p string) []step {
	var steps []step
	for p != "" {
		var st step
		st, p = cutStep(p)
		steps = append(steps, st)
	}
	return steps
}

// cutStep cuts the first step off a path that is not empty.
func cutStep(p string) (st step, rest string) {
	if p[0] == '[' {
		stop := strings.IndexByte(p, ']')
		if stop < 0 {
			return step{name: p}, ""
		}
		return step{name: p[1:stop], brack: true}, strings.TrimPrefix(p[stop+1:], ".")
	}
	end := strings.IndexAny(p, ".[")
	if end < 0 {
		return step{name: p}, ""
	}
	return step{name: p[:end]}, strings.TrimPrefix(p[end:], ".")
}

// picks says whether a list item is selected by "name=app": key and value, or by its index, or by its name. The
// function gives a test for the value that an item has for a key.
func (s step) picks(index int, value func(key string) func(want string) bool) bool {
	if key, want, ok := strings.Cut(s.name, "="); ok {
		return value(key)(want)
	}
	if n, err := strconv.Atoi(s.name); err == nil {
		return n == index
	}
	return value("name")(s.name)
}

func newlines(b []byte) int { return bytes.Count(b, []byte("\n")) }
