package kube

import (
	"slices"
	"testing"
)

// Every field of every struct has a shape that the decoders know, and an id of its own in line tables.
func TestPlans(t *testing.T) {
	all := allPlans()
	if len(all.ids) > 200 {
		t.Errorf("%d field names; an id is one byte", len(all.ids))
	}
	seen := map[*plan]bool{}
	var walk func(where string, p *plan)
	walk = func(where string, p *plan) {
		if p == nil || seen[p] {
			return
		}
		seen[p] = true
		if p.shape == shapeUnknown {
			t.Errorf("%s is of a type that no decoder knows: %s", where, p.typ)
		}
		if len(p.fields) > 64 {
			t.Errorf("%s has %d fields; the JSON reader counts 64", where, len(p.fields))
		}
		for i, f := range p.fields {
			if i > 0 && p.fields[i-1].name >= f.name {
				t.Errorf("%s: %s and %s are out of order", where, p.fields[i-1].name, f.name)
			}
			walk(where+"."+f.name, f.plan)
		}
		walk(where+"[]", p.elem)
	}
	for kind, p := range all.byKind {
		walk(kind, p)
	}
	walk("other", all.other)
	if !all.byKind["Pod"].field("status").plan.field("containerStatuses").plan.elem.field("state").plan.field("terminated").plan.elem.field("exitCode").required {
		t.Error("exitCode is not required: without it a container would seem to have succeeded")
	}
}

// Of a pod that is to be reduced the lean plans ask for what leanFields names, at every level.
func TestLeanPlans(t *testing.T) {
	names := func(p *plan) (all []string) {
		for _, f := range p.fields {
			all = append(all, f.name)
		}
		return all
	}
	pod := allPlans().byKind["Pod"]
	for _, name := range []string{"metadata", "spec", "status"} {
		lean := pod.field(name).lean
		if lean == nil {
			t.Errorf("%s is read whole", name)
			continue
		}
		want := slices.Sorted(slices.Values(leanFields[lean.typ]))
		if got := names(lean); !slices.Equal(got, want) {
			t.Errorf("%s: %q is read, %q is wanted", name, got, want)
		}
	}
}
