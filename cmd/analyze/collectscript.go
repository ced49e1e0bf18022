package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/collect"
)

const collectScriptLong = `Writes the collector to standard output: one POSIX shell script that needs kubectl (or oc) and the tools of
any Unix (awk, sed, tar, gzip, mkfifo and the like), reads and never changes the cluster, and leaves a tarball for
analyze. So one binary carries everything into an air gap. Read it before you run it:

  analyze collect-script > collect.sh
  sh collect.sh --help`

func (a *app) collectScriptCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "collect-script",
		Short: "Print the collector, a reviewed shell script for the site",
		Long:  collectScriptLong,
		Args:  takes(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			return a.emit(a.global.outputFile, func(w io.Writer) error {
				_, err := io.WriteString(w, collect.Script)
				return err
			})
		},
	}
}
