package render

import (
	"cmp"
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
)

// view is a report arranged for reading: workloads worst first and alike ones together, each finding in one place.
type view struct {
	*analyze.Report
	groups []*group
	// common are fired findings about the cluster or about several groups.
	common []analyze.Finding
	// undecided are the rules that could not decide about the cluster or about several groups.
	undecided []analyze.Finding
	// ruledOutOf finds what was ruled out of an object, by index; made when it is first asked for.
	ruledOutOf map[evidence.Ref][]int
}

// group is workloads that share one story: held runs of one CronJob. Most groups have one member.
type group struct {
	// lead is told in full: the one held for longest.
	lead analyze.Workload
	// others are named only.
	others    []analyze.Workload
	own       []analyze.Finding
	undecided []analyze.Finding
	// elsewhere are codes of findings that concern it and are printed in another place.
	elsewhere []analyze.Code
}

// refs names the group's members, the lead first.
func (g *group) refs() []string {
	refs := []string{g.lead.Ref().String()}
	for _, w := range g.others {
		refs = append(refs, w.Ref().String())
	}
	return refs
}

func newView(r *analyze.Report) *view {
	v := &view{Report: r}
	v.groups = groupWorkloads(r.Workloads)
	v.place(r.Findings)
	return v
}

// severityRank orders severities worst first; an unknown one comes last.
func severityRank(s analyze.Severity) int {
	switch s {
	case analyze.Error:
		return 0
	case analyze.Warning:
		return 1
	case analyze.Info:
		return 2
	default:
		return 3
	}
}

// groupWorkloads joins workloads of one parent with the same verdict, and sorts the groups worst first. Within a
// severity the report's own order stands.
func groupWorkloads(ws []analyze.Workload) []*group {
	var groups []*group
	byKey := map[string]*group{}
	for _, w := range ws {
		key := storyKey(w)
		g := byKey[key]
		if g == nil || w.Parent == nil {
			g = &group{lead: w}
			groups = append(groups, g)
			byKey[key] = g
			continue
		}
		if w.Since != "" && (g.lead.Since == "" || w.Since < g.lead.Since) {
			w, g.lead = g.lead, w
		}
		g.others = append(g.others, w)
	}
	slices.SortStableFunc(groups, func(a, b *group) int {
		return cmp.Compare(severityRank(a.lead.Severity), severityRank(b.lead.Severity))
	})
	return groups
}

// mention notes a finding that is told elsewhere.
func (g *group) mention(c analyze.Code) {
	if !slices.Contains(g.elsewhere, c) {
		g.elsewhere = append(g.elsewhere, c)
	}
}

// onlyBad gives the one group among those that needs attention; nil for none and for several. The others are merely
// worth knowing.
func onlyBad(gs []*group) *group {
	var only *group
	for _, g := range gs {
		if severityRank(g.lead.Severity) >= severityRank(analyze.Info) {
			continue
		}
		if only != nil {
			return nil
		}
		only = g
	}
	return only
}

// place puts every finding in the one place where it is printed: with the only group it concerns, or the only one of
// those that needs attention, else with the cluster.
func (v *view) place(fs []analyze.Finding) {
	idx := newIndex(v.groups)
	for _, f := range fs {
		at := idx.concerned(f)
		if only := onlyBad(at); only != nil && f.Status != analyze.Undecided {
			only.own = append(only.own, f)
			for _, g := range at {
				if g != only {
					g.mention(f.Code)
				}
			}
			continue
		}
		switch {
		case len(at) == 1 && f.Status == analyze.Undecided:
			at[0].undecided = append(at[0].undecided, f)
		case len(at) == 1:
			at[0].own = append(at[0].own, f)
		case f.Status == analyze.Undecided:
			v.undecided = append(v.undecided, f)
		default:
			v.common = append(v.common, f)
			for _, g := range at {
				g.mention(f.Code)
			}
		}
	}
	sortFindings(v.common)
	for _, g := range v.groups {
		sortFindings(g.own)
	}
}

// sortFindings puts the worst first and keeps the report's order otherwise.
func sortFindings(fs []analyze.Finding) {
	slices.SortStableFunc(fs, func(a, b analyze.Finding) int {
		return cmp.Compare(severityRank(a.Severity), severityRank(b.Severity))
	})
}

// ruledOut returns what the report rules out about one workload beyond what the workload itself lists.
func (v *view) ruledOut(w analyze.Workload) []analyze.RuledOut {
	if v.ruledOutOf == nil {
		v.ruledOutOf = map[evidence.Ref][]int{}
		for i, x := range v.RuledOut {
			v.ruledOutOf[x.Object] = append(v.ruledOutOf[x.Object], i)
		}
	}
	at := slices.Clone(v.ruledOutOf[w.Ref()])
	for _, p := range w.Pods {
		if ref := (evidence.Ref{Kind: "Pod", Namespace: w.Namespace, Name: p.Name}); ref != w.Ref() {
			at = append(at, v.ruledOutOf[ref]...)
		}
	}
	slices.Sort(at)
	var out []analyze.RuledOut
	for _, i := range slices.Compact(at) {
		out = append(out, v.RuledOut[i])
	}
	return out
}
