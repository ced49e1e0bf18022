package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// documentFormats are the formats of what makes no report. It has nothing more to show in a wide one.
var documentFormats = []string{"table", "json", "yaml"}

// idleFlags are the shared flags that change nothing in what a command does.
var idleFlags = map[string][]string{
	"explain":        {"job", "all", "fail-on", "at", "no-color"},
	"predict":        {"all", "fail-on", "at", "no-color"},
	"compare":        {"all", "fail-on", "no-color"},
	"fix":            {"job", "all", "fail-on", "no-color"},
	"convert":        {"job", "namespace", "all", "at", "rules", "layout", "max-bytes", "max-files"},
	"redact":         {"namespace", "job", "all", "fail-on", "rules", "at", "no-color", "lang"},
	"rules":          append([]string{"rules"}, ofBundles...),
	"versions":       append([]string{"lang"}, ofBundles...),
	"version":        append([]string{"lang"}, ofBundles...),
	"lint-data":      append([]string{"rules", "lang"}, ofBundles...),
	"collect-script": append([]string{"output", "rules", "lang"}, ofBundles...),
	"completion":     append([]string{"output", "output-file", "rules", "lang"}, ofBundles...),
}

// ofBundles are the flags that mean something only where a bundle is read.
var ofBundles = []string{"namespace", "job", "all", "fail-on", "at", "no-color", "quiet", "max-bytes", "max-files", "layout"}

// tolerated flags may be given to any command, as whoever gives them everywhere is misled by none.
var tolerated = []string{"all", "no-color", "lang", "quiet"}

// refusedThere are refused by the command itself, which knows what to say.
var refusedThere = map[string][]string{"explain": {"job"}, "fix": {"job"}, "convert": idleFlags["convert"]}

// quietAboutReading are the commands that --quiet keeps from showing progress, and whose output it leaves as it is.
var quietAboutReading = []string{"explain", "predict", "compare", "fix", "redact"}

// insteadOf says what to do without an idle flag; elsewhere it can just be left out.
var insteadOf = map[string]string{
	"explain --at":        "kubectl's columns do not depend on it",
	"predict --at":        "the placement of a proxy does not depend on it",
	"redact --namespace":  "the whole bundle is copied",
	"redact --job":        "the whole bundle is copied",
	"rules --rules":       "the codes and their pages are built in",
	"lint-data --rules":   "give the folder behind the command",
	"completion --output": "redirect standard output",

	"completion --output-file": "redirect standard output",
}

// fitFlags makes a command show those of the shared flags that it heeds, and refuse the others: a flag that is taken and
// does nothing would be believed. Flags are shadowed by copies of the command's own, so help, manual and completion agree.
func (a *app) fitFlags(root, cmd *cobra.Command, name string) {
	idle := idleFlags[name]
	shadow := func(flag string, change func(usage *string, hidden *bool)) {
		f := *root.PersistentFlags().Lookup(flag)
		change(&f.Usage, &f.Hidden)
		cmd.Flags().AddFlag(&f)
	}
	for _, flag := range idle {
		shadow(flag, func(_ *string, hidden *bool) { *hidden = true })
	}
	if slices.Contains(quietAboutReading, name) {
		shadow("quiet", func(usage *string, _ *bool) { *usage = "show no progress while reading" })
	}
	document := slices.Contains([]string{"explain", "predict", "compare", "fix", "rules", "versions", "version", "lint-data"}, name)
	if document {
		shadow("output", func(usage *string, _ *bool) {
			*usage = strings.Replace(*usage, formatList(), strings.Join(documentFormats, ", "), 1)
		})
		completeWords(cmd, "output", documentFormats)
	}
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		for _, flag := range idle {
			if slices.Contains(tolerated, flag) || slices.Contains(refusedThere[name], flag) {
				continue
			}
			instead := insteadOf[name+" --"+flag]
			if instead == "" {
				instead = "leave it out"
			}
			if err := without(cmd, instead, flag); err != nil {
				return err
			}
		}
		for _, value := range a.global.outputs {
			if format, _, _ := strings.Cut(value, "="); document && !slices.Contains(documentFormats, format) {
				return usage(cmd, notWritten(cmd, format))
			}
		}
		return nil
	}
}

// notWritten is the error of a format that a document does not have.
func notWritten(cmd *cobra.Command, format string) error {
	return fmt.Errorf("%s can be written as table, json or yaml, not as %s", cmd.CommandPath(), format)
}
