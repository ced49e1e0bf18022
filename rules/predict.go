package rules

import (
	"fmt"
	"slices"
	"sort"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// WhatIf overrides what a bundle says, or stands alone without one. Nil and empty fields override nothing.
type WhatIf struct {
	// Kubernetes is the API server's version, Istio that of istiod.
	Kubernetes, Istio string
	// Kubelets replaces the nodes altogether.
	Kubelets []string
	// Upgrade gives single nodes another kubelet.
	Upgrade map[string]string
	// Env and Annotation are istiod's variable and the pod-template annotation; Unset stands for "not set".
	Env, Annotation *string
}

// Unset is the what-if value for a setting that is to be taken as absent.
const Unset = "unset"

// Prediction is where the proxy of the next pod would be put, with the chain of steps and the single changes.
type Prediction struct {
	// Workloads share the prediction; empty for the cluster's default.
	Workloads []evidence.Ref
	Revision  string
	Decision  knowledge.Decision
	// WhyNot says why no Istio proxy is in question.
	WhyNot  analyze.Text
	Changes []Change
}

// Predict decides for every workload of a cluster (nil: from flags alone). Workloads with the same inputs share one
// prediction.
func Predict(c *facts.Cluster, k *knowledge.Base, what WhatIf, selected func(*facts.Workload) bool) []Prediction {
	if c == nil {
		in := knowledge.Inputs{Env: knowledge.Unset("no flag"), Annotation: knowledge.Unset("no flag")}
		what.apply(&in)
		return []Prediction{{Decision: k.Decide(in), Changes: Changes(k, in)}}
	}
	var out []Prediction
	index := map[string]int{}
	for _, w := range Runs(c) {
		if selected != nil && !selected(w) {
			continue
		}
		if n := Next(c, k, w); !n.Applies {
			out = append(out, Prediction{Workloads: []evidence.Ref{w.Ref}, WhyNot: n.Because[0]})
			continue
		}
		out = addPrediction(out, index, c, k, what, w)
	}
	if len(out) == 0 {
		out = addPrediction(out, index, c, k, what, nil)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].WhyNot.IsZero() && !out[j].WhyNot.IsZero() })
	return out
}

// Nodes names the nodes whose kubelets the bundle tells, which are those that a what-if can upgrade.
func Nodes(c *facts.Cluster) []string {
	var in knowledge.Inputs
	nodeInputs(&in, c)
	var names []string
	for _, k := range in.Kubelets {
		names = append(names, k.Node)
	}
	return names
}

// Runs gives the workloads, and one for each CronJob of which the bundle holds no run.
func Runs(c *facts.Cluster) []*facts.Workload {
	return append(slices.Clone(c.Workloads), nextRuns(c)...)
}

// nextRuns gives a workload for each CronJob of which the bundle holds no run: its next one.
func nextRuns(c *facts.Cluster) []*facts.Workload {
	var out []*facts.Workload
	for _, cj := range c.CronJobs {
		if slices.ContainsFunc(c.Workloads, func(w *facts.Workload) bool { return w.CronJob == cj }) {
			continue
		}
		out = append(out, &facts.Workload{Ref: cj.Ref(), CronJob: cj, ParentKind: "CronJob", ParentName: cj.Meta.Name, ParentGroup: "batch"})
	}
	return out
}

// addPrediction adds a workload to the prediction that it shares, or a new one; nil is a pod that asks for nothing.
func addPrediction(out []Prediction, index map[string]int, c *facts.Cluster, k *knowledge.Base, what WhatIf, w *facts.Workload) []Prediction {
	r := routeOf(c, w)
	n := askOf(r)
	in := decideIf(c, k, w, n, r, what)
	key := fmt.Sprint(n.Revision, n.Placement, n.Reason)
	for _, s := range n.Steps {
		key += "\x00" + s.Answer.String() + "\x00" + s.Value // wherever it was read
	}
	i, ok := index[key]
	if !ok {
		i = len(out)
		index[key] = i
		out = append(out, Prediction{Revision: n.Revision, Decision: n.Decision, Changes: Changes(k, in)})
	}
	if w != nil {
		out[i].Workloads = append(out[i].Workloads, w.Ref)
	}
	return out
}

// apply puts the what-if values over what was read.
func (what WhatIf) apply(in *knowledge.Inputs) {
	if len(what.Kubelets) > 0 || len(what.Upgrade) > 0 {
		in.Ran = knowledge.Ran{} // on nodes that are not those of the question
	}
	in.Ran.Emitted = in.Ran.Emitted && what.Istio == "" && what.Env == nil && what.Annotation == nil
	if what.Kubernetes != "" {
		in.APIServer, in.APIServerWhere = version.Parse(what.Kubernetes), "--kubernetes"
	}
	if what.Istio != "" {
		// The template of another release comes with its chart, so what the bundle shows of today's no longer holds.
		in.Istio, in.IstioWhere, in.TemplateEra, in.TemplateWhere = version.Parse(what.Istio), "--istio", "", ""
	}
	if len(what.Kubelets) > 0 {
		in.Kubelets, in.NodesKnown, in.Selector = nil, true, ""
		for i, v := range what.Kubelets {
			in.Kubelets = append(in.Kubelets, knowledge.Kubelet{Node: fmt.Sprintf("node %d of --kubelet", i+1), Raw: v})
		}
	}
	if len(what.Upgrade) > 0 {
		in.Kubelets = slices.Clone(in.Kubelets)
	}
	for i := range in.Kubelets {
		if v, ok := what.Upgrade[in.Kubelets[i].Node]; ok {
			in.Kubelets[i].Raw, in.Kubelets[i].Unread = v, false
		}
	}
	in.Env = whatIf(in.Env, what.Env, "--env")
	in.Annotation = whatIf(in.Annotation, what.Annotation, "--annotation")
	in.JobTemplateAnnotation = whatIf(in.JobTemplateAnnotation, what.Annotation, "--annotation")
}

func whatIf(read knowledge.Setting, flag *string, name string) knowledge.Setting {
	switch {
	case flag == nil:
		return read
	case *flag == Unset:
		return knowledge.Unset(name)
	default:
		return knowledge.Given(*flag, name)
	}
}
