package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules/data"
)

const lintDataLong = `Checks rule data before a site relies on it: text that YAML would twist (an unquoted version loses its last zero),
unknown keys, versions, timelines, sources. With a DIR: that folder laid over the built-in data, as --rules would, and what it
replaces. Without: the built-in data.

Exit status: 0 nothing is wrong; 1 something is; 2 DIR is no folder.`

func (a *app) lintDataCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "lint-data [DIR]",
		Short:   "Check a folder of rule data for --rules",
		Long:    lintDataLong,
		Example: "  analyze lint-data ./site-rules && analyze ticket.tgz --rules ./site-rules",
		Args:    takes(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.resolve()
			if err != nil {
				return usage(cmd, err)
			}
			if len(args) > 0 && args[0] == "" {
				return usage(cmd, errors.New("DIR is empty: give a folder, or leave it out for the built-in data"))
			}
			found := lintResult{Mistakes: []string{}, Replaced: []string{}}
			if len(args) == 0 {
				found.add(knowledge.Lint(data.FS)...)
			} else {
				a.global.rulesDir = args[0]
				_, replaced, err := a.knowledge()
				if errors.Is(err, errNoRuleData) {
					return usage(cmd, err)
				}
				if err != nil {
					found.add(err)
				}
				found.Replaced = append(found.Replaced, replaced...)
			}
			if len(found.Mistakes) > 0 {
				a.status = exitFound
			}
			return a.publish(cmd, s, func(words) document { return document{text: found.write, data: found} })
		},
	}
}

// lintResult is what lint-data found.
type lintResult struct {
	Mistakes []string `json:"mistakes"`
	Replaced []string `json:"replaced"`
}

func (r *lintResult) add(errs ...error) {
	for _, err := range errs {
		r.Mistakes = append(r.Mistakes, strings.Split(err.Error(), "\n")...)
	}
}

func (r lintResult) write(w sheet) {
	for _, m := range r.Mistakes {
		fmt.Fprintln(w, m)
	}
	for _, m := range r.Replaced {
		fmt.Fprintln(w, m)
	}
	if len(r.Mistakes) == 0 {
		fmt.Fprintln(w, "nothing is wrong with the rule data")
	}
}
