package bundle

import (
	"path"
	"slices"
	"strings"
)

// roots names what was recognised, ordered by path. Files outside of every recognised tree are one more root, the last,
// if any of them were read.
func (p *places) roots() []Root {
	found := p.found()
	var loose Root
	for anchor, c := range p.counts {
		r := &loose
		if owner := ownerOf(found, anchor); owner != nil {
			r = owner
		}
		r.Read += c.Read
		r.Ignored += c.Ignored
	}
	out := make([]Root, 0, len(found)+1)
	for _, r := range found {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Root) int { return strings.Compare(a.Path, b.Path) })
	if loose.Read > 0 || len(out) == 0 {
		loose.Layout = looseName
		if len(p.layouts) == 2 && len(out) == 0 {
			loose.Layout = p.layouts[0].name // forced, and nothing speaks for it
		}
		out = append(out, loose)
	}
	for i := range out {
		if out[i].Path == "" {
			out[i].Path = "."
		}
	}
	return out
}

// found gives the recognised roots; nothing may be placed after the first call.
func (p *places) found() map[string]*Root {
	if p.known == nil {
		p.known = p.recognise()
	}
	return p.known
}

// recognise finds the roots whose marks make up a layout. Of layouts that fit one root the first in the table is meant.
func (p *places) recognise() map[string]*Root {
	found := map[string]*Root{}
	for i, l := range p.layouts {
		for k, have := range p.marks {
			if k.layout != i || found[k.root] != nil {
				continue
			}
			for _, need := range l.signs {
				if have&need == need {
					found[k.root] = &Root{Path: k.root, Layout: l.name}
				}
			}
		}
	}
	return found
}

// ownerOf finds the recognised root that a path is in: the deepest one above it.
func ownerOf(found map[string]*Root, at string) *Root {
	for {
		if r := found[at]; r != nil {
			return r
		}
		if at == "" {
			return nil
		}
		i := strings.LastIndexAny(at[:len(at)-1], "/!")
		switch {
		case i < 0:
			at = ""
		case at[i] == '!':
			at = at[:i+1]
		default:
			at = at[:i]
		}
	}
}

// layoutNames gives the layouts of roots, each once.
func layoutNames(roots []Root) string {
	var names []string
	for _, r := range roots {
		if !slices.Contains(names, r.Layout) {
			names = append(names, r.Layout)
		}
	}
	return strings.Join(names, ", ")
}

// isLoose says whether a file is in no recognised tree.
func (p *places) isLoose(name string) bool { return ownerOf(p.found(), path.Dir(name)) == nil }
