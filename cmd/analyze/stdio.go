package main

import (
	"io"
	"os"
	"runtime/debug"
	"time"

	"golang.org/x/term"
)

// IO is everything the commands have from the process they run in. Tests hand in their own.
type IO struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Env gives an environment variable, empty when it is not set.
	Env func(string) string
	// Now is the wall clock. Only the progress display and `--at now` may ask it: a report has the bundle's time.
	Now func() time.Time
	// StdoutWidth is the terminal's width in columns, 0 when standard output is no terminal.
	StdoutWidth int
	// StderrIsTerminal allows a progress display.
	StderrIsTerminal bool
	// Version is the program's version as reports name it.
	Version string
	// Commit is what the program was built from; empty where that is not known.
	Commit string
	// Name is what the program was started as: analyze, or as a plugin of kubectl.
	Name string
}

// processIO takes all of it from the process.
func processIO() IO {
	return IO{
		Stdin:            os.Stdin,
		Stdout:           os.Stdout,
		Stderr:           os.Stderr,
		Env:              os.Getenv,
		Now:              time.Now,
		StdoutWidth:      terminalWidth(os.Stdout),
		StderrIsTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		Version:          buildVersion(),
		Commit:           buildCommit(),
		Name:             programName(os.Args[0]),
	}
}

// defaultWidth is for terminals that do not tell theirs.
const defaultWidth = 80

func terminalWidth(f *os.File) int {
	if !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		return defaultWidth
	}
	return width
}

// releaseVersion and releaseCommit are what the linker puts here for a release (-X main.releaseVersion=..., see
// scripts/release). Nothing else writes to them.
var releaseVersion, releaseCommit = "", ""

// buildVersion is that of the release, or what the Go toolchain stamped: the module's version of an installed binary, or
// one derived from the tag and commit of the checkout it was built in.
func buildVersion() string {
	if releaseVersion != "" {
		return releaseVersion
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// buildCommit is that of the release, or what the Go toolchain stamped, which it does for a binary that is built in a
// checkout.
func buildCommit() string {
	if releaseCommit != "" {
		return releaseCommit
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return stampedCommit(info.Settings)
}

// stampedCommit says too that the checkout was changed: then no commit has the source.
func stampedCommit(settings []debug.BuildSetting) string {
	stamp := map[string]string{}
	for _, s := range settings {
		stamp[s.Key] = s.Value
	}
	commit := stamp["vcs.revision"]
	if commit != "" && stamp["vcs.modified"] == "true" {
		commit += ", changed"
	}
	return commit
}
