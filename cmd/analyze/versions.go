package main

import (
	"github.com/spf13/cobra"
)

func (a *app) versionsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "versions",
		Short: "Print the Kubernetes and Istio versions that the rules know, with sources",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return nil
		},
	}
}
