package kube

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
)

// Origin is the place an object was read from. Readers of bundles fill it; see Locate for lines of single fields.
type Origin struct {
	// File is the path within the bundle, archives within archives joined by "!".
	File string
	// Line is the first line of the object in File, counting from 1.
	Line int
	// Strength is evidence.Stored for YAML and JSON, evidence.Described for describe text. That YAML is a manifest is for
	// package facts to find.
	Strength evidence.Strength
	// Truncated says that the text ended within the object, or that something was cut out of it: fields after the cut are
	// missing, not absent. Of describe text it says that the list of containers may not be whole.
	Truncated bool
	// Forgeable says that describe text of the object may have been written by its workload: the second line of a
	// termination message stands at column 0, and this one reaches as far as text that looks like kubectl's.
	Forgeable bool
	// Lines finds the line in File of a field path; nil when lines are unknown. It answers 0 for a path it cannot
	// find.
	Lines Locator
}

// Later is a second place that fields of an object were read from.
type Later struct {
	Origin Origin
	// Fields are how the paths begin of what was read there.
	Fields []string
}

// Locator finds lines of field paths. Paths are those of evidence: metadata.name,
// status.containerStatuses[name=app].state.running.startedAt.
type Locator interface {
	LineOf(path string) int
}

// LineMap is a Locator with every known path in a map, as the describe reader keeps it.
type LineMap map[string]int

// LineOf implements Locator.
func (m LineMap) LineOf(path string) int { return m[path] }

// LineOf gives the line of path, or that of its nearest known parent, or the object's first line.
func (o Origin) LineOf(path string) int {
	if t, ok := o.Lines.(*lineTable); ok {
		if n := t.nearest(path); n > 0 {
			return n
		}
	} else if o.Lines != nil {
		for p := path; p != ""; p = parentPath(p) {
			if n := o.Lines.LineOf(p); n > 0 {
				return n
			}
		}
	}
	return o.Line
}

// parentPath cuts the last step off a path: "a.b[name=x].c" -> "a.b[name=x]" -> "a.b" -> "a" -> "". Dots within
// brackets (annotation keys) do not count.
func parentPath(p string) string {
	depth := 0
	for i := len(p) - 1; i >= 0; i-- {
		switch p[i] {
		case ']':
			depth++
		case '[':
			depth--
			if depth == 0 {
				return p[:i]
			}
		case '.':
			if depth == 0 {
				return p[:i]
			}
		}
	}
	return ""
}
