package main

import (
	"bytes"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures/demo"
)

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Analyze a small bundle that is built in",
		Long: `Analyzes a bundle that is part of the program: three Jobs of a mesh in which one node is too old. All flags of analyze
apply, so that every format can be tried on it.`,
		Example: "  analyze demo\n  analyze demo --all -o wide\n  analyze demo -o html=report.html",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := a.start(cmd)
			if err != nil {
				return err
			}
			archive, err := demo.Archive()
			if err != nil {
				return err
			}
			report, err := e.analyzeAs(cmd.Context(), demo.Name, standardInput, bytes.NewReader(archive))
			if err != nil {
				return err
			}
			return a.finish(cmd, e, []*analyze.Report{report}, nil)
		},
	}
}
