package render

import (
	"fmt"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// findings writes fired findings open and folds the undecided ones.
func (m *markdown) findings(fired, undecided []analyze.Finding) {
	for _, f := range fired {
		m.finding(f)
	}
	if len(undecided) == 0 {
		return
	}
	m.fold(m.count("markdown.undecided", len(undecided)), func() {
		for _, f := range undecided {
			m.line("- %s", md(undecidedText(m.catalogue, f)))
			for _, g := range f.Missing {
				if g.Command != "" {
					m.line("  - %s", m.gapText(g))
				}
			}
		}
	})
}

func (m *markdown) finding(f analyze.Finding) {
	m.line("")
	m.line("**%s %s** (%s)%s%s", md(m.severity(f.Severity)), md(string(f.Code)),
		m.objectCode(f.Object.String()), m.say("colon"), md(m.sentence(f.Message)))
	if len(f.Evidence) > 0 {
		m.line("")
		m.proof(f.Evidence, "")
	}
	m.gaps(f.Missing)
	m.remedy(f.Remedy, f.Code)
	if len(f.Assumes)+len(f.References) == 0 {
		return
	}
	m.fold(m.say("markdown.sources"), func() {
		for _, s := range f.Assumes {
			m.line("- %s%s%s", m.say("assumes"), m.say("colon"), md(s))
		}
		for _, s := range f.References {
			m.line("- %s%s%s", m.say("references"), m.say("colon"), code(s))
		}
	})
}

// objectCode names an object as code, the cluster as a whole in words.
func (m *markdown) objectCode(ref string) string {
	if name := m.object(ref); name != ref {
		return name
	}
	return code(ref)
}

// remedy shows what to change open, and how folded.
func (m *markdown) remedy(r *analyze.Remedy, of analyze.Code) {
	if r == nil {
		return
	}
	m.line("")
	key := remedyKey(r)
	if at, ok := m.remedies[key]; ok {
		m.line("%s", md(m.say("remedy.same", at)))
		return
	}
	m.remedies[key] = of
	m.line("**%s** %s", m.say("remedy"), md(r.Summary))
	if len(r.Steps)+len(r.Verify)+len(r.Rollback)+len(r.Avoid) == 0 && r.Patch == "" {
		return
	}
	m.fold(m.say("markdown.remedy"), func() {
		m.list("remedy.steps", true, r.Steps)
		if r.Patch != "" {
			m.title("remedy.patch")
			m.line("%s", fence("yaml", r.Patch))
		}
		m.list("remedy.verify", false, r.Verify)
		m.list("remedy.rollback", false, r.Rollback)
		m.list("remedy.avoid", false, r.Avoid)
	})
}

// list writes a titled list; the lines behind an item's first are commands and become a block below it.
func (m *markdown) list(title string, numbered bool, items []string) {
	if len(items) == 0 {
		return
	}
	m.title(title)
	for i, s := range items {
		bullet := "- "
		if numbered {
			bullet = fmt.Sprintf("%d. ", i+1)
		}
		first, rest, more := strings.Cut(s, "\n")
		m.line("%s", bullet+md(first))
		if more {
			indent := strings.Repeat(" ", len(bullet))
			m.line("%s", indent+strings.ReplaceAll(fence("sh", rest), "\n", "\n"+indent))
		}
	}
}
