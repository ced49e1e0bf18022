package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// globalFlags are the flags that every command takes. The text values are checked by resolve before any work is done.
type globalFlags struct {
	outputs    []string
	outputFile string
	namespace  string
	job        string
	all        bool
	failOn     string
	rulesDir   string
	at         string
	noColor    bool
	lang       string
	quiet      bool
	maxBytes   string
	maxFiles   int
	layout     string
}

func (a *app) addGlobalFlags(cmd *cobra.Command) {
	g, f := &a.global, cmd.PersistentFlags()
	f.StringArrayVarP(&g.outputs, "output", "o", nil,
		"output `FORMAT`: "+formatList()+"; FORMAT=FILE writes to a file; may be repeated (default table)")
	f.StringVar(&g.outputFile, "output-file", "", "write to `FILE` instead of standard output")
	f.StringVarP(&g.namespace, "namespace", "n", "", "only workloads of this `NAMESPACE`")
	f.StringVar(&g.job, "job", "", "only the Job, or the Jobs of the CronJob, of this `NAME`")
	f.BoolVar(&g.all, "all", false, "show healthy workloads and pods of services too")
	f.StringVar(&g.failOn, "fail-on", "error", "exit 1 at this `SEVERITY`: error, warning or never")
	f.StringVar(&g.rulesDir, "rules", "", "lay the rule data in `DIR` over the built-in data")
	f.StringVar(&g.at, "at", "", "reference `TIME` (RFC 3339, or now; default: when the bundle was taken)")
	f.BoolVar(&g.noColor, "no-color", false, "no colours (also: NO_COLOR in the environment)")
	f.StringVar(&g.lang, "lang", "", "`LANGUAGE` of the report: en or zh (default en; table, wide, markdown and html follow a Chinese locale)")
	f.BoolVar(&g.quiet, "quiet", false, "only a line for each workload that is shown and one of totals (table, wide); no progress")
	f.StringVar(&g.maxBytes, "max-bytes", "", fmt.Sprintf("stop reading after about this many unpacked `BYTES` (1GiB, 500M, ...; units are powers of 1024; default %dGiB)", bundle.DefaultMaxBytes>>30))
	f.IntVar(&g.maxFiles, "max-files", bundle.DefaultMaxFiles, "stop reading after this `NUMBER` of files")
	f.StringVar(&g.layout, "layout", "", "take the bundle for one of this `LAYOUT` instead of recognising it")
	completeWords(cmd, "output", formatNames())
	completeWords(cmd, "fail-on", []string{"error", "warning", "never"})
	completeWords(cmd, "lang", languages())
	completeWords(cmd, "layout", bundle.LayoutIDs())
	complete(cmd, "job", a.completeFlag(listWorkloads))
	complete(cmd, "namespace", a.completeFlag(listNamespaces))
}

// completeWords completes a flag in the shell.
func completeWords(cmd *cobra.Command, flag string, words []string) {
	complete(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// complete registers the completion of a flag, which fails only for a flag that does not exist.
func complete(cmd *cobra.Command, flag string, words cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, words); err != nil {
		panic(err)
	}
}

// settings are the global flags, checked.
type settings struct {
	outputs  []output
	failOn   failOn
	at       time.Time
	maxBytes int64
	color    bool
}

func (a *app) resolve() (s settings, err error) {
	g := a.global
	if s.outputs, err = parseOutputs(g.outputs, g.outputFile); err != nil {
		return s, err
	}
	if s.failOn, err = parseFailOn(g.failOn); err != nil {
		return s, err
	}
	if s.at, err = a.parseAt(g.at); err != nil {
		return s, err
	}
	if s.maxBytes, err = parseBytes(g.maxBytes); err != nil {
		return s, err
	}
	if g.maxFiles < 1 {
		return s, errors.New("--max-files must be at least 1")
	}
	if g.lang != "" && !slices.Contains(languages(), g.lang) {
		return s, fmt.Errorf("--lang must be en or zh, not %s", quote(g.lang))
	}
	s.color = a.StdoutWidth > 0 && !g.noColor && a.Env("NO_COLOR") == "" && a.Env("TERM") != "dumb"
	return s, nil
}

// without is the error of a flag that is given though the command would do the same without it.
func without(cmd *cobra.Command, instead string, flags ...string) error {
	for _, f := range flags {
		if cmd.Flags().Changed(f) {
			return usage(cmd, fmt.Errorf("--%s has no effect on '%s': %s", f, cmd.CommandPath(), instead))
		}
	}
	return nil
}

// neverEmpty are the flags whose empty text would mean the same as no flag.
var neverEmpty = []string{"job", "namespace", "before-job", "after-job", "rules", "at", "layout", "lang", "max-bytes", "output-file",
	"kubernetes", "istio"}

// noneEmpty is the error of a flag that is given with an empty text, as an unset variable in a script gives it: the command
// would do without the flag what nobody asked for.
func noneEmpty(cmd *cobra.Command) error {
	for _, name := range neverEmpty {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return usage(cmd, fmt.Errorf("--%s is empty: give a value, or leave the flag out", name))
		}
	}
	return nil
}

func (a *app) parseAt(s string) (time.Time, error) {
	switch s {
	case "":
		return time.Time{}, nil
	case "now":
		return a.Now(), nil
	}
	if t := kube.ParseTime(s); !t.IsZero() {
		return t.Time, nil
	}
	return time.Time{}, fmt.Errorf("--at %s is no time: use RFC 3339 such as 2026-11-30T12:00:00Z, or now", quote(s))
}

// parseBytes reads a number with an optional unit; units are powers of 1024 whether written k, K, KB or KiB, as a
// limit need not be exact.
func parseBytes(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	digits := s
	for len(digits) > 0 && (digits[len(digits)-1] < '0' || digits[len(digits)-1] > '9') {
		digits = digits[:len(digits)-1]
	}
	shift, known := map[string]uint{"": 0, "B": 0, "K": 10, "KB": 10, "KIB": 10, "M": 20, "MB": 20, "MIB": 20,
		"G": 30, "GB": 30, "GIB": 30, "T": 40, "TB": 40, "TIB": 40}[strings.ToUpper(s[len(digits):])]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !known || n <= 0 || n > (1<<62)>>shift {
		return 0, fmt.Errorf("--max-bytes %s is no size: use a number with K, M or G, such as 500M", quote(s))
	}
	return n << shift, nil
}

func quote(s string) string { return strconv.Quote(s) }
