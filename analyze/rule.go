package analyze

import (
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// Scope says what a rule is asked about.
type Scope int

// A rule runs once for each thing of its scope.
const (
	// PerWorkload rules run for every Job and run-to-completion pod.
	PerWorkload Scope = iota
	// PerCluster rules run once.
	PerCluster
)

// Rule is one finding: a documented value. Its page (rules/docs/CODE.md) is the help text.
type Rule struct {
	Code     Code
	Title    string
	Severity Severity
	Scope    Scope
	// Explains lists the verdicts that this finding can explain.
	Explains []Code
	// Run judges one workload, or the cluster. It returns an outcome on every path.
	Run func(*Pass) Outcome
}

// Pass is what a rule may look at.
type Pass struct {
	Cluster *facts.Cluster
	Know    *knowledge.Base
	// Workload and Verdict are set for PerWorkload rules.
	Workload *facts.Workload
	Verdict  *Judgement
	// Judged are all workloads of the report with their verdicts; set for PerCluster rules.
	Judged []Judged
	// Next is where the proxy of this workload's next pod would be put; see rules.NextPod.
	Next *NextDecision
}

// Judged is a workload with its verdict.
type Judged struct {
	Workload *facts.Workload
	Verdict  *Judgement
}

// NextDecision is the placement decision for one workload, with the control plane it was computed for.
type NextDecision struct {
	knowledge.Decision
	// Plane is nil when the bundle does not hold the control plane.
	Plane *facts.ControlPlane
	// Rivals are control planes of the same revision in several namespaces, where nothing tells which of them injects;
	// Plane is nil then.
	Rivals []*facts.ControlPlane
	// Revision is the one asked for.
	Revision string
	// Applies is false where no Istio proxy is in question; Because then says why.
	Applies bool
	Because []Text
}

// Outcome is what a rule says. The zero Outcome is invalid: use Fire, Rule out, Undecide or Skip.
type Outcome struct {
	Status Status
	// Severity overrides the rule's; empty keeps it.
	Severity Severity
	// Object is what it is about; empty: the workload, or the cluster.
	Object  evidence.Ref
	Message Text
	Because []evidence.Evidence
	Missing []Missing
	Assumes []Text
	Sources []string
	Remedy  *Advice
	// Concerns are the workloads that the finding is about beside the one that the rule was asked for: a finding about
	// the cluster explains what happened to some of them.
	Concerns []evidence.Ref
	// More are further outcomes of the same rule: two published bugs can show in one workload.
	More []Outcome
}

// Missing is what would decide an undecided outcome.
type Missing struct {
	What Text
	// Command supplies it, where one command does.
	Command string
}

// Advice is a remedy before it is put into words of one language.
type Advice struct {
	Summary  Text
	Steps    []Text
	Patch    string
	Verify   []Text
	Rollback []Text
	Avoid    []Text
	// Aside says that it mends what was found and leaves the verdict as it is: what changes that is told elsewhere.
	Aside bool
}

// Fire makes an outcome for what the bundle shows.
func Fire(message Text, because ...evidence.Evidence) Outcome {
	return Outcome{Status: Fired, Message: message, Because: because}
}

// RuleOut makes an outcome for what the bundle shows not to be so; message says on what grounds.
func RuleOut(message Text, because ...evidence.Evidence) Outcome {
	return Outcome{Status: Clear, Message: message, Because: because}
}

// Undecide makes an outcome for want of something.
func Undecide(message Text, missing ...Missing) Outcome {
	return Outcome{Status: Undecided, Message: message, Missing: missing}
}

// Skip makes an outcome for a question that does not arise.
func Skip() Outcome { return Outcome{Status: NotApplicable} }

// On sets the object.
func (o Outcome) On(ref evidence.Ref) Outcome { o.Object = ref; return o }

// About names the workloads that the finding concerns.
func (o Outcome) About(workloads ...evidence.Ref) Outcome {
	o.Concerns = append(o.Concerns, workloads...)
	return o
}

// And adds a further outcome of the same rule.
func (o Outcome) And(more ...Outcome) Outcome { o.More = append(o.More, more...); return o }

// With adds a remedy.
func (o Outcome) With(a *Advice) Outcome { o.Remedy = a; return o }

// As overrides the severity.
func (o Outcome) As(s Severity) Outcome { o.Severity = s; return o }

// From adds the sources and assumptions of an answer of the knowledge base.
func (o Outcome) From(bases ...knowledge.Basis) Outcome {
	for _, b := range bases {
		o.Sources = append(o.Sources, b.Sources...)
		o.Assumes = append(o.Assumes, b.Assumes...)
	}
	return o
}

// Lacking adds what would make the outcome firmer.
func (o Outcome) Lacking(m ...Missing) Outcome { o.Missing = append(o.Missing, m...); return o }

// Verdict is one answer to "why has it not completed".
type Verdict struct {
	Code     Code
	Severity Severity
	Title    string
}

// Judgement is the verdict on one workload with its argument.
type Judgement struct {
	Code     Code
	Summary  Text
	Culprits []string
	// Since is when it began to be held; zero when it is not, or not known.
	Since time.Time
	// Held is how long, up to the reference time.
	Held     time.Duration
	Evidence []evidence.Evidence
	Missing  []Missing
	RuledOut []Exclusion
	// Remedy is what ends the hold where no finding has it; nil for nothing. The engine fills it in, for it takes knowledge.
	Remedy *Advice
	// Calm says that nothing is to be done for now. It stands in the summary unless a finding that explains the verdict says
	// what is to be done.
	Calm Text
	// Pods are judged one by one; Holder is the one that the workload's verdict is taken from, nil when none is.
	Pods   []PodJudgement
	Holder *PodJudgement
}

// PodJudgement is the verdict on one pod.
type PodJudgement struct {
	Pod *facts.Pod
	Judgement
}

// Exclusion is an answer that was tried before the given one and does not hold.
type Exclusion struct {
	Code    Code
	Because Text
	From    []evidence.Evidence
}
