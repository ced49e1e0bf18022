package kube

import (
	"bytes"
	"strconv"
	"strings"
)

// source is the text of an object as the file has it.
type source struct {
	format Format
	raw    []byte
	// line of the first byte of raw, counting from 1.
	line int
}

// textLines finds lines by walking the object's text, when asked.
type textLines struct{ src source }

// LineOf implements Locator.
func (t *textLines) LineOf(path string) int { return t.src.lineOf(path) }

// lineOf gives the line of the first of the paths that is there, 0 for none.
func (s source) lineOf(paths ...string) int {
	for _, p := range paths {
		n := -1
		switch s.format {
		case YAML:
			n = locateYAML(s.raw, splitPath(p))
		case JSON:
			n = locateJSON(s.raw, splitPath(p))
		}
		if n >= 0 {
			return s.line + n
		}
	}
	return 0
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
		if p[0] == '[' {
			stop := strings.IndexByte(p, ']')
			if stop < 0 {
				return append(steps, step{name: p})
			}
			steps = append(steps, step{name: p[1:stop], brack: true})
			p = strings.TrimPrefix(p[stop+1:], ".")
			continue
		}
		end := strings.IndexAny(p, ".[")
		if end < 0 {
			return append(steps, step{name: p})
		}
		steps = append(steps, step{name: p[:end]})
		p = strings.TrimPrefix(p[end:], ".")
	}
	return steps
}

// picks says whether a list item is selected by "name=app": key and value, or by its index.
func (s step) picks(index int, value func(key string) string) bool {
	if key, want, ok := strings.Cut(s.name, "="); ok {
		return value(key) == want
	}
	if n, err := strconv.Atoi(s.name); err == nil {
		return n == index
	}
	return value("name") == s.name
}

func newlines(b []byte) int { return bytes.Count(b, []byte("\n")) }
