package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules"
)

const fixLong = `Prints the change for one workload: what to save first, an isolated test Job, the patch for the object that owns the
pod template, how to verify it and how to go back. It prints only; nothing is sent to a cluster.`

func (a *app) fixCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "fix BUNDLE JOB",
		Short:   "Print the change for one Job, with save, verify and rollback around it",
		Long:    fixLong,
		Example: "  analyze fix ticket.tgz nightly-report -n team-app",
		Args:    takes(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := without(cmd, "JOB, behind BUNDLE, names it", "job"); err != nil {
				return err
			}
			if args[1] == "" {
				return usage(cmd, errors.New("JOB is empty: give the name of a Job or CronJob"))
			}
			return a.fix(cmd, args[0], args[1])
		},

		ValidArgsFunction: a.completeBundleThen(listWorkloads),
	}
}

func (a *app) fix(cmd *cobra.Command, path, job string) error {
	e, err := a.start(cmd)
	if err != nil {
		return err
	}
	o, err := e.consult(cmd.Context(), path)
	if err != nil {
		return err
	}
	w, refs := rules.FindRun(o.cluster, job, a.global.namespace)
	switch {
	case w == nil && len(refs) > 0:
		return usage(cmd, fmt.Errorf("%s is in several namespaces, choose one with --namespace: %s", quote(job), joinSome(namesOf(refs))))
	case w == nil:
		return usage(cmd, a.noSuch("workload", job, refsOf(o.cluster.Workloads), o))
	}
	made := rules.Fix(o.cluster, e.base, w, e.stored(cmd.Context(), path))
	return a.publish(cmd, e.settings, func(t words) document {
		p := planOf(t, made)
		return document{text: func(w sheet) { p.write(w, t) }, data: p}
	})
}

// plan is rules.Plan as programs read it.
type plan struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Workload   string       `json:"workload"`
	Verdict    analyze.Code `json:"verdict"`
	Finding    string       `json:"finding"`
	Summary    string       `json:"summary"`
	Steps      []planStep   `json:"steps"`
	CanNotHelp []string     `json:"canNotHelp"`

	names []string
}

type planStep struct {
	Title    string   `json:"title"`
	Notes    []string `json:"notes,omitempty"`
	Commands []string `json:"commands,omitempty"`
	YAML     string   `json:"yaml,omitempty"`
	// RunsProgram says that following the step runs the workload's program.
	RunsProgram bool `json:"runsProgram,omitempty"`
}

func planOf(t words, p rules.Plan) plan {
	out := plan{APIVersion: analyze.APIVersion, Kind: "Plan", Workload: p.Workload.Ref.String(), Verdict: p.Verdict.Code,
		Finding: t.text(p.Verdict.Summary), Summary: t.text(p.Summary), Steps: []planStep{}, CanNotHelp: t.texts(p.CanNotHelp), names: containersOf(p.Workload)}
	for _, s := range p.Steps {
		out.Steps = append(out.Steps, planStepOf(t, s))
	}
	return out
}

func planStepOf(t words, s rules.PlanStep) planStep {
	out := planStep{Title: t.text(s.Title), YAML: s.YAML, RunsProgram: s.RunsProgram}
	for _, n := range s.Notes {
		note, commands, more := strings.Cut(t.text(n), "\n")
		out.Notes = append(out.Notes, note)
		if more {
			out.Commands = append(out.Commands, commands)
		}
	}
	out.Commands = append(out.Commands, s.Commands...)
	return out
}

// write prints the plan as Markdown: it is read in a terminal and pasted into a ticket, and YAML keeps its columns. What
// comes from the bundle is inert in it, as in a report.
func (p plan) write(w sheet, t words) {
	md := func(s string) string { return render.Markdown(t.paragraph(s, p.names)) }
	fmt.Fprintf(w, "# %s: %s\n\n%s\n\n%s\n", render.Markdown(p.Workload), p.Verdict, md(p.Finding), md(p.Summary))
	if runs := p.runs(); len(runs) > 0 {
		fmt.Fprintf(w, "\n%s\n", t.say("Steps that run the program, each once more: %s.", strings.Join(runs, ", ")))
	}
	for i, s := range p.Steps {
		fmt.Fprintf(w, "\n## %d. %s\n", i+1, render.Markdown(capital(s.Title, p.names)))
		for _, n := range s.Notes {
			fmt.Fprintf(w, "\n%s\n", md(n))
		}
		if s.YAML != "" {
			fmt.Fprintf(w, "\n%s\n", render.Fence("yaml", s.YAML))
		}
		if len(s.Commands) > 0 {
			fmt.Fprintf(w, "\n%s\n", render.Fence("sh", strings.Join(s.Commands, "\n")))
		}
	}
	if len(p.CanNotHelp) > 0 {
		fmt.Fprintf(w, "\n## %s\n\n", t.say("What does not help, or has its price"))
		for _, c := range p.CanNotHelp {
			fmt.Fprintf(w, "- %s\n", md(c))
		}
	}
}

// runs gives the numbers of the steps that run the program: nobody should find that out on the way.
func (p plan) runs() []string {
	var out []string
	for i, s := range p.Steps {
		if s.RunsProgram {
			out = append(out, strconv.Itoa(i+1))
		}
	}
	return out
}
