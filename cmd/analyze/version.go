package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program and of its rule data",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			base, _, err := a.knowledge()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout, "analyze %s\nrule data %s\n%s %s/%s\n", a.Version, base.Revision(),
				runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
