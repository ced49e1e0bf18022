package analyze

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
)

// Engine is what a run needs from package rules, handed in so that the vocabulary does not depend on the judgements.
type Engine struct {
	Rules    []*Rule
	Verdicts []Verdict
	// Judge gives the verdict on a workload.
	Judge func(*facts.Cluster, *facts.Workload) Judgement
	// Next decides where the proxy of a workload's next pod would be put; nil workload: the cluster's default.
	Next func(*facts.Cluster, *knowledge.Base, *facts.Workload) *NextDecision
	// Remedy gives what ends the hold where no finding has the remedy; nil for nothing.
	Remedy func(*Pass) *Advice
	// Otherwise gives it where Remedy has none, and no finding that explains the verdict has fired with one either.
	Otherwise func(*Pass) *Advice
	// Apart says that a rule which fired for a workload does not bear on its verdict.
	Apart func(*Workload, *Rule) bool
	// Now gives what can be done about the pods at hand; nil for nothing.
	Now func(*Pass) *Advice
	// Cost adds up what a held workload has cost; nil for one that is not held.
	Cost func(*facts.Cluster, *facts.Workload, *Judgement) *Cost
	// Columns gives what computes a pod's columns as the API server of a cluster does.
	Columns func(*facts.Cluster, *knowledge.Base) func(*facts.Pod) facts.Columns
}

// Options selects what a report shows. They never change a verdict.
type Options struct {
	// All keeps healthy workloads and pods of services.
	All bool
	// Namespace and Job keep only matching workloads.
	Namespace, Job string
	// Translate maps English formats to another language; nil is English.
	Translate map[string]string
}

// Selects says whether Namespace and Job choose a workload. Job is its name, that of its CronJob, or the reference that
// reports and errors print.
func (o Options) Selects(w *facts.Workload) bool {
	return (o.Namespace == "" || w.Ref.Namespace == o.Namespace) &&
		(o.Job == "" || w.Ref.Name == o.Job || w.ParentName == o.Job || strings.EqualFold(w.Ref.String(), o.Job))
}

// Run judges every workload, runs every rule, and gives the report without its Tool and Bundle parts, which the caller
// knows.
func (e Engine) Run(c *facts.Cluster, k *knowledge.Base, opt Options) *Report {
	r := &Report{APIVersion: APIVersion, Kind: Kind, Workloads: []Workload{}, Findings: []Finding{}, RuledOut: make([]RuledOut, 0, 8*len(c.Workloads))}
	a := &assembly{e: e, c: c, k: k, opt: opt, r: r, byKey: map[sameFinding]int{}, listed: map[listing]bool{}, concerns: map[string][]Code{}}
	a.columns = e.Columns(c, k)
	for _, w := range c.Workloads {
		a.workload(w)
	}
	a.clusterRules()
	a.cluster()
	if opt.All {
		for _, p := range c.Services {
			if opt.Namespace == "" || p.Meta.Namespace == opt.Namespace {
				r.OtherPods = append(r.OtherPods, a.pod(p, nil))
			}
		}
	} else {
		a.hidden.OtherPods = len(c.Services) + len(c.Reduced)
	}
	a.finish()
	return r
}

// assembly collects one report.
type assembly struct {
	e       Engine
	c       *facts.Cluster
	k       *knowledge.Base
	opt     Options
	r       *Report
	columns func(*facts.Pod) facts.Columns
	byKey   map[sameFinding]int
	listed  map[listing]bool
	hidden  Hidden
	judged  []Judged
	// remedied says that a rule which explains the verdict at hand has fired with a remedy; alarms are those whose finding is
	// more than worth knowing.
	remedied bool
	alarms   []string
	// concerns holds codes that fired for a workload in a run that was not about it.
	concerns map[string][]Code
}

func (a *assembly) text(t Text) string { return t.In(a.opt.Translate) }

func (a *assembly) texts(list []Text) []string {
	var out []string
	for _, t := range list {
		out = append(out, a.text(t))
	}
	return out
}

func (a *assembly) gaps(list []Missing) []evidence.Gap {
	var out []evidence.Gap
	for _, m := range list {
		out = append(out, evidence.Gap{What: a.text(m.What), Command: m.Command})
	}
	return out
}

func (a *assembly) workload(w *facts.Workload) {
	if !a.opt.Selects(w) {
		a.hidden.Unchosen++
		return
	}
	j := a.e.Judge(a.c, w)
	a.judged = append(a.judged, Judged{w, &j})
	next := a.e.Next(a.c, a.k, w)
	severity := a.severityOf(j.Code)
	out := Workload{Kind: w.Ref.Kind, Namespace: w.Ref.Namespace, Name: w.Ref.Name, Verdict: j.Code, Severity: severity,
		Summary: a.text(j.Summary), Culprits: orEmpty(j.Culprits), Evidence: evidenceOrEmpty(j.Evidence), Missing: a.gaps(j.Missing),
		NextPod: a.nextPod(next), Pods: []Pod{}, Events: a.workloadEvents(w), Cost: a.e.Cost(a.c, w, &j)}
	if w.ParentKind != "" {
		out.Parent = &Parent{Kind: w.ParentKind, Name: w.ParentName}
	}
	if !j.Since.IsZero() {
		out.Since = j.Since.UTC().Format(time.RFC3339)
	}
	if j.Held > 0 {
		out.HeldFor, out.HeldAtLeast = Span(j.Held), a.c.AtFloor
	}
	for i := range j.Pods {
		out.Pods = append(out.Pods, a.pod(j.Pods[i].Pod, &j.Pods[i]))
	}
	out.RuledOut = a.exclusions(w, j)
	pass := &Pass{Cluster: a.c, Know: a.k, Workload: w, Verdict: &j, Next: next}
	if a.e.Remedy != nil {
		j.Remedy = a.e.Remedy(pass)
		out.Remedy = a.remedy(j.Remedy)
	}
	if a.e.Now != nil {
		out.Now = a.remedy(a.e.Now(pass))
	}
	fired := 0
	a.remedied, a.alarms = false, nil
	out.Findings, fired = a.runRules(pass)
	out.Summary = a.text(j.withCalm(a.alarms))
	if out.Remedy == nil && !a.remedied && a.e.Otherwise != nil {
		out.Remedy = a.remedy(a.e.Otherwise(pass))
	}
	if !a.opt.All && a.opt.Job == "" && fired == 0 && (j.Code == "Completed" || severity == Info && len(j.Missing) == 0 && j.Code != "AppRunning") {
		a.hidden.Workloads++
		return
	}
	out.JobStatus = jobStatus(w.Live())
	a.r.Workloads = append(a.r.Workloads, out)
}

