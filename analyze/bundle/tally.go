package bundle

import (
	"fmt"
	"sort"
	"strings"
)

// tally counts what happens many times, so that it makes one line and not a million.
type tally struct {
	counts map[string]*Ignored
}

func newTally() tally { return tally{counts: map[string]*Ignored{}} }

func (t tally) add(reason, example string) {
	c := t.counts[reason]
	if c == nil {
		c = &Ignored{Reason: reason, Example: clip(example, maxName)}
		t.counts[reason] = c
	}
	c.Files++
}

// addMany counts more of what was added before.
func (t tally) addMany(reason string, n int) {
	if c := t.counts[reason]; c != nil {
		c.Files += n
	}
}

// list gives what was counted, ordered by reason.
func (t tally) list() []Ignored {
	out := make([]Ignored, 0, len(t.counts))
	for _, c := range t.counts {
		out = append(out, *c)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Reason < out[j].Reason })
	return out
}

// The things in an archive or a folder that are counted and make one problem each.
const (
	oddLink      = "symbolic link"
	oddHardLink  = "hard link"
	oddDevice    = "device, pipe or socket"
	oddSparse    = "sparse file"
	oddName      = "entry with an absolute, climbing or impossible name"
	oddDuplicate = "repeated entry"
	oddEncrypted = "encrypted entry"
	oddMethod    = "entry packed by a method that is not supported"
	oddType      = "entry of an unknown type"
	oddDeep      = "archive nested too deep"
	oddMany      = "archive too many"
)

// consequence says what was done about each.
func consequence(odd string) string {
	switch odd {
	case oddLink, oddHardLink:
		return "not followed: what a link points to within the bundle is read in its own place"
	case oddDevice:
		return "not opened"
	case oddName:
		return "refused"
	case oddDuplicate:
		return "all copies were read"
	case oddEncrypted:
		return "not readable: decrypt the archive first"
	case oddMethod:
		return "not readable: repack the archive as .tar.gz"
	case oddDeep:
		return fmt.Sprintf("not opened: it lies in more than %d layers of archives and compression", maxLayers)
	case oddMany:
		return fmt.Sprintf("not opened: no more than %d archives in one bundle are", maxArchives)
	}
	return "not read"
}

// problems gives one problem for each thing that was counted, with the first of its kind as the file.
func (t tally) problems() []Problem {
	var out []Problem
	for _, c := range t.list() {
		text := c.Reason + ": " + consequence(c.Reason)
		if c.Files > 1 {
			text += fmt.Sprintf(" (and %d more of this kind)", c.Files-1)
		}
		out = append(out, Problem{File: c.Example, Message: text})
	}
	return out
}

// clip shortens text that a stranger chose.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
