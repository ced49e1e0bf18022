package bundle

import (
	"path"
	"slices"
	"strings"
)

// maxRoots bounds the folders that are remembered as possible roots.
const maxRoots = 4096

// place is what a file's path says about it.
type place struct {
	// anchor is the folder that the file counts for.
	anchor string
	kind   string
	skip   string
	// manifest marks collection.json of our own collector.
	manifest bool
}

// places knows the layouts, decides file by file, and names at the end what was recognised where.
type places struct {
	layouts []layout
	// first and last hold rules by the literal name that they begin or end with, other those with neither.
	first, last map[string][]placed
	other       []placed
	marks       map[rootKey]mark
	counts      map[string]*Root
	known       map[string]*Root
}

// placed is a rule that is ready to be matched; order is its place in the table.
type placed struct {
	pattern
	rule
	layout, order int
}

type rootKey struct {
	layout int
	root   string
}

// newPlaces prepares all layouts, or the one that is forced.
func newPlaces(forced string) *places {
	p := &places{first: map[string][]placed{}, last: map[string][]placed{},
		marks: map[rootKey]mark{}, counts: map[string]*Root{}}
	order := 0
	for _, l := range layouts() {
		if forced != "" && l.id != forced && l.id != looseID {
			continue
		}
		if forced == l.id {
			l.signs = []mark{0}
		}
		p.layouts = append(p.layouts, l)
		for _, r := range l.rules {
			order++
			p.add(placed{parsePattern(r.path), r, len(p.layouts) - 1, order})
		}
	}
	return p
}

func (p *places) add(r placed) {
	begin, end := r.steps[0], r.steps[len(r.steps)-1]
	switch {
	case begin.literal != "":
		p.first[begin.literal] = append(p.first[begin.literal], r)
	case end.literal != "" && !r.many:
		p.last[end.literal] = append(p.last[end.literal], r)
	default:
		p.other = append(p.other, r)
	}
}

// place decides about one file, and remembers what it says about the roots above it.
func (p *places) place(it item) place {
	names := strings.Split(withoutPacking(it.rel), "/")
	best := placed{order: 1 << 30}
	d := place{}
	try := func(rules []placed, at int) {
		for _, r := range rules {
			kind, ok := r.match(names[at:])
			if !ok {
				continue
			}
			root := it.base + strings.Join(names[:at+r.rootAt], "/")
			p.remember(rootKey{r.layout, root}, r.mark)
			if r.order < best.order {
				best, d = r, place{anchor: root, kind: kindHint(kind), skip: r.skip, manifest: r.mark == markOwn}
			}
		}
	}
	for at, name := range names {
		try(p.first[name], at)
	}
	tail := func(r []placed) {
		for i := range r {
			if at := len(names) - len(r[i].steps); at >= 0 {
				try(r[i:i+1], at)
			}
		}
	}
	tail(p.last[names[len(names)-1]])
	tail(p.other)
	dir, file := path.Split(it.rel)
	if best.order == 1<<30 {
		d.anchor = it.base + strings.TrimSuffix(dir, "/")
	}
	if d.kind == "" {
		stem, _, _ := strings.Cut(file, ".")
		d.kind = kindHint(stem)
	}
	return d
}

func (p *places) remember(k rootKey, m mark) {
	if _, known := p.marks[k]; m != 0 && (known || len(p.marks) < maxRoots) {
		p.marks[k] |= m
	}
}

// disown takes back the mark of a collection.json that turned out to be another tool's.
func (p *places) disown(d place) {
	for k := range p.marks {
		if k.root == d.anchor {
			p.marks[k] &^= markOwn
		}
	}
}

// isLoose says whether a file is in no recognised tree.
func (p *places) isLoose(name string) bool { return ownerOf(p.found(), path.Dir(name)) == nil }

// count adds a file to its folder.
func (p *places) count(d place, read bool) {
	anchor := d.anchor
	c := p.counts[anchor]
	if c == nil && len(p.counts) >= 4*maxRoots {
		anchor = ""
		c = p.counts[anchor]
	}
	if c == nil {
		c = &Root{}
		p.counts[anchor] = c
	}
	if read {
		c.Read++
	} else {
		c.Ignored++
	}
}

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
