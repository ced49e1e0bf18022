package main

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// ownName is what the program is called when it is not started as a plugin.
const ownName = "analyze"

// pluginPrefix begins the file name of every plugin of kubectl: kubectl-sidecar_must_gather is run by
// `kubectl sidecar_must_gather` (and by `kubectl sidecar-must-gather`, as kubectl takes either for the other).
const pluginPrefix = "kubectl-"

// programName is what a person typed to get here, told from the path that the process was started by.
func programName(argv0 string) string {
	file := filepath.Base(argv0)
	if ext := filepath.Ext(file); strings.EqualFold(ext, ".exe") {
		file = strings.TrimSuffix(file, ext)
	}
	if plugin, ok := strings.CutPrefix(file, pluginPrefix); ok && plugin != "" {
		return "kubectl " + strings.ReplaceAll(plugin, "-", " ")
	}
	return ownName
}

// name is the program's name in what it says about itself.
func (a *app) name() string {
	if a.Name == "" {
		return ownName
	}
	return a.Name
}

// ownWord finds the program's name in help texts. Where they mean the verb they write a capital letter.
var ownWord = regexp.MustCompile(`\b` + ownName + `\b`)

// answerTo makes help, usage and examples show the name that the program was started by.
func answerTo(root *cobra.Command, name string) {
	if name == ownName {
		return
	}
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: name}
	rename(root, name)
}

func rename(cmd *cobra.Command, name string) {
	cmd.Long = ownWord.ReplaceAllLiteralString(cmd.Long, name)
	cmd.Example = ownWord.ReplaceAllLiteralString(cmd.Example, name)
	for _, c := range cmd.Commands() {
		rename(c, name)
	}
}
