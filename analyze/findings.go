package analyze

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// record turns an outcome into a finding or an exclusion. The same finding about the same object from several
// workloads is one finding that lists them, as bad as it is for the worst of them.
func (a *assembly) record(rule *Rule, o Outcome, w *facts.Workload) Severity {
	severity := rule.Severity
	if o.Severity != "" {
		severity = o.Severity
	}
	ref := o.Object
	if ref == (evidence.Ref{}) {
		ref = evidence.Ref{Kind: "Cluster", Name: "cluster"}
		if w != nil {
			ref = w.Ref
		}
	}
	switch o.Status {
	case Clear:
		a.r.RuledOut = append(a.r.RuledOut, RuledOut{Code: rule.Code, Object: ref, Because: a.text(o.Message), Evidence: evidenceOrEmpty(o.Because)})
	case Fired, Undecided:
		a.concern(o, a.add(rule.Code, severity, ref, o, w))
	}
	return severity
}

// add gives the index of the finding that an outcome is, new or known. Of many workloads that come to the same, the
// first tells it.
func (a *assembly) add(code Code, severity Severity, ref evidence.Ref, o Outcome, w *facts.Workload) int {
	key := sameFinding{code, o.Status, ref, a.text(o.Message)}
	i, ok := a.byKey[key]
	if !ok {
		i = len(a.r.Findings)
		a.byKey[key] = i
		a.r.Findings = append(a.r.Findings, Finding{Code: code, Severity: severity, Status: o.Status, Object: ref, Message: key.message,
			Evidence: evidenceOrEmpty(o.Because), Missing: a.gaps(o.Missing), Assumes: unique(a.texts(o.Assumes)), References: unique(o.Sources),
			Remedy: a.remedy(o.Remedy)})
	}
	known := &a.r.Findings[i]
	if severity.Worse(known.Severity) {
		known.Severity = severity
	}
	if w != nil {
		a.list(i, w.Ref.String())
	}
	return i
}

// list adds a workload to those of a finding, and says whether it is new there. A finding may list all of a cluster's.
func (a *assembly) list(finding int, name string) bool {
	id := listing{finding, name}
	if a.listed[id] {
		return false
	}
	a.listed[id] = true
	f := &a.r.Findings[finding]
	f.Workloads = append(f.Workloads, name)
	return true
}

// listing is a workload in a finding, by the finding's index.
type listing struct {
	finding int
	name    string
}

// sameFinding tells findings apart.
type sameFinding struct {
	code    Code
	status  Status
	object  evidence.Ref
	message string
}

// concern notes the workloads that an outcome names; their own lists of findings may be written already, so finish
// adds to them.
func (a *assembly) concern(o Outcome, finding int) {
	for _, ref := range o.Concerns {
		if name := ref.String(); a.list(finding, name) && o.Status == Fired {
			a.concerns[name] = append(a.concerns[name], a.r.Findings[finding].Code)
		}
	}
}

func (a *assembly) addConcerns() {
	for i := range a.r.Workloads {
		w := &a.r.Workloads[i]
		for _, code := range a.concerns[w.Ref().String()] {
			if !slices.Contains(w.Findings, code) {
				w.Findings = append(w.Findings, code)
			}
		}
	}
}

func (a *assembly) remedy(m *Advice) *Remedy {
	if m == nil {
		return nil
	}
	return &Remedy{Summary: a.text(m.Summary), Steps: a.texts(m.Steps), Patch: m.Patch, Verify: a.texts(m.Verify),
		Rollback: a.texts(m.Rollback), Avoid: a.texts(m.Avoid)}
}
