package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain BUNDLE [POD]",
		Short: "Say how kubectl got READY, STATUS and RESTARTS of a pod",
		Long: `Says which containers of a pod count in READY and why, what STATUS is taken from, and in which order the containers
start and stop. POD is the name of a pod, or of a Job for its pods; without it all pods of the bundle are explained.`,
		Example: "  analyze explain ticket.tgz nightly-report-29933160-x7k2p\n  kubectl get pod x -o yaml | analyze explain -",
		Args:    takes(cobra.RangeArgs(1, 2)),

		ValidArgsFunction: a.completeBundleThen(listPods),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := without(cmd, "give the name of the pod or of its Job behind BUNDLE", "job"); err != nil {
				return err
			}
			if len(args) > 1 && args[1] == "" {
				return usage(cmd, errors.New("POD is empty: give a name, or leave it out for all pods"))
			}
			return a.explain(cmd, args[0], strings.Join(args[1:], ""))
		},
	}
}

func (a *app) explain(cmd *cobra.Command, path, name string) error {
	e, err := a.start(cmd)
	if err != nil {
		return err
	}
	e.whole = true
	o, err := e.consult(cmd.Context(), path)
	if err != nil {
		return err
	}
	pods := rules.FindPods(o.cluster, name, a.global.namespace)
	if len(pods) == 0 {
		if err := a.onlyRows(o.cluster, name); err != nil {
			return usage(cmd, err)
		}
		return usage(cmd, a.noSuch("pod", name, podRefs(rules.FindPods(o.cluster, "", "")), o))
	}
	return a.publish(cmd, e.settings, func(t words) document {
		var all []explanation
		for _, p := range pods {
			all = append(all, explanationOf(t, o.cluster, rules.Explain(o.cluster, e.base, p)))
		}
		return document{
			text: func(w sheet) {
				for i, x := range all {
					if i > 0 {
						fmt.Fprintln(w)
					}
					x.write(w, t)
				}
			},
			data: map[string]any{"apiVersion": analyze.APIVersion, "kind": "Explanation", "pods": all},
		}
	})
}

// onlyRows is the error where rows of a table are all that the bundle has of the pods that are asked for: a row has the
// columns, and not the containers from which they come.
func (a *app) onlyRows(c *facts.Cluster, name string) error {
	var found []string
	for _, r := range c.Rows {
		namespace := r.Cells["NAMESPACE"]
		if r.Kind != "Pod" || name != "" && r.Cells["NAME"] != name || a.global.namespace != "" && namespace != "" && namespace != a.global.namespace {
			continue
		}
		ref := evidence.Ref{Kind: r.Kind, Namespace: namespace, Name: r.Cells["NAME"]}
		found = append(found, fmt.Sprintf("%s (READY %s, STATUS %s, line %d of %s)", ref, r.Cells["READY"], r.Cells["STATUS"], r.Line, r.File))
	}
	if len(found) == 0 {
		return nil
	}
	return fmt.Errorf("the bundle has only rows of a table about %s: they name no container, and what kubectl made the columns of cannot be told from them; kubectl get pod -o yaml supplies it", joinSome(found))
}

func podRefs(pods []*facts.Pod) []evidence.Ref {
	var refs []evidence.Ref
	for _, p := range pods {
		refs = append(refs, p.Ref())
	}
	return refs
}

// explanation is rules.Explanation as programs read it.
type explanation struct {
	Pod        string             `json:"pod"`
	Owner      string             `json:"owner,omitempty"`
	Node       string             `json:"node,omitempty"`
	Kubelet    string             `json:"kubelet,omitempty"`
	Server     string             `json:"apiServer,omitempty"`
	Row        string             `json:"row,omitempty"`
	Ready      string             `json:"ready"`
	Status     string             `json:"status"`
	StatusFrom string             `json:"statusFrom,omitempty"`
	Restarts   int64              `json:"restarts"`
	Containers []containerCounted `json:"containers"`
	Why        []string           `json:"why"`
	Start      [][]string         `json:"startOrder"`
	Stop       [][]string         `json:"stopOrder"`
	StopNote   string             `json:"stopNote"`
	Assumes    []string           `json:"assumes,omitempty"`
	References []string           `json:"references,omitempty"`

	unknownPrinter bool // how an API server of this version prints the columns is not known
}

