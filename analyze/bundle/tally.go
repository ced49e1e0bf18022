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
		c = &Ignored{Reason: reason, Example: clip(example, 200)}
		t.counts[reason] = c
	}
	c.Files++
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

// The things in an archive that are counted and make one problem each.
const (
	oddLink      = "symbolic link"
	oddHardLink  = "hard link"
	oddDevice    = "device, pipe or socket"
	oddSparse    = "sparse file"
	oddName      = "entry with an absolute, climbing or impossible name"
	oddDuplicate = "repeated entry"
	oddEncrypted = "encrypted entry"
	oddMethod    = "entry packed by an unknown method"
	oddType      = "entry of an unknown type"
	oddDeep      = "archive nested too deep"
	oddMany      = "archive beyond the number that is opened"
)

// consequence says what was done about each.
var consequence = map[string]string{
	oddLink:      "not followed (links never are; what they point to within the bundle is read in its own place)",
	oddHardLink:  "not followed (links never are; what they point to within the bundle is read in its own place)",
	oddDevice:    "not opened",
	oddSparse:    "not read",
	oddName:      "refused",
	oddDuplicate: "all copies were read",
	oddEncrypted: "not readable: decrypt the archive first",
	oddMethod:    "not readable: repack the archive as .tar.gz",
	oddType:      "not read",
	oddDeep:      fmt.Sprintf("not opened (more than %d layers)", maxLayers),
	oddMany:      fmt.Sprintf("not opened (more than %d archives)", maxArchives),
}

// problems gives one problem for each thing that was counted.
func (t tally) problems() []Problem {
	var out []Problem
	for _, c := range t.list() {
		text := fmt.Sprintf("%s: %s", c.Reason, consequence[c.Reason])
		if c.Files > 1 {
			text = fmt.Sprintf("%d times %s, the first is named here: %s", c.Files, c.Reason, consequence[c.Reason])
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
