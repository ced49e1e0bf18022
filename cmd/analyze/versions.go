package main

import (
	"io"

	"github.com/spf13/cobra"
)

func (a *app) versionsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "versions",
		Short: "Print the Kubernetes and Istio versions that the rules know, with sources",
		Long: `Prints where istio-proxy of a Job's pod goes for each Istio release on each Kubernetes release, as the rules decide it:
with nothing set, with the pod-template annotation, and with ENABLE_NATIVE_SIDECARS=true on istiod.`,
		Args: cobra.NoArgs,
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
			return a.publish(cmd, s, document{data: m, text: func(w io.Writer) { io.WriteString(w, m.Text()) }})
		},
	}
}
