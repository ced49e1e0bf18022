package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures/demo"
)

// isDemo says that the built-in bundle is meant where a bundle is named: the reports about it print such commands.
func isDemo(path string) bool {
	if path != demo.Name {
		return false
	}
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// errNoName is what an unset variable in a script comes to.
var errNoName = errors.New("the name of the bundle is empty: give a file or a folder, or - for standard input")

// from gives what is to be read for a bundle that is named: the built-in one comes as if through standard input.
func from(path string, stdin io.Reader) (string, io.Reader, error) {
	if path == "" {
		return "", nil, errNoName
	}
	if !isDemo(path) {
		return path, stdin, nil
	}
	archive, err := demo.Archive()
	return standardInput, bytes.NewReader(archive), err
}

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Analyze a small bundle that is built in",
		Long: `Analyzes a bundle that is part of the program: three Jobs of a mesh in which one node is too old. All flags of analyze
apply, so that every format can be tried on it. Other commands take the word demo for it where they take a bundle, unless
there is a file of that name.`,
		Example: "  analyze demo\n  analyze demo --all -o wide\n  analyze demo -o html=report.html\n  analyze explain demo thumbnails",
		Args:    takes(cobra.NoArgs),
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
