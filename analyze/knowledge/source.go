package knowledge

import (
	"fmt"
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
)

// Source says where a datum was read. Code at a tag outranks prose.
type Source struct {
	ID      string `json:"id"`
	Repo    string `json:"repo"`    // owner/name, or the name of a document's publisher
	Path    string `json:"path"`    // file, issue, pull request or page inside it
	At      string `json:"at"`      // tag, commit or release that was read; empty for threads
	Checked string `json:"checked"` // day of the last check, YYYY-MM-DD
	Line    string `json:"line"`    // what it says, in one line of our own words
}

// String gives the reference in one line, fit for printing under a finding.
func (s Source) String() string {
	ref := s.Repo
	if s.Path != "" {
		ref += " " + s.Path
	}
	if s.At != "" {
		ref += " @ " + s.At
	}
	if s.Line == "" {
		return ref
	}
	return fmt.Sprintf("%s: %s", ref, s.Line)
}

// Basis is what an answer rests on.
type Basis struct {
	Sources []string        // printable references
	Assumes []sentence.Text // what was assumed, for example that a release newer than any that was read behaves like the last one read
}

// Merge appends without repeating.
func (b Basis) Merge(o Basis) Basis {
	return Basis{Sources: appendNew(b.Sources, o.Sources...), Assumes: appendTexts(b.Assumes, o.Assumes...)}
}

func appendNew(list []string, more ...string) []string {
	for _, m := range more {
		seen := m == ""
		for _, have := range list {
			seen = seen || have == m
		}
		if !seen {
			list = append(list[:len(list):len(list)], m)
		}
	}
	return list
}

// appendTexts is appendNew for sentences.
func appendTexts(list []sentence.Text, more ...sentence.Text) []sentence.Text {
	for _, m := range more {
		known := func(have sentence.Text) bool { return have.String() == m.String() }
		if !m.IsZero() && !slices.ContainsFunc(list, known) {
			list = append(list[:len(list):len(list)], m)
		}
	}
	return list
}
