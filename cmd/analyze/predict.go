package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules"
)

const predictLong = `Says where the proxy of the next pod would be put (native, ordinary, broken), step by step, and which single change
makes it native. From a bundle, from flags alone, or from a bundle with what-if flags on top of it. Pods that exist
never change.

  --kubelet takes versions, which replace all nodes, or NODE=VERSION, which upgrades one node of the bundle.
  --env and --annotation take a value, or unset.`

const predictExample = `  analyze predict ticket.tgz
  analyze predict ticket.tgz --kubelet worker-3=v1.33.5
  analyze predict --kubernetes 1.33 --kubelet 1.33.1,1.32.9 --istio 1.27.3`

// predictFlags are the what-if flags as typed.
type predictFlags struct {
	kubernetes, istio, env, annotation string
	kubelets                           []string
}

func (a *app) predictCommand() *cobra.Command {
	var flags predictFlags
	cmd := &cobra.Command{
		Use:     "predict [BUNDLE]",
		Short:   "Say where the proxy of the next pod will be put, and what would change that",
		Long:    predictLong,
		Example: predictExample,
		Args:    takes(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.predict(cmd, args, flags)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.kubernetes, "kubernetes", "", "`VERSION` of the API server")
	f.StringSliceVar(&flags.kubelets, "kubelet", nil, "`VERSIONS` of the nodes, or NODE=VERSION")
	f.StringVar(&flags.istio, "istio", "", "`VERSION` of istiod")
	f.StringVar(&flags.env, "env", "", "`VALUE` of ENABLE_NATIVE_SIDECARS on istiod, or unset")
	f.StringVar(&flags.annotation, "annotation", "", "`VALUE` of sidecar.istio.io/nativeSidecar on the pod template, or unset")
	return cmd
}

func (a *app) predict(cmd *cobra.Command, args []string, flags predictFlags) error {
	e, err := a.start(cmd)
	if err != nil {
		return err
	}
	what, err := whatIf(cmd, flags, len(args) > 0)
	if err != nil {
		return usage(cmd, err)
	}
	var cluster *facts.Cluster
	if len(args) > 0 {
		o, err := e.consult(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		cluster = o.cluster
		if err := errors.Join(hasNodes(cluster, what.Upgrade), a.choosesRun(o)); err != nil {
			return usage(cmd, err)
		}
	}
	predicted := rules.Predict(cluster, e.base, what, a.selects)
	return a.publish(cmd, e.settings, func(t words) document {
		var all []prediction
		for _, p := range predicted {
			all = append(all, predictionOf(t, p))
		}
		return document{
			text: func(w sheet) {
				var notes footnotes
				for i, p := range all {
					if i > 0 {
						fmt.Fprintln(w)
					}
					p.write(w, t, &notes)
				}
				notes.write(w, t)
			},
			data: map[string]any{"apiVersion": analyze.APIVersion, "kind": "Prediction", "predictions": all},
		}
	})
}

// choosesRun is the error of a --namespace or --job that no run has: the prediction for none in particular is another.
func (a *app) choosesRun(o *opened) error {
	var has []evidence.Ref
	for _, w := range rules.Runs(o.cluster) {
		if a.selects(w) {
			return nil
		}
		has = append(has, w.Ref)
	}
	if a.global.job == "" && a.global.namespace == "" {
		return nil
	}
	return a.noSuch("workload", a.global.job, has, o)
}

// hasNodes is the error of a --kubelet for a node that the bundle does not have: without it the answer would be that of
// no change.
func hasNodes(c *facts.Cluster, upgrade map[string]string) error {
	has := rules.Nodes(c)
	for _, node := range slices.Sorted(maps.Keys(upgrade)) {
		switch {
		case len(has) == 0:
			return fmt.Errorf("--kubelet %s: the bundle has no nodes; give versions without names, for all nodes", quote(node+"="+upgrade[node]))
		case !slices.Contains(has, node):
			return fmt.Errorf("--kubelet %s: the bundle has no node %s; it has %s", quote(node+"="+upgrade[node]), quote(node), joinSome(has))
		}
	}
	return nil
}

func whatIf(cmd *cobra.Command, flags predictFlags, bundle bool) (rules.WhatIf, error) {
	what := rules.WhatIf{Kubernetes: flags.kubernetes, Istio: flags.istio, Upgrade: map[string]string{}}
	if cmd.Flags().Changed("kubelet") && len(flags.kubelets) == 0 {
		flags.kubelets = []string{""}
	}
	for _, k := range flags.kubelets {
		node, version, one := strings.Cut(k, "=")
		switch {
		case k == "" || one && (node == "" || version == ""):
			return what, fmt.Errorf("--kubelet %s lacks a part: give VERSION, or NODE=VERSION such as worker-3=v1.33.5", quote(k))
		case one:
			what.Upgrade[node] = version
		default:
			what.Kubelets = append(what.Kubelets, k)
		}
	}
	if len(what.Upgrade) > 0 && (!bundle || len(what.Kubelets) > 0) {
		return what, fmt.Errorf("--kubelet NODE=VERSION upgrades a node of a bundle: give a bundle, and no plain versions beside it")
	}
	if !bundle && flags.istio == "" && flags.kubernetes == "" {
		return what, fmt.Errorf("nothing to predict from: give a bundle, or --istio, --kubernetes and --kubelet; one of the first two is the least")
	}
	if cmd.Flags().Changed("env") {
		what.Env = &flags.env
	}
	if cmd.Flags().Changed("annotation") {
		what.Annotation = &flags.annotation
	}
	return what, nil
}
