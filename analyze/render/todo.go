package render

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// todo is what a remedy says in one line, and the finding that tells how.
type todo struct {
	code analyze.Code
	text string
	// apart: it does not bear on the verdict.
	apart bool
}

// todos lists the remedies of a group's errors and warnings, worst finding first, each wording once. A workload that is well has
// nothing to be done for it; what could be better is told with its findings.
func (v *view) todos(g *group) []todo {
	var out []todo
	if !needsAttention(g.lead) {
		return nil
	}
	if r := g.lead.Remedy; r != nil {
		out = append(out, todo{code: g.lead.Verdict, text: r.Summary})
	}
	add := func(f analyze.Finding) {
		text := todoText(f)
		if text != "" && !slices.ContainsFunc(out, func(t todo) bool { return t.text == text }) {
			out = append(out, todo{f.Code, text, slices.Contains(g.lead.Apart, f.Code)})
		}
	}
	for _, f := range g.own {
		add(f)
	}
	for _, code := range g.elsewhere {
		if f := v.firstOf(code); f != nil {
			add(*f)
		}
	}
	slices.SortStableFunc(out, func(a, b todo) int { return later(a) - later(b) })
	return out
}

// later puts what does not bear on the verdict behind the rest.
func later(t todo) int {
	if t.apart {
		return 1
	}
	return 0
}

// todoTitle is the id of what stands above an entry of the list, "" for nothing: what comes after something that can be
// done at once, and what comes later, each once.
func todoTitle(list []todo, i int, now bool) string {
	switch first := i == 0 || list[i-1].apart != list[i].apart; {
	case first && list[i].apart:
		return "todo.apart"
	case first && now:
		return "todo.next"
	}
	return ""
}

// nowLabel stands before what can be done at once; named where the text stands for one of several workloads.
func nowLabel(c catalogue, w analyze.Workload, named bool) string {
	if named {
		return c.say("now.of", w.Name)
	}
	return c.say("now")
}

func needsAttention(w analyze.Workload) bool {
	return severityRank(w.Severity) < severityRank(analyze.Info)
}

// firstOf finds the first fired finding of a code, wherever it is told.
func (v *view) firstOf(code analyze.Code) *analyze.Finding {
	for i := range v.Findings {
		if v.Findings[i].Code == code && v.Findings[i].Status != analyze.Undecided {
			return &v.Findings[i]
		}
	}
	return nil
}

// fixCommand is the command that prints the whole change, with what to save, how to verify and how to go back; empty
// where nothing holds the workload, or neither its own remedy nor a change of the next proxy's placement makes it better.
func fixCommand(v *view, w analyze.Workload) string {
	p := w.NextPod.Placement
	if len(w.Culprits) == 0 || w.Severity != analyze.Error || w.Remedy == nil && p != "ordinary" && p != "broken" {
		return ""
	}
	cmd := "analyze fix " + bundleArgument(v.Bundle.Source) + " " + w.Name
	switch {
	case !pasteable(w.Name):
		return ""
	case w.Namespace == "":
		return cmd
	case !pasteable(w.Namespace):
		return ""
	}
	return cmd + " -n " + w.Namespace
}

// bundleArgument names a bundle as an argument that can be pasted; BUNDLE where it had no name that still opens it, as
// standard input has not, nor what a shell gives for a command's output.
func bundleArgument(source string) string {
	for _, gone := range []string{"/dev/", "/proc/"} {
		if strings.HasPrefix(source, gone) {
			return "BUNDLE"
		}
	}
	if source == "stdin" || !pasteable(source) {
		return "BUNDLE"
	}
	return source
}

// fixLabel is the id of what that command prints: the whole of what was listed, or all there is.
func fixLabel[T any](listed []T) string {
	if len(listed) == 0 {
		return "todo.fixOnly"
	}
	return "todo.fix"
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9._/@+:][A-Za-z0-9._/@+:-]*$`)

// pasteable says that a shell takes a word as it is, and a program does not take it for a flag.
func pasteable(s string) bool { return plainWord.MatchString(s) }
