package bundle

import (
	"strings"
)

// pattern is a path of a layout, root-agnostic: it matches a path's tail, and what is before is the root. Its steps are
//
//	name          that name
//	*             any name
//	{gv}          an apiVersion with - for /: v1, batch-v1, apps-v1beta2
//	{group}       an API group: anything but a {gv}
//	{plural}.yaml any name with that suffix; the rest of the name tells the kind, as pods tells Pod
//	{kind}        any name, which tells the kind, as pod tells Pod
//	{dull}.yaml   a kind that no verdict or rule asks for, see isDull
//	{same}.yaml   the name of the step before
//	*.log         any name with that suffix
//	**            one name or more, only as the last step
//	^             no step: the root ends here, not where the pattern begins
type pattern struct {
	steps  []step
	rootAt int
	// many says that the last step is **.
	many bool
}

type step struct {
	literal string
	suffix  string
	class   byte
}

// The classes of steps.
const (
	stepLiteral = iota
	stepAny
	stepGV
	stepGroup
	stepKind
	stepSame
	stepDull
)

func parsePattern(text string) pattern {
	var p pattern
	for part := range strings.SplitSeq(text, "/") {
		if rest, ok := strings.CutPrefix(part, "^"); ok {
			p.rootAt, part = len(p.steps), rest
		}
		switch open := strings.IndexAny(part, "*{"); {
		case part == "**":
			p.many = true
		case open < 0:
			p.steps = append(p.steps, step{literal: part})
		case part[open] == '*':
			p.steps = append(p.steps, step{class: stepAny, suffix: part[open+1:]})
		default:
			name, suffix, _ := strings.Cut(part[1:], "}")
			class := map[string]byte{"gv": stepGV, "group": stepGroup, "kind": stepKind, "plural": stepKind, "same": stepSame, "dull": stepDull}[name]
			p.steps = append(p.steps, step{class: class, suffix: suffix})
		}
	}
	return p
}

// match tries the pattern at names, the tail of a path. kind is the name that tells the kind, if there is one.
func (p pattern) match(names []string) (kind string, ok bool) {
	if len(names) < len(p.steps) || len(names) > len(p.steps) != p.many {
		return "", false
	}
	for i, s := range p.steps {
		name, fits := strings.CutSuffix(names[i], s.suffix)
		if !fits || name == "" {
			return "", false
		}
		switch s.class {
		case stepLiteral:
			fits = name == s.literal
		case stepGV:
			fits = isGroupVersion(name)
		case stepGroup:
			fits = !isGroupVersion(name)
		case stepDull:
			fits = isDull(name)
		case stepSame:
			fits = i > 0 && name == names[i-1]
		case stepKind:
			kind = name
		}
		if !fits {
			return "", false
		}
	}
	return kind, true
}

// isGroupVersion recognises v1, batch-v1, networking.k8s.io-v1beta1.
func isGroupVersion(s string) bool {
	v := s[strings.LastIndexByte(s, '-')+1:]
	return len(v) >= 2 && v[0] == 'v' && v[1] >= '0' && v[1] <= '9'
}
