package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render"
)

// app is one run of the program.
type app struct {
	IO
	global globalFlags
	// status is the exit status of a command that ended without an error.
	status exitCode
}

// Main runs the program with the arguments behind its name and gives the exit status.
func Main(ctx context.Context, args []string, stdio IO) (status int) {
	a := &app{IO: stdio}
	defer func() {
		if r := recover(); r != nil {
			a.reportBug(r)
			status = int(exitUsage)
		}
	}()
	root := a.rootCommand()
	root.SetArgs(args)
	if err := root.ExecuteContext(ctx); err != nil {
		a.printError(err)
		return int(codeOf(err))
	}
	return int(a.status)
}

// complain writes an error to the terminal. It may name what stands in the bundle, so it is escaped like a report.
func (a *app) complain(err error) {
	fmt.Fprintf(a.Stderr, "%s: %s\n", a.name(), render.Lines(err.Error()))
}

// printError writes an error with what to do next. A usage error points to the help of the command.
func (a *app) printError(err error) {
	a.complain(err)
	var usage *usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(a.Stderr, "Run '%s --help' for usage.\n", usage.command)
	}
}

// reportBug says that the program is at fault. The value of a panic may quote the bundle, which its owner may not want
// in a public report: only the Go runtime's own errors, which quote nothing, are printed, and the stack, which holds
// function names and lines.
func (a *app) reportBug(value any) {
	fmt.Fprintln(a.Stderr, "analyze: stopped on a bug of its own; nothing is known about the bundle's Jobs.")
	fmt.Fprintln(a.Stderr, "Please report the lines below; they hold nothing from the bundle.")
	if err, ok := value.(runtime.Error); ok {
		fmt.Fprintln(a.Stderr, err.Error())
	} else {
		fmt.Fprintf(a.Stderr, "panic with a %T\n", value)
	}
	fmt.Fprintf(a.Stderr, "version %s, %s %s/%s\n%s", a.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, debug.Stack())
}

// rootCommand assembles the commands. Analyzing is the root itself: `analyze ticket.tgz`.
func (a *app) rootCommand() *cobra.Command {
	root := a.analyzeCommand()
	root.AddCommand(
		a.demoCommand(),
		a.explainCommand(),
		a.predictCommand(),
		a.compareCommand(),
		a.fixCommand(),
		a.rulesCommand(),
		a.versionsCommand(),
		a.convertCommand(),
		a.redactCommand(),
		a.lintDataCommand(),
		a.collectScriptCommand(),
		a.versionCommand(),
	)
	answerTo(root, a.name())
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(usage)
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		a.fitFlags(root, cmd, cmd.Name())
		for _, sub := range cmd.Commands() {
			a.fitFlags(root, sub, cmd.Name())
		}
	}
	return root
}
