package redact

import (
	"maps"
	"regexp"
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
)

// manifestName is the file in the copy that says what was done. The bundle reader knows it.
const manifestName = "redaction.json"

// Manifest says what was taken out and left out, without any of it. The patterns of the user are not in it either: they
// may hold what they look for.
type Manifest struct {
	Tool    string `json:"tool"`
	Kind    string `json:"kind"`
	Schema  int    `json:"schema"`
	Version string `json:"version"`
	// Layout is what the bundle was recognised as.
	Layout string `json:"layout"`
	// Files counts the files of the copy beside this one.
	Files       int       `json:"files"`
	OwnPatterns int       `json:"ownPatterns"`
	Removed     []Removed `json:"removed"`
	LeftOut     []LeftOut `json:"leftOut"`
	// Problems are those of reading the bundle, with paths of the copy. The reader takes them over: what was cut off or
	// damaged would look whole otherwise.
	Problems []Problem `json:"problems"`

	unclear bool
}

// Removed counts one kind of what was taken out.
type Removed struct {
	What  string `json:"what"`
	Count int    `json:"count"`
}

// LeftOut lists files that are not in the copy. Names are those of the bundle below its top folder, the first of
// them only.
type LeftOut struct {
	Reason string   `json:"reason"`
	Files  int      `json:"files"`
	Names  []string `json:"names"`
}

// Problem is something that could not be read.
type Problem struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
}

// Unclear says that something the reader had recognised could not be followed, and is not in the copy.
func (m *Manifest) Unclear() bool { return m.unclear }

// maxNames bounds the names that are listed for one reason.
const maxNames = 200

func (r *run) manifest(read *bundle.Bundle, top string) *Manifest {
	m := &Manifest{Tool: "sidecar-must-gather", Kind: "RedactedCopy", Schema: 1, Version: r.version, Layout: read.Layout,
		Files: len(r.files), OwnPatterns: len(r.patterns.own), Removed: []Removed{}, LeftOut: []LeftOut{}, Problems: []Problem{},
		unclear: r.failed || r.counts[ofUnclear] > 0}
	for _, what := range slices.Sorted(maps.Keys(r.counts)) {
		if r.counts[what] > 0 {
			m.Removed = append(m.Removed, Removed{what, r.counts[what]})
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(r.left)) {
		var names []string
		for _, name := range r.left[reason] {
			names = append(names, below(top, name)) // as the files of problems are
		}
		slices.Sort(names)
		m.LeftOut = append(m.LeftOut, LeftOut{reason, len(names), names[:min(len(names), maxNames)]})
	}
	for _, p := range read.Problems {
		m.Problems = append(m.Problems, r.problem(p, top))
	}
	return m
}

// quoted is what a message quotes of a text that could not be read, misplaced a value of another type than belongs there.
var (
	quoted    = regexp.MustCompile("`[^`]*`|'[^']*'|\"[^\"]*\"")
	misplaced = regexp.MustCompile(`(?s) is .* where `)
)

func (r *run) problem(p bundle.Problem, top string) Problem {
	text := misplaced.ReplaceAllString(p.Message, " is "+Mark+" where ")
	text, _ = r.patterns.scrub(quoted.ReplaceAllString(text, Mark))
	out := Problem{Line: p.Line, Message: text}
	if p.File != "" {
		out.File = r.names[p.File]
		if out.File == "" {
			out.File = nameFor(p.File, map[string]bool{})
		}
		out.File = below(top, out.File)
	}
	return out
}
