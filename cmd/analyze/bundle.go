package main

import (
	"regexp"
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
		At:         e.settings.at,
		Helper:     rules.HelperOf(e.base),
		KnownInit:  rules.InitOf(e.base),
		Beside:     rules.BesideOf(e.base),
		OldKubelet: rules.OldKubeletOf(e.base),
		Refused:    refused(read),
		Unread:     unread(read),
		LeftOut:    leftOut(read),
	}
	if read.Manifest != nil {
		opt.CollectedAt = read.Manifest.Finished
	}
	return opt
}

// unread gives what could not be read, as evidence that something may be missing.
func unread(read *bundle.Bundle) []evidence.Evidence {
	var all []evidence.Evidence
	for _, p := range read.Problems {
		all = append(all, evidence.Evidence{Field: "problem", Value: p.Message, File: p.File, Line: p.Line})
	}
	return all
}

// refused lists the kinds that whoever made the bundle was not allowed to read, by plural: for these an empty list
// proves nothing. The manifest tells, and the API server's own words where they were pasted in.
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
	for _, n := range read.Set.Notes {
		if m := refusedResource.FindStringSubmatch(n.Text); n.Class == "forbidden" && m != nil {
			all[m[1]] = evidence.Evidence{Value: n.Text, File: n.File, Line: n.Line, Strength: evidence.Text}
		}
	}
	return all
}

// leftOut lists the answers of which the collector did not bring everything, by plural and namespace: what is not among
// the objects may have stood there.
func leftOut(read *bundle.Bundle) []facts.LeftOut {
	var all []facts.LeftOut
	for _, m := range read.Manifests {
		for _, step := range m.Incomplete() {
			why := evidence.Evidence{Field: "steps[" + step.ID + "].note", Value: step.Note, File: m.File}
			if step.Note == "" {
				why.Field, why.Value = "steps["+step.ID+"].errorClass", step.ErrorClass
			}
			plural, _, _ := strings.Cut(step.ID, ".")
			all = append(all, facts.LeftOut{Kind: plural, Namespace: step.Namespace(), Why: why})
		}
	}
	return all
}

// refusedResource is how the API server names what it refuses.
var refusedResource = regexp.MustCompile(`cannot (?:list|get) resource "([a-z]+)"`)

// bundleOf gives the report's part about the bundle itself.
func bundleOf(t words, read *bundle.Bundle, cluster *facts.Cluster) analyze.Bundle {
	out := analyze.Bundle{Source: read.Source, Layout: read.Layout, Files: read.Files, Bytes: read.Bytes,
		Objects: count(read.Set), Problems: []analyze.Problem{}}
	if cluster.At.Known {
		out.CollectedAt = cluster.At.V.UTC().Format(time.RFC3339)
		out.CollectedFrom = t.phrase(cluster.AtFrom)
	}
	for _, p := range read.Problems {
		out.Problems = append(out.Problems, analyze.Problem{File: p.File, Line: p.Line, Message: p.Message})
	}
	out.Problems = append(out.Problems, unanswered(read)...)
	return out
}

// unanswered lists what the cluster refused or did not answer when the bundle was made, and what of its answers was left
// out: beside an empty list it is the difference between "none" and "not allowed".
func unanswered(read *bundle.Bundle) []analyze.Problem {
	var out []analyze.Problem
	for _, n := range read.Set.Notes {
		if n.Class == "forbidden" || n.Class == "unreachable" {
			out = append(out, analyze.Problem{File: n.File, Line: n.Line, Message: n.Text})
		}
	}
	for _, m := range read.Manifests {
		for _, step := range m.Steps {
			if said := step.Loss(); said != "" {
				out = append(out, analyze.Problem{File: m.File, Message: step.Command + ": " + said})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b analyze.Problem) int { return strings.Compare(a.File, b.File) })
	return slices.Compact(out)
}

// count counts the objects of each kind as they stand in the bundle, copies included.
func count(set *kube.Set) map[string]int {
	all := map[string]int{"Pod": len(set.Pods) + len(set.Services), "Job": len(set.Jobs), "CronJob": len(set.CronJobs), "Node": len(set.Nodes),
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
