package analyze

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
)

// APIVersion and Kind mark the report document. Additions only: see docs/report.md.
const (
	APIVersion = "sidecar-must-gather/v1"
	Kind       = "Report"
)

// Report is the finished answer. Renderers see nothing else, so everything a person may want to read is in here, in
// its final order. Times are RFC 3339 in UTC as text, durations as people say them (14h32m, 3d4h).
type Report struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Tool       Tool       `json:"tool"`
	Bundle     Bundle     `json:"bundle"`
	Cluster    Cluster    `json:"cluster"`
	Workloads  []Workload `json:"workloads"`
	// OtherPods are pods of services, which have no completion; listed with --all.
	OtherPods []Pod      `json:"otherPods,omitempty"`
	Findings  []Finding  `json:"findings"`
	RuledOut  []RuledOut `json:"ruledOut"`
	// Hidden counts what is left out of this report.
	Hidden *Hidden `json:"hidden,omitempty"`
}

// Hidden counts workloads that are fine and pods of services, shown only with --all, and the workloads that --namespace
// and --job did not choose.
type Hidden struct {
	Workloads int    `json:"workloads,omitempty"`
	OtherPods int    `json:"otherPods,omitempty"`
	Unchosen  int    `json:"unchosen,omitempty"`
	Flag      string `json:"flag,omitempty"`
}

// Tool names the program and the revision of the rule data that made the report.
type Tool struct {
	Version string `json:"version"`
	Rules   string `json:"rules"`
	// RulesReplaced lists what an overlay (--rules) replaced or added.
	RulesReplaced []string `json:"rulesReplaced,omitempty"`
}

// Bundle says what was read.
type Bundle struct {
	Source      string `json:"source"`
	Layout      string `json:"layout"`
	CollectedAt string `json:"collectedAt,omitempty"`
	// CollectedFrom says what CollectedAt is taken from: the --at flag, the manifest, or the newest time in the objects.
	CollectedFrom string         `json:"collectedFrom,omitempty"`
	Files         int            `json:"files"`
	Bytes         int64          `json:"bytes"`
	Objects       map[string]int `json:"objects"`
	Problems      []Problem      `json:"problems"`
}

// Problem is something in the bundle that could not be read or used; it cost nothing else.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
}

// Cluster is what the bundle shows of the cluster.
type Cluster struct {
	Kubernetes KubernetesVersion `json:"kubernetes"`
	Kubelets   []KubeletGroup    `json:"kubelets"`
	Istio      []ControlPlane    `json:"istio"`
	NextPod    NextPod           `json:"nextPod"`
}

// KubernetesVersion is the API server's version; empty when the bundle does not tell.
type KubernetesVersion struct {
	Version  string              `json:"version"`
	Evidence []evidence.Evidence `json:"evidence"`
}

// KubeletGroup lists the nodes of one kubelet version.
type KubeletGroup struct {
	Version string   `json:"version"`
	Nodes   []string `json:"nodes"`
	// Unsupported says that the kubelet is of a later minor release than the API server, which Kubernetes does not support.
	Unsupported bool `json:"unsupported,omitempty"`
	// TooOld says that the kubelet is older than the API server's release supports.
	TooOld bool `json:"tooOld,omitempty"`
}

// ControlPlane is one revision of istiod, or one that is known only from the pods it injected.
type ControlPlane struct {
	Revision             string              `json:"revision"`
	Namespace            string              `json:"namespace,omitempty"`
	Version              string              `json:"version,omitempty"`
	EnableNativeSidecars EnvSetting          `json:"enableNativeSidecars"`
	Evidence             []evidence.Evidence `json:"evidence"`
}

// EnvSetting is the value in force and where it comes from: env, default, unknown.
type EnvSetting struct {
	Value string `json:"value"`
	From  string `json:"from"`
}

// NextPod says where the proxy of a pod made now would be put, and why.
type NextPod struct {
	// Placement is native, ordinary, broken or unknown.
	Placement string   `json:"placement"`
	Because   []string `json:"because"`
}

// Workload is one Job, or one run-to-completion pod without a Job, with its verdict.
type Workload struct {
	Kind      string   `json:"kind"`
	Namespace string   `json:"namespace"`
	Name      string   `json:"name"`
	Parent    *Parent  `json:"parent,omitempty"`
	Verdict   Code     `json:"verdict"`
	Severity  Severity `json:"severity"`
	// Summary is one plain sentence.
	Summary string `json:"summary"`
	// Culprits are the containers that hold the workload open, never guessed.
	Culprits []string `json:"culprits"`
	Since    string   `json:"since,omitempty"`
	HeldFor  string   `json:"heldFor,omitempty"`
	// HeldAtLeast says that the bundle was taken later than the newest time in it, so that HeldFor is a minimum.
	HeldAtLeast bool `json:"heldAtLeast,omitempty"`
	// JobStatus is what the Job's own status says; nil where the bundle has no Job.
	JobStatus *JobStatus `json:"jobStatus,omitempty"`
	// Cost is what a held workload has cost by then.
	Cost *Cost `json:"cost,omitempty"`
	// Evidence is the argument, in the order a person would make it.
	Evidence []evidence.Evidence `json:"evidence"`
	// Missing is what would make the verdict firmer, or give one at all.
	Missing []evidence.Gap `json:"missing,omitempty"`
	// Remedy is what ends the hold, where it is none of a finding's: the sidecars that hold it are not Istio's, nothing but
	// a new run is needed, or the bundle does not tell the cause.
	Remedy *Remedy `json:"remedy,omitempty"`
	// Now is what can be done about the pods at hand: what to save and how to let a held one end, or where to look next.
	// Remedies are about the next ones.
	Now *Remedy `json:"now,omitempty"`
	// RuledOut lists the other answers that were tried first and why each was not given.
	RuledOut []RuledOut `json:"ruledOut,omitempty"`
	// Findings are codes of Report.Findings that concern this workload.
	Findings []Code `json:"findings"`
	// Apart are those of them that do not bear on the verdict: it has another cause, and what they advise comes later.
	Apart   []Code  `json:"apart,omitempty"`
	NextPod NextPod `json:"nextPod"`
	Pods    []Pod   `json:"pods"`
	// Events are those about the Job and, as far as they concern it, its CronJob; those about pods are with the pods.
	Events []Event `json:"events,omitempty"`
}

