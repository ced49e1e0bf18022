package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

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
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) { return completeCodes() },
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.emit(a.global.outputFile, writeCatalogue)
			}
			entry, err := findCode(args[0])
			if err != nil {
				return usage(cmd, err)
			}
			return a.emit(a.global.outputFile, func(w io.Writer) error {
				_, err := io.WriteString(w, entry.page)
				return err
			})
		},
	}
}

// entry is one verdict or finding of the catalogue.
type entry struct {
	code     analyze.Code
	severity analyze.Severity
	title    string
	page     string
}

func verdictEntries() []entry {
	var all []entry
	for _, v := range rules.Verdicts() {
		all = append(all, entry{v.Code, v.Severity, v.Title, ""})
	}
	return all
}

func findingEntries() []entry {
	var all []entry
	for _, r := range rules.All() {
		all = append(all, entry{r.Code, r.Severity, r.Title, ""})
	}
	return all
}

func writeCatalogue(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "VERDICTS: why a workload has not completed, one each, in the order in which they are tried")
	writeEntries(t, verdictEntries())
	fmt.Fprintln(t, "\nFINDINGS: what explains a verdict, or will break the next run")
	writeEntries(t, findingEntries())
	fmt.Fprintln(t, "\nanalyze rules CODE explains one of them.")
	return t.Flush()
}

func writeEntries(w io.Writer, all []entry) {
	for _, e := range all {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", e.code, e.severity, e.title)
	}
}

// findCode finds a code whatever its case, as people type it from memory.
func findCode(text string) (entry, error) {
	var near []string
	for _, e := range append(verdictEntries(), findingEntries()...) {
		if strings.EqualFold(string(e.code), text) {
			return e, nil
		}
		if strings.Contains(strings.ToLower(string(e.code)), strings.ToLower(text)) {
			near = append(near, string(e.code))
		}
	}
	if len(near) > 0 {
		return entry{}, fmt.Errorf("no verdict or finding has the code %s; near: %s", quote(text), strings.Join(near, ", "))
	}
	return entry{}, fmt.Errorf("no verdict or finding has the code %s; 'analyze rules' lists them", quote(text))
}

func completeCodes() ([]string, cobra.ShellCompDirective) {
	var codes []string
	for _, e := range append(verdictEntries(), findingEntries()...) {
		codes = append(codes, string(e.code)+"\t"+e.title)
	}
	return codes, cobra.ShellCompDirectiveNoFileComp
}
