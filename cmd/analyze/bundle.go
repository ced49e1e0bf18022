package main

import (
	"slices"
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules"
)

// factOptions hands the knowledge and the manifest to the facts, which look into neither by themselves.
func (e *engine) factOptions(read *bundle.Bundle) facts.Options {
	opt := facts.Options{
		At:        e.settings.at,
		Helper:    rules.HelperOf(e.base),
		KnownInit: rules.InitOf(e.base),
		Refused:   refused(read),
	}
	if read.Manifest != nil {
		opt.CollectedAt = read.Manifest.Finished
	}
	return opt
}

// refused lists the kinds that the collector was not allowed to read, by plural: for these an empty list proves nothing.
func refused(read *bundle.Bundle) map[string]evidence.Evidence {
	all := map[string]evidence.Evidence{}
	for _, step := range read.Manifest.Forbidden() {
		words := strings.Fields(step.Command)
		i := slices.Index(words, "get")
		if i < 0 || i+1 >= len(words) {
			continue
		}
		for _, kind := range strings.Split(words[i+1], ",") {
			plural, _, _ := strings.Cut(kind, ".")
			all[plural] = evidence.Evidence{Field: "steps[" + step.ID + "].errorClass", Value: step.ErrorClass, File: read.Manifest.File}
		}
	}
	return all
}

// bundleOf gives the report's part about the bundle itself.
func bundleOf(read *bundle.Bundle, cluster *facts.Cluster) analyze.Bundle {
	out := analyze.Bundle{Source: read.Source, Layout: read.Layout, Files: read.Files, Bytes: read.Bytes,
		Objects: count(read.Set), Problems: []analyze.Problem{}}
	if cluster.At.Known {
		out.CollectedAt = cluster.At.V.UTC().Format(time.RFC3339)
		out.CollectedFrom = cluster.AtFrom
	}
	for _, p := range read.Problems {
		out.Problems = append(out.Problems, analyze.Problem{File: p.File, Line: p.Line, Message: p.Message})
	}
	return out
}

// count counts the objects of each kind as they stand in the bundle, copies included.
func count(set *kube.Set) map[string]int {
	all := map[string]int{"Pod": len(set.Pods), "Job": len(set.Jobs), "CronJob": len(set.CronJobs), "Node": len(set.Nodes),
		"Lease": len(set.Leases), "Event": len(set.Events), "Namespace": len(set.Namespaces), "ConfigMap": len(set.ConfigMaps),
		"MutatingWebhookConfiguration": len(set.Webhooks)}
	for _, c := range set.Controllers {
		all[c.Kind]++
	}
	for _, o := range set.Others {
		all[o.Kind]++
	}
	for kind, n := range all {
		if n == 0 {
			delete(all, kind)
		}
	}
	return all
}
