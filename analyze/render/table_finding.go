package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render/columns"
)

// section starts a titled part of a workload's story.
func (t *table) section(id string) {
	t.blank()
	t.raw(t.paint(bold, t.say(id)))
}

// evidence prints the argument, in its order.
func (t *table) evidence(title string, es []evidence.Evidence) {
	if len(es) == 0 {
		return
	}
	t.section(title)
	t.in(func() { t.proof("", es) })
}

// someEvidence is how much of an argument the table prints before it stops at the next object: what a Job's first pods
// show, its other hundred show too. wide has it all.
const someEvidence = 12

// proof prints observations, naming the object once for each run of them; the one named last stands above already. What is
// of no object stands under the file that it was read in.
func (t *table) proof(last string, es []evidence.Evidence) {
	for i, e := range es {
		if !t.wide && i >= someEvidence && e.Object != last {
			t.para(t.count("evidence.more", len(es)-i))
			return
		}
		if e.Object != last {
			t.para(t.object(cmp.Or(e.Object, e.File)))
		}
		last = e.Object
		t.item(plainText, fmt.Sprintf("%2d. ", i+1), evidenceText(t.catalogue, e, t.wide))
	}
}

// maxValue bounds a value in the table; wide has it whole.
const maxValue = 160

// evidenceText is one observation without its object: field = value, and where it stands.
func evidenceText(c catalogue, e evidence.Evidence, whole bool) string {
	value := e.Value
	if !whole {
		value = columns.Shorten(value, maxValue)
	}
	var s string
	switch {
	case e.Absent:
		s = absentText(c, e, e.Field)
	case e.Field == "":
		s = value
	default:
		s = e.Field + " = " + orElse(value, `""`)
	}
	return strings.TrimSpace(s + "  " + whereText(c, e))
}

// absentText says that a field is not set, or that the bundle holds nothing of a kind. The field is given as it is to stand.
func absentText(c catalogue, e evidence.Evidence, field string) string {
	if e.Strength == evidence.Derived && e.Where() == "" {
		return c.say("evidence.lacking", field)
	}
	return c.say("evidence.absent", field)
}

// whereText is [file:line] with the kind of witness, when that is weaker than a stored object.
func whereText(c catalogue, e evidence.Evidence) string {
	parts := []string{}
	if w := e.Where(); w != "" {
		parts = append(parts, w)
	}
	if e.Strength != evidence.Stored {
		parts = append(parts, witness(c, e.Strength))
	}
	if len(parts) == 0 {
		return ""
	}
	return "[" + c.parts(parts) + "]"
}

// witness names a witness weaker than a stored object.
func witness(c catalogue, s evidence.Strength) string {
	switch s {
	case evidence.Described, evidence.Table, evidence.Manifest, evidence.Text, evidence.Derived:
		return c.say("strength." + string(s))
	default:
		return string(s)
	}
}

// gaps lists what is missing, each with the command that would supply it.
func (t *table) gaps(title string, gs []evidence.Gap) {
	if len(gs) == 0 {
		return
	}
	t.section(title)
	t.in(func() { t.gapItems(gs) })
}

func (t *table) gapItems(gs []evidence.Gap) {
	for _, g := range gs {
		t.item(plainText, "- ", g.What)
		if g.Command != "" {
			t.in(func() { t.raw("$ " + g.Command) })
		}
	}
}

// findings prints fired findings in full and, in the table, undecided ones as a line each.
func (t *table) findings(fired, undecided []analyze.Finding) {
	for i, f := range fired {
		if i > 0 {
			t.blank()
		}
		t.finding(f)
	}
	for i, f := range undecided {
		if t.wide {
			if i > 0 || len(fired) > 0 {
				t.blank()
			}
			t.finding(f)
			continue
		}
		if i == 0 && len(fired) > 0 {
			t.blank()
		}
		t.para(undecidedText(t.catalogue, f))
	}
}

// undecidedText is the one line of a rule that could not decide.
func undecidedText(c catalogue, f analyze.Finding) string {
	s := c.say("undecided.line", f.Code, c.object(f.Object.String()))
	if f.Message != "" {
		s += c.say("colon") + f.Message
	}
	var gaps []string
	for _, g := range f.Missing {
		gaps = append(gaps, g.What)
	}
	if len(gaps) > 0 {
		s += c.say("undecided.missing", c.reasons(gaps))
	}
	return s
}

func (t *table) finding(f analyze.Finding) {
	label := "[" + t.severity(f.Severity) + "] "
	st := severityStyle(f.Severity)
	if f.Status == analyze.Undecided {
		label, st = "["+t.say("undecided")+"] ", dim
	}
	t.item(st, label, string(f.Code)+"  "+t.object(f.Object.String()))
	t.in(func() {
		t.para(t.sentence(f.Message))
		if f.Severity != analyze.Info || t.wide {
			t.proof(f.Object.String(), f.Evidence)
		}
		if len(f.Missing) > 0 {
			t.para(t.say("missing"))
			t.in(func() { t.gapItems(f.Missing) })
		}
		t.remedy(f.Remedy, f.Code)
		if t.wide {
			t.list("assumes", "- ", f.Assumes)
			t.list("references", "- ", f.References)
			t.list("concerns", "- ", f.Workloads)
		}
	})
}
