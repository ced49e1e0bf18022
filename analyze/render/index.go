package render

import (
	"encoding/json"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
)

// storyKey is equal for workloads whose reports would differ in names and times only.
func storyKey(w analyze.Workload) string {
	key := []any{w.Kind, w.Namespace, w.Parent, w.Verdict, w.Severity, w.Culprits, w.Findings, w.NextPod}
	if w.Parent == nil {
		key = append(key, w.Name)
	}
	b, err := json.Marshal(key)
	if err != nil { // plain values only: cannot happen, and then the workload stands alone
		return w.Ref().String()
	}
	return string(b)
}

// index finds the groups that a finding concerns.
type index struct {
	byRef  map[string][]*group
	byCode map[analyze.Code][]*group
}

func newIndex(groups []*group) index {
	x := index{byRef: map[string][]*group{}, byCode: map[analyze.Code][]*group{}}
	for _, g := range groups {
		for _, w := range append([]analyze.Workload{g.lead}, g.others...) {
			x.byRef[w.Ref().String()] = add(x.byRef[w.Ref().String()], g)
			if w.Parent != nil {
				ref := evidence.Ref{Kind: w.Parent.Kind, Namespace: w.Namespace, Name: w.Parent.Name}.String()
				x.byRef[ref] = add(x.byRef[ref], g)
			}
			for _, p := range w.Pods {
				ref := evidence.Ref{Kind: "Pod", Namespace: w.Namespace, Name: p.Name}.String()
				x.byRef[ref] = add(x.byRef[ref], g)
			}
			for _, c := range w.Findings {
				x.byCode[c] = add(x.byCode[c], g)
			}
		}
	}
	return x
}

// add appends a group once: the index is built group by group, so the last element tells.
func add(gs []*group, g *group) []*group {
	if len(gs) > 0 && gs[len(gs)-1] == g {
		return gs
	}
	return append(gs, g)
}

// concerned returns the groups a finding is about: those it names, else those of its object, else those that name it.
func (x index) concerned(f analyze.Finding) []*group {
	var out []*group
	seen := make(map[*group]bool, len(f.Workloads))
	for _, ref := range f.Workloads {
		for _, g := range x.byRef[ref] {
			if !seen[g] {
				seen[g] = true
				out = append(out, g)
			}
		}
	}
	if len(out) == 0 {
		out = x.byRef[f.Object.String()]
	}
	if len(out) == 0 {
		out = x.byCode[f.Code]
	}
	return out
}
