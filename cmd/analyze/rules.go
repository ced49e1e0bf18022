package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules"
)

func (a *app) rulesCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "rules [CODE]",
		Short:             "List the verdicts and findings, or explain one",
		Long:              "Lists every verdict and finding. With a CODE: what it means, what proves it, what disproves it, what to do, sources.",
		Example:           "  analyze rules\n  analyze rules HeldBySidecar",
		Args:              takes(cobra.MaximumNArgs(1)),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) { return completeCodes() },
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.resolve()
			if err != nil {
				return usage(cmd, err)
			}
			if len(args) == 0 {
				return a.publish(cmd, s, func(t words) document {
					all := entries(t)
					return document{text: func(w sheet) { writeCatalogue(w, t, all) }, data: all}
				})
			}
			e, err := findCode(args[0])
			if err != nil {
				return usage(cmd, err)
			}
			if e.Page, err = pageOf(e.Code); err != nil {
				return err
			}
			return a.publish(cmd, s, func(t words) document {
				e.Title = t.say(e.Title)
				return document{text: func(w sheet) { io.WriteString(w, e.Page) }, data: e}
			})
		},
	}
}

// entry is one verdict or finding of the catalogue.
type entry struct {
	Code     analyze.Code     `json:"code"`
	Kind     string           `json:"kind"`
	Severity analyze.Severity `json:"severity"`
	Title    string           `json:"title"`
	Page     string           `json:"page,omitempty"`
}

const (
	verdictKind = "verdict"
	findingKind = "finding"
)

// entries lists the verdicts in the order in which they are tried, then the findings.
func entries(t words) []entry {
	var all []entry
	for _, v := range rules.Verdicts() {
		all = append(all, entry{Code: v.Code, Kind: verdictKind, Severity: v.Severity, Title: t.say(v.Title)})
	}
	for _, r := range rules.All() {
		all = append(all, entry{Code: r.Code, Kind: findingKind, Severity: r.Severity, Title: t.say(r.Title)})
	}
	return all
}

func writeCatalogue(w sheet, t words, all []entry) {
	rows := map[string][][]string{}
	for _, e := range all {
		rows[e.Kind] = append(rows[e.Kind], []string{string(e.Code), string(e.Severity), e.Title})
	}
	header := []string{t.say("CODE"), t.say("SEVERITY"), t.say("MEANING")}
	fmt.Fprintln(w, t.say("VERDICTS: why a workload has not completed, one each, in the order in which they are tried"))
	w.table("  ", header, rows[verdictKind])
	fmt.Fprintf(w, "\n%s\n", t.say("FINDINGS: what explains a verdict, or will break the next run"))
	w.table("  ", header, rows[findingKind])
	fmt.Fprintf(w, "\n%s\n", t.say("analyze rules CODE explains one of them."))
}

// findCode finds a code whatever its case, as people type it from memory.
func findCode(text string) (entry, error) {
	if text == "" {
		return entry{}, errors.New("CODE is empty: give a code, or leave it out for the list")
	}
	var near []string
	for _, e := range entries(nil) {
		if strings.EqualFold(string(e.Code), text) {
			return e, nil
		}
		if strings.Contains(strings.ToLower(string(e.Code)), strings.ToLower(text)) {
			near = append(near, string(e.Code))
		}
	}
	if len(near) > 0 {
		return entry{}, fmt.Errorf("no verdict or finding has the code %s; near: %s", quote(text), strings.Join(near, ", "))
	}
	return entry{}, fmt.Errorf("no verdict or finding has the code %s; 'analyze rules' lists them", quote(text))
}

func completeCodes() ([]string, cobra.ShellCompDirective) {
	var codes []string
	for _, e := range entries(nil) {
		codes = append(codes, string(e.Code)+"\t"+e.Title)
	}
	return codes, cobra.ShellCompDirectiveNoFileComp
}
