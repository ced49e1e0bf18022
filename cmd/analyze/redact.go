package main

import (
	"bufio"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/redact"
)

const redactLong = `Writes a copy of a bundle without the values in which secrets hide: values of environment variables, arguments that look
like a secret, last applied configurations (but for the names and restartPolicy of containers), data of Secrets and
ConfigMaps, other annotations, and every file that is not read, logs above all. Of each of these some settings of Istio and
Kubernetes stay that the analysis reads; docs/redaction.md lists them. From the copy the same is concluded as from the bundle.

OUT is an archive: .tar.gz, .tgz, .tar, .tar.zst or .zip. It is written as a whole or not at all, for its owner only, and
never over another file unless --force is given. Its redaction.json says what was taken out, and how often. What cannot be
followed is left out. Look at the copy before you pass it on: a secret that is a name, or an argument of no known form, is
recognised by nobody but you (--pattern).

Exit status: 0 the copy holds all that analyze reads of the bundle; 3 an object that it reads could not be decoded or
written anew for the copy, and is not in it; 2 there is no copy. What is broken in the bundle itself is listed and changes
no status.`

type redactFlags struct {
	out      string
	patterns []string
	force    bool
}

func (a *app) redactCommand() *cobra.Command {
	var flags redactFlags
	cmd := &cobra.Command{
		Use:   "redact BUNDLE -o OUT",
		Short: "Write a copy of a bundle without secrets, for passing it on",
		Long:  redactLong,
		Example: "  analyze redact ticket.tgz -o ticket-redacted.tar.gz\n" +
			"  analyze redact must-gather.local.1 -o out.zip --pattern 'ACME-[0-9]{6}' --pattern '(?i)internal\\.example'",
		Args: takes(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return a.redact(cmd, args[0], flags) },
	}
	// Here -o is where the copy goes, as with every tool that writes one file; the formats of reports have no use here.
	cmd.Flags().StringVarP(&flags.out, "output", "o", "", "write the copy to the archive `OUT`")
	cmd.Flags().StringArrayVar(&flags.patterns, "pattern", nil,
		"take out each text in which this regular `EXPRESSION` matches, too; may be repeated")
	cmd.Flags().BoolVar(&flags.force, "force", false, "replace OUT if it is there")
	return cmd
}

func (a *app) redact(cmd *cobra.Command, path string, flags redactFlags) error {
	s, err := a.resolve()
	if err != nil {
		return usage(cmd, err)
	}
	if flags.out == "" {
		return usage(cmd, errors.New("where to? name the copy with -o OUT"))
	}
	format, err := redact.FormatOf(flags.out)
	if err != nil {
		return usage(cmd, err)
	}
	own, err := compiled(flags.patterns)
	if err != nil {
		return usage(cmd, err)
	}
	show := a.newProgress(path)
	opt := redact.Options{Patterns: own, Version: a.Version, MaxBytes: s.maxBytes, MaxFiles: a.global.maxFiles,
		Layout: a.global.layout, Progress: show.update}
	to, err := newCopy(path, flags.out, flags.force)
	if err != nil {
		return err
	}
	defer to.discard()
	buffered := bufio.NewWriterSize(to, 1<<16)
	at, in, err := from(path, a.Stdin)
	if err != nil {
		return err
	}
	m, err := redact.Copy(cmd.Context(), at, in, buffered, format, opt)
	show.done()
	if err = errors.Join(err, buffered.Flush()); err != nil {
		return err
	}
	if err := to.publish(); err != nil {
		return err
	}
	a.status = statusOfCopy(m)
	return a.publish(cmd, s, func(words) document {
		return document{text: func(w sheet) { writeRedaction(w, flags.out, m) }, data: m}
	})
}

// compiled compiles the user's expressions. One that matches the empty text would take out everything.
func compiled(texts []string) ([]*regexp.Regexp, error) {
	var all []*regexp.Regexp
	for _, text := range texts {
		rx, err := regexp.Compile(text)
		if err != nil {
			return nil, fmt.Errorf("--pattern %s: %w", quote(text), err)
		}
		if rx.MatchString("") {
			return nil, fmt.Errorf("--pattern %s matches the empty text, so everything", quote(text))
		}
		all = append(all, rx)
	}
	return all, nil
}

// writeRedaction says what was done, for the ticket.
func writeRedaction(w sheet, out string, m *redact.Manifest) {
	fmt.Fprintf(w, "%s: %s, layout %s\n", out, plural(m.Files, "file"), m.Layout)
	var rows [][]string
	for _, r := range m.Removed {
		rows = append(rows, []string{fmt.Sprint(r.Count), r.What})
	}
	section(w, "Taken out", rows)
	rows = nil
	for _, l := range m.LeftOut {
		rows = append(rows, []string{fmt.Sprint(l.Files), l.Reason + ": " + someNames(l)})
	}
	section(w, "Files left out", rows)
	rows = nil
	for i, p := range m.Problems {
		if i == maxShown {
			rows = append(rows, []string{"", fmt.Sprintf("and %d more, in redaction.json", len(m.Problems)-i)})
			break
		}
		rows = append(rows, []string{p.File, p.Message})
	}
	section(w, "Could not be read in the bundle either; the copy says so", rows)
	fmt.Fprintln(w, "\nLook at the copy before you pass it on: a secret that is a name, or an argument of no known form, is still there.")
}

func section(w sheet, title string, rows [][]string) {
	if len(rows) > 0 {
		fmt.Fprintf(w, "\n%s\n", title)
		w.table("  ", nil, rows)
	}
}

// maxShown bounds what is named for one reason; redaction.json has more.
const maxShown = 5

func someNames(l redact.LeftOut) string {
	var short []string
	for _, name := range l.Names[:min(len(l.Names), maxShown)] {
		short = append(short, lastSteps(name))
	}
	text := strings.Join(short, ", ")
	switch rest := l.Files - min(len(l.Names), maxShown); {
	case rest == 0:
	case l.Files > len(l.Names):
		text += fmt.Sprintf(" and %d more, in redaction.json the first %d of all", rest, len(l.Names))
	default:
		text += fmt.Sprintf(" and %d more, in redaction.json", rest)
	}
	return text
}

// lastSteps gives the end of a long path, which tells files apart; redaction.json has it whole.
func lastSteps(name string) string {
	steps := strings.Split(name, "/")
	if len(name) <= maxPath || len(steps) < 3 {
		return name
	}
	return "…/" + strings.Join(steps[len(steps)-2:], "/")
}

// maxPath is how long a path is shown whole.
const maxPath = 60

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
