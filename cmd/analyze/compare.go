package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules"
)

const compareLong = `Checks whether a fix worked: the same Job, or two runs of one CronJob, in a bundle taken before and one taken after.
Each acceptance criterion is passed, failed, or not provable from a bundle. --job names the Job or CronJob; it may be
left out when each bundle has only one. --before-job and --after-job name a side of its own, as with a test Job under
another name. Two bundles that show the same run, runs of different workloads that were not named, or a run in AFTER
that is older than that in BEFORE prove nothing.

Exit status: 0 accepted; 1 a criterion failed; 2 usage error, nothing readable, no such run, or several of which none was
chosen; 3 none failed, but one that a bundle could show is not shown.`

func (a *app) compareCommand() *cobra.Command {
	var named sidesNamed
	cmd := &cobra.Command{
		Use:     "compare BEFORE AFTER",
		Short:   "Check the acceptance of a fix: before against after",
		Long:    compareLong,
		Example: "  analyze compare before.tgz after.tgz --job nightly-report",
		Args:    takes(cobra.ExactArgs(2)),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.compare(cmd, args, named) },
	}
	cmd.Flags().StringVar(&named.before, "before-job", "", "the Job or CronJob of this `NAME` in BEFORE")
	cmd.Flags().StringVar(&named.after, "after-job", "", "the Job or CronJob of this `NAME` in AFTER")
	return cmd
}

func (a *app) compare(cmd *cobra.Command, args []string, named sidesNamed) error {
	before, after := args[0], args[1]
	e, err := a.start(cmd)
	if err != nil {
		return err
	}
	then, err := a.side(cmd, e, before, "--before-job", named.before, named)
	if err != nil {
		return err
	}
	now, err := a.side(cmd, e, after, "--after-job", named.after, named)
	if err != nil {
		return err
	}
	compared := rules.Compare(then, now)
	a.status = statusOfComparison(comparisonOf(nil, before, after, compared))
	return a.publish(cmd, e.settings, func(t words) document {
		c := comparisonOf(t, before, after, compared)
		return document{text: func(w sheet) { c.write(w, t) }, data: c}
	})
}

// sidesNamed are the names that one side alone has.
type sidesNamed struct{ before, after string }

// side finds the run to compare in a bundle: the one that the flag of this side names, or --job.
func (a *app) side(cmd *cobra.Command, e *engine, path, flag, name string, given sidesNamed) (*rules.Side, error) {
	o, err := e.consult(cmd.Context(), path)
	if err != nil {
		return nil, err
	}
	if name == "" {
		name = a.global.job
	}
	w, refs := rules.FindRun(o.cluster, name, a.global.namespace)
	if w != nil {
		side := rules.NewSide(o.cluster, w)
		side.Named = name != "" && given != sidesNamed{}
		return side, nil
	}
	if len(refs) > 0 {
		choose := "--job or " + flag
		if name != "" {
			choose = "--namespace"
		}
		return nil, usage(cmd, fmt.Errorf("%s has several runs, choose one with %s: %s", path, choose, joinSome(namesOf(refs))))
	}
	return nil, usage(cmd, fmt.Errorf("%s: %w", path, a.noSuch("run", name, refsOf(o.cluster.Workloads), o)))
}

func namesOf(refs []evidence.Ref) []string {
	var names []string
	for _, r := range refs {
		names = append(names, r.String())
	}
	return names
}

// comparison is rules.Comparison as programs read it.
type comparison struct {
	APIVersion string      `json:"apiVersion"`
	Kind       string      `json:"kind"`
	Before     runSide     `json:"before"`
	After      runSide     `json:"after"`
	Accepted   bool        `json:"accepted"`
	Compared   bool        `json:"compared"`
	SameRun    bool        `json:"sameRun"`
	Criteria   []criterion `json:"criteria"`
}

type runSide struct {
	Source   string       `json:"source"`
	Workload string       `json:"workload"`
	Verdict  analyze.Code `json:"verdict"`
	Summary  string       `json:"summary"`

	names []string
}

type criterion struct {
	ID       string              `json:"id"`
	Title    string              `json:"title"`
	Result   rules.Result        `json:"result"`
	Because  string              `json:"because"`
	Evidence []evidence.Evidence `json:"evidence"`
}

func comparisonOf(t words, before, after string, c rules.Comparison) comparison {
	out := comparison{APIVersion: analyze.APIVersion, Kind: "Comparison", Before: runSideOf(t, before, c.Before),
		After: runSideOf(t, after, c.After), Accepted: c.Accepted, Compared: c.Compared, SameRun: c.SameRun}
	for _, x := range c.Criteria {
		ev := x.Evidence
		if ev == nil {
			ev = []evidence.Evidence{}
		}
		out.Criteria = append(out.Criteria, criterion{x.ID, t.text(x.Title), x.Result, t.text(x.Because), ev})
	}
	return out
}

func runSideOf(t words, source string, s *rules.Side) runSide {
	return runSide{source, s.Workload.Ref.String(), s.Verdict.Code, t.text(s.Verdict.Summary), containersOf(s.Workload)}
}

// failed says that a criterion was refuted, and not only left unproven.
func (c comparison) failed() bool {
	return slices.ContainsFunc(c.Criteria, func(x criterion) bool { return x.Result == rules.NotPassed })
}

func (c comparison) write(w sheet, t words) {
	for _, side := range []struct {
		name string
		run  runSide
	}{{t.say("BEFORE"), c.Before}, {t.say("AFTER "), c.After}} {
		fmt.Fprintf(w, "%s  %s  %s  (%s)\n        %s\n", side.name, side.run.Verdict, side.run.Workload, side.run.Source, t.paragraph(side.run.Summary, side.run.names))
	}
	fmt.Fprintln(w)
	var rows [][]string
	for _, x := range c.Criteria {
		rows = append(rows, []string{resultWord(t, x.Result), x.Title, x.Because})
	}
	w.table("", []string{t.say("RESULT"), t.say("CRITERION"), t.say("BECAUSE")}, rows)
	switch {
	case c.Accepted:
		fmt.Fprintf(w, "\n%s\n", t.say("Accepted, as far as a bundle can show it."))
	case !c.Compared:
		fmt.Fprintf(w, "\n%s\n", t.say("Neither accepted nor refused: nothing was compared."))
	case c.failed():
		fmt.Fprintf(w, "\n%s\n", t.say("Not accepted."))
	default:
		fmt.Fprintf(w, "\n%s\n", t.say("Neither accepted nor refused: no criterion failed, but one that a bundle could show is not shown."))
	}
}

func resultWord(t words, r rules.Result) string {
	switch r {
	case rules.Passed:
		return t.say("passed")
	case rules.NotPassed:
		return t.say("failed")
	}
	return t.say("not provable")
}
