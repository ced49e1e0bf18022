package bundle

import (
	"path"
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
	as     special
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
				best, d = r, place{anchor: root, kind: kindHint(kind), skip: r.skip, as: r.as}
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
