package main

import (
	"cmp"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program and of its rule data, and the commit it was built from",
		Args:  takes(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.resolve()
			if err != nil {
				return usage(cmd, err)
			}
			base, _, err := a.knowledge()
			if err != nil {
				return err
			}
			v := versionInfo{a.Version, cmp.Or(a.Commit, "unknown"), base.Revision(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			return a.publish(cmd, s, func(words) document {
				return document{data: v, text: func(w sheet) {
					fmt.Fprintf(w, "%s version %s\ncommit %s\nrule data %s\n%s %s\n", a.name(), v.Version, v.Commit, v.Rules, v.Go, v.Platform)
				}}
			})
		},
	}
}

// versionInfo is what a program reads about the program.
type versionInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Rules    string `json:"rules"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}
