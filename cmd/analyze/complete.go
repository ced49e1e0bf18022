package main

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures/demo"
)

// The shell completes names from the bundle on the command line. A person waits meanwhile and has not asked for the
// bundle to be read, so that reading is bounded, and past its bounds there are no names rather than late ones.
const (
	completeWithin = 2 * time.Second
	completeBytes  = 64 << 20
	completeFiles  = 10_000
	completeNames  = 500
)

// completeBundleThen completes a path for the first argument, and from there on names from that bundle.
func (a *app) completeBundleThen(list lister) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		switch len(args) {
		case 0:
			return nil, cobra.ShellCompDirectiveDefault
		case 1:
			return a.completeNames(cmd, args[0], list, typed)
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFlag completes the value of a flag from the first bundle on the command line.
func (a *app) completeFlag(list lister) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		switch {
		case cmd.Name() == demo.Name:
			return a.completeNames(cmd, demo.Name, list, typed)
		case len(args) == 0:
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return a.completeNames(cmd, args[0], list, typed)
	}
}

func (a *app) completeNames(cmd *cobra.Command, path string, list lister, typed string) ([]string, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(cmd.Context(), completeWithin)
	defer cancel()
	a.global.quiet, a.global.maxFiles = true, completeFiles
	var words []string
	for _, n := range a.namesIn(ctx, cmd, path, list) {
		if strings.HasPrefix(n.name, typed) && len(words) < completeNames {
			words = append(words, n.name+"\t"+n.is)
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// namesIn gives up when the context ends, whatever the reading hangs on (a file of a server that does not answer).
func (a *app) namesIn(ctx context.Context, cmd *cobra.Command, path string, list lister) []named {
	found := make(chan []named, 1)
	go func() {
		defer func() { _ = recover() }() // the bug is reported when the bundle is read for its own sake
		if c := a.glance(ctx, cmd, path); c != nil {
			found <- sorted(list(c, a.global.namespace))
			return
		}
		found <- nil
	}()
	select {
	case names := <-found:
		return names
	case <-ctx.Done():
		return nil
	}
}

// glance reads as much of a bundle as completion may. Only files and folders are read: a pipe or standard input can be
// read once, and that is not now.
func (a *app) glance(ctx context.Context, cmd *cobra.Command, path string) *facts.Cluster {
	if cmd.Name() == demo.Name {
		path = demo.Name
	}
	if info, err := os.Stat(path); !isDemo(path) && (err != nil || !info.Mode().IsRegular() && !info.IsDir()) {
		return nil
	}
	e, err := a.start(cmd)
	if err != nil {
		return nil
	}
	e.settings.maxBytes = completeBytes
	e.whole = true
	o, err := e.open(ctx, path, nil)
	if err != nil {
		return nil
	}
	return o.cluster
}
