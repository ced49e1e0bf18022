package main

import (
	"strings"
	"testing"
)

func TestProgramName(t *testing.T) {
	for argv0, want := range map[string]string{
		"analyze":                                     "analyze",
		"/opt/x/analyze-linux-amd64":                  "analyze",
		"kubectl-sidecar_must_gather":                 "kubectl sidecar_must_gather",
		"/root/.krew/bin/kubectl-sidecar_must_gather": "kubectl sidecar_must_gather",
		"kubectl-sidecar_must_gather.exe":             "kubectl sidecar_must_gather",
		"kubectl-sidecar_must_gather.EXE":             "kubectl sidecar_must_gather",
		"kubectl-sidecar-check":                       "kubectl sidecar check",
		"kubectl-":                                    "analyze",
		"":                                            "analyze",
	} {
		if got := programName(argv0); got != want {
			t.Errorf("started as %q: %q, want %q", argv0, got, want)
		}
	}
}

// Every help text of the plugin must be one that can be pasted behind a prompt: no other name of the program in it.
func TestHelpOfThePluginNamesThePlugin(t *testing.T) {
	const name = "kubectl sidecar_must_gather"
	a := &app{IO: IO{Name: name}}
	root := a.rootCommand()
	for _, cmd := range append(root.Commands(), root) {
		if cmd.Name() == "completion" {
			continue // its scripts complete the program called analyze, and say so
		}
		args := append(strings.Fields(cmd.CommandPath())[2:], "--help")
		got := runWith(IO{Name: name}, args...)
		if got.Exit != 0 {
			t.Errorf("%v: exit status %d: %s", args, got.Exit, got.Stderr)
		}
		if text := string(got.Stdout); !strings.Contains(text, name) || ownWord.MatchString(text) {
			t.Errorf("help of %s:\n%s", cmd.CommandPath(), text)
		}
	}
	got := runWith(IO{Name: name}, "missing.tgz")
	if !strings.HasPrefix(string(got.Stderr), name+": ") {
		t.Errorf("an error begins otherwise: %s", got.Stderr)
	}
}
