package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

func (a *app) versionsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "versions",
		Short: "Print the Kubernetes and Istio versions that the rules know, with sources",
		Long: `Prints where istio-proxy of a Job's pod goes for each Istio release on each Kubernetes release, as the rules decide it:
with nothing set, with the pod-template annotation, and with ENABLE_NATIVE_SIDECARS=true on istiod.`,
		Args: takes(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.resolve()
			if err != nil {
				return usage(cmd, err)
			}
			base, _, err := a.knowledge()
			if err != nil {
				return err
			}
			m := base.Matrix()
			return a.publish(cmd, s, func(words) document { return document{data: m, text: func(w sheet) { writeMatrix(w, m) }} })
		},
	}
}

// writeMatrix prints a table for each setting, with footnotes and sources.
func writeMatrix(w sheet, m knowledge.Matrix) {
	header := []string{"ISTIO"}
	for _, k := range m.Kubernetes {
		header = append(header, "K8S "+k)
	}
	for _, t := range m.Tables {
		var rows [][]string
		for i, cells := range t.Cells {
			row := []string{m.Istio[i]}
			for _, c := range cells {
				row = append(row, c.Word())
			}
			rows = append(rows, row)
		}
		fmt.Fprintf(w, "%s\n\n", t.Title)
		w.table("", header, rows)
		fmt.Fprintln(w)
	}
	for _, n := range m.Notes {
		fmt.Fprintf(w, "- %s\n", n)
	}
	fmt.Fprintf(w, "\nSources\n")
	for _, s := range m.Sources {
		fmt.Fprintf(w, "- %s\n", s)
	}
}