// The verdicts that say that the bundle does not suffice: nothing tells what happened, or the pods that would are not there.
const (
	InsufficientEvidence Code = "InsufficientEvidence"
	NoPods               Code = "NoPods"
)

// Judges says of a verdict that it is a judgement. The closing line, JUnit's skipped cases and the exit status go by it.
func (c Code) Judges() bool { return c != InsufficientEvidence && c != NoPods }

// Judged says that the bundle sufficed for a verdict.
func (w Workload) Judged() bool { return w.Verdict.Judges() }

// Ref names the workload.
func (w Workload) Ref() evidence.Ref {
	return evidence.Ref{Kind: w.Kind, Namespace: w.Namespace, Name: w.Name}
}

// Parent is the object above a workload.
type Parent struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// Pod is one pod with its verdict and its columns as kubectl get would print them.
type Pod struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Verdict   Code   `json:"verdict,omitempty"`
	Summary   string `json:"summary,omitempty"`
	Ready     string `json:"ready"`
	Status    string `json:"status"`
	Restarts  int64  `json:"restarts"`
	Phase     string `json:"phase,omitempty"`
	Node      string `json:"node"`
	CreatedAt string `json:"createdAt,omitempty"`
	// ScheduledAt is when a node was found for it, DeletedAt its deletionTimestamp: when its grace period ends.
	ScheduledAt string `json:"scheduledAt,omitempty"`
	DeletedAt   string `json:"deletedAt,omitempty"`
	// Source is "described" when only describe text was there.
	Source     string      `json:"source,omitempty"`
	Owner      *Parent     `json:"owner,omitempty"`
	Containers []Container `json:"containers"`
	Events     []Event     `json:"events,omitempty"`
}

// Container is one container of a pod with the role it plays.
type Container struct {
	Name string `json:"name"`
	// Role is app, sidecar, init or other (an ordinary container of which neither is proven).
	Role string `json:"role"`
	// Placement is ordinary, native or init.
	Placement string `json:"placement"`
	// State is running, waiting, terminated or unknown, with the reason behind a colon.
	State      string `json:"state"`
	ExitCode   *int64 `json:"exitCode,omitempty"`
	StartedAt  string `json:"startedAt,omitempty"`
	FinishedAt string `json:"finishedAt,omitempty"`
	// The three about the run before the present one, of a container that was restarted.
	LastStartedAt  string `json:"lastStartedAt,omitempty"`
	LastFinishedAt string `json:"lastFinishedAt,omitempty"`
	LastExitCode   *int64 `json:"lastExitCode,omitempty"`
	Ready          bool   `json:"ready"`
	RestartCount   int64  `json:"restartCount,omitempty"`
	Image          string `json:"image,omitempty"`
	// RoleBecause says how the role was found.
	RoleBecause string `json:"roleBecause,omitempty"`
}

// Event is one event about a workload or its pod, for timelines.
type Event struct {
	// Object is set for events of a workload, which may be about the Job or its CronJob.
	Object  string `json:"object,omitempty"`
	Time    string `json:"time,omitempty"`
	Age     string `json:"age,omitempty"`
	Type    string `json:"type,omitempty"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Count   int64  `json:"count,omitempty"`
}

// Finding is the outcome of one rule about one object.
type Finding struct {
	Code       Code                `json:"code"`
	Severity   Severity            `json:"severity"`
	Status     Status              `json:"status"`
	Object     evidence.Ref        `json:"object"`
	Message    string              `json:"message"`
	Evidence   []evidence.Evidence `json:"evidence"`
	Missing    []evidence.Gap      `json:"missing,omitempty"`
	Remedy     *Remedy             `json:"remedy,omitempty"`
	Assumes    []string            `json:"assumes,omitempty"`
	References []string            `json:"references,omitempty"`
	// Workloads are the workloads it concerns, as Kind/namespace/name; empty for the cluster as a whole.
	Workloads []string `json:"workloads,omitempty"`
}

// Remedy is what to change, for this cluster.
type Remedy struct {
	Summary  string   `json:"summary"`
	Steps    []string `json:"steps,omitempty"`
	Patch    string   `json:"patch,omitempty"`
	Verify   []string `json:"verify,omitempty"`
	Rollback []string `json:"rollback,omitempty"`
	Avoid    []string `json:"avoid,omitempty"`
}

// RuledOut is an answer that was tried and does not hold here.
type RuledOut struct {
	Code     Code                `json:"code"`
	Object   evidence.Ref        `json:"object"`
	Because  string              `json:"because"`
	Evidence []evidence.Evidence `json:"evidence"`
}