// withCalm is the summary with the word that nothing is to be done, or with who says otherwise.
func (j *Judgement) withCalm(alarms []string) Text {
	switch {
	case j.Calm.IsZero():
		return j.Summary
	case len(alarms) > 0:
		return Say("%s. What is to be done for this run all the same is told with these findings: %s", j.Summary, sentence.ListOf(unique(alarms)))
	}
	return Say("%s. %s", j.Summary, j.Calm)
}

// exclusions gives what the judgement of the workload tried before it came to its verdict.
func (a *assembly) exclusions(w *facts.Workload, j Judgement) []RuledOut {
	var out []RuledOut
	for _, x := range j.RuledOut {
		out = append(out, RuledOut{Code: x.Code, Object: w.Ref, Because: a.text(x.Because), Evidence: evidenceOrEmpty(x.From)})
	}
	return out
}

func (a *assembly) severityOf(code Code) Severity {
	for _, v := range a.e.Verdicts {
		if v.Code == code {
			return v.Severity
		}
	}
	return Warning
}

func (a *assembly) nextPod(n *NextDecision) NextPod {
	if n == nil {
		return NextPod{Placement: knowledge.Unknown, Because: []string{}}
	}
	return NextPod{Placement: n.Placement, Because: orEmpty(a.texts(n.Because))}
}

// runRules runs the rules of a pass and gives the codes that fired for it, and how many of those are worth showing a
// healthy workload for.
func (a *assembly) runRules(p *Pass) (codes []Code, loud int) {
	codes = []Code{}
	scope := PerCluster
	if p.Workload != nil {
		scope = PerWorkload
	}
	for _, rule := range a.e.Rules {
		if rule.Scope != scope {
			continue
		}
		first := rule.Run(p)
		for _, o := range append([]Outcome{first}, first.More...) {
			severity := a.record(rule, o, p.Workload)
			if o.Status != Fired {
				continue
			}
			explains := o.Remedy != nil && !o.Remedy.Aside && p.Verdict != nil && slices.Contains(rule.Explains, p.Verdict.Code)
			a.remedied = a.remedied || explains && rule.Severity != Info
			if explains && severity != Info {
				a.alarms = append(a.alarms, string(rule.Code))
			}
			if !slices.Contains(codes, rule.Code) {
				codes = append(codes, rule.Code)
			}
			if severity != Info {
				loud++
			}
		}
	}
	return codes, loud
}

func (a *assembly) clusterRules() {
	a.runRules(&Pass{Cluster: a.c, Know: a.k, Judged: a.judged, Next: a.e.Next(a.c, a.k, nil)})
}

// finish orders everything.
func (a *assembly) finish() {
	r := a.r
	a.addConcerns()
	a.tellApart()
	r.Workloads = ordered(r.Workloads, func(x, y *Workload) int {
		if x.Severity != y.Severity {
			return before(x.Severity.Worse(y.Severity))
		}
		return x.Ref().Compare(y.Ref())
	})
	r.Findings = ordered(r.Findings, func(x, y *Finding) int {
		switch {
		case x.Status != y.Status:
			return before(x.Status == Fired)
		case x.Severity != y.Severity:
			return before(x.Severity.Worse(y.Severity))
		}
		return cmp.Or(strings.Compare(string(x.Code), string(y.Code)), x.Object.Compare(y.Object))
	})
	r.RuledOut = ordered(r.RuledOut, func(x, y *RuledOut) int {
		return cmp.Or(strings.Compare(string(x.Code), string(y.Code)), x.Object.Compare(y.Object))
	})
	if a.hidden.Workloads+a.hidden.OtherPods > 0 {
		a.hidden.Flag = "--all"
	}
	if a.hidden != (Hidden{}) {
		r.Hidden = &a.hidden
	}
}

// ordered sorts large things, those that compare equal as they stood. compare gives a negative number, zero or a positive.
func ordered[T any](list []T, compare func(x, y *T) int) []T {
	index := make([]int, len(list))
	for i := range index {
		index[i] = i
	}
	slices.SortStableFunc(index, func(i, j int) int { return compare(&list[i], &list[j]) })
	out := make([]T, len(list))
	for to, from := range index {
		out[to] = list[from]
	}
	return out
}

func before(is bool) int {
	if is {
		return -1
	}
	return 1
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// evidenceOrEmpty gives each observation once: a rule that comes to the same one on two ways has no more proof for it.
func evidenceOrEmpty(list []evidence.Evidence) []evidence.Evidence {
	list = evidence.Distinct(list)
	if list == nil {
		return []evidence.Evidence{}
	}
	return list
}

func unique(list []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
