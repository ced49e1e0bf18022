package analyze

import "slices"

// tellApart notes the findings of each workload that do not bear on its verdict.
func (a *assembly) tellApart() {
	if a.e.Apart == nil {
		return
	}
	for i := range a.r.Workloads {
		w := &a.r.Workloads[i]
		for _, rule := range a.e.Rules {
			if slices.Contains(w.Findings, rule.Code) && a.e.Apart(w, rule) {
				w.Apart = append(w.Apart, rule.Code)
			}
		}
	}
}