// containerCounted is a container's part in READY. Ready is what the pod's status says of it, which for an init container
// that has ended is true; Counts and CountsReady say whether it adds to the right and to the left number.
type containerCounted struct {
	Name        string `json:"name"`
	List        string `json:"list"`
	Counts      bool   `json:"counts"`
	CountsReady bool   `json:"countsReady"`
	Ready       bool   `json:"ready"`
	State       string `json:"state"`
	Because     string `json:"because"`
}

func explanationOf(t words, c *facts.Cluster, x rules.Explanation) explanation {
	out := explanation{Pod: x.Pod.Ref().String(), Node: x.Pod.Spec.NodeName, Ready: x.Columns.ReadyText(), Status: x.Columns.Status,
		StatusFrom: x.Columns.StatusFrom, Restarts: x.Columns.Restarts, Start: x.Start, Stop: x.Stop, StopNote: t.text(x.StopNote),
		Assumes: t.some(x.Basis.Assumes), References: x.Basis.Sources}
	if owner, ok := x.Pod.Meta.Controller(); ok {
		out.Owner = owner.Kind + "/" + owner.Name
	}
	if x.Pod.Node != nil {
		out.Kubelet = x.Pod.Node.Kubelet.Raw
	}
	if x.ServerKnown {
		out.Server = c.Server.V.Raw
	}
	if x.Row != nil {
		out.Row = fmt.Sprintf("%s:%d", x.Row.File, x.Row.Line)
	}
	out.unknownPrinter = x.ServerKnown && !x.PrinterKnown
	for _, why := range x.Why {
		out.Why = append(out.Why, t.text(why))
	}
	for _, k := range x.Counted {
		list, _, _ := strings.Cut(k.Container.Path(""), "[")
		out.Containers = append(out.Containers, containerCounted{Name: k.Container.Name, List: list, Counts: k.InTotal, CountsReady: k.InReady,
			Ready: k.Container.Status != nil && k.Container.Status.Ready, State: k.Container.State(), Because: t.text(k.Because)})
	}
	return out
}

func (x explanation) write(w sheet, t words) {
	fmt.Fprintf(w, "%s", x.Pod)
	if x.Owner != "" {
		fmt.Fprint(w, t.say(" of %s", x.Owner))
	}
	if x.Node != "" {
		fmt.Fprint(w, t.say(", on %s %s", x.Node, x.Kubelet))
	}
	fmt.Fprintf(w, "\n\n  READY %s   STATUS %s   RESTARTS %d\n\n", x.Ready, x.Status, x.Restarts)
	var rows [][]string
	var names []string
	for _, c := range x.Containers {
		names = append(names, c.Name)
		rows = append(rows, []string{c.Name, c.List, yesNo(t, c.Counts), yesNo(t, c.CountsReady), c.Because})
	}
	w.table("  ", []string{t.say("CONTAINER"), t.say("LIST"), t.say("COUNTS"), t.say("AS READY"), t.say("WHY")}, rows)
	fmt.Fprintln(w)
	for _, why := range x.Why {
		fmt.Fprintf(w, "  %s\n", t.paragraph(why, names))
	}
	if note := x.howSure(t); note != "" {
		fmt.Fprintf(w, "  %s\n", note)
	}
	fmt.Fprintf(w, "\n  %s  %s\n", t.say("Starts"), steps(t, x.Start))
	fmt.Fprintf(w, "  %s  %s\n          %s\n", t.say("Stops "), steps(t, x.Stop), t.paragraph(x.StopNote, names))
	for _, r := range x.References {
		fmt.Fprintf(w, "  %s  %s\n", t.say("Source"), r)
	}
}

// howSure says what tells how the API server computed the columns, where its version does not.
func (x explanation) howSure(t words) string {
	switch {
	case x.Row != "":
		return t.say("A row of kubectl get pods in the bundle shows these columns (%s).", render.Text(x.Row))
	case x.Server == "":
		return t.say("The API server computes these columns; its version is not in the bundle, so this is how present ones do it.")
	case x.unknownPrinter:
		return t.say("The API server computes these columns; how one of version %s does it is not known here, so this is how the oldest known ones do it.", render.Text(x.Server))
	}
	return ""
}

func yesNo(t words, b bool) string {
	if b {
		return t.say("yes")
	}
	return t.say("no")
}

// steps gives an order: what is joined by "and" goes together.
func steps(t words, order [][]string) string {
	var all []string
	for _, step := range order {
		all = append(all, strings.Join(step, t.say(" and ")))
	}
	if len(all) == 0 {
		return "-"
	}
	return strings.Join(all, t.say(", then "))
}
