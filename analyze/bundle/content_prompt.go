package bundle

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// kubectlCommand is the beginning of a command that calls kubectl, under whatever name and through whatever wrapper.
const kubectlCommand = `(?:[A-Za-z_][A-Za-z0-9_]*=\S* +)*(?:sudo +)?(?:\S*[\\/])?` +
	`(?:(?:microk8s[. ]|k3s |k0s |rke2 |minikube )?kubectl|kubecolor|oc|k|kc|kctl|istioctl)(?:\.exe)?(?: |$)`

// The prompts of the shells that people paste from, each up to the command; and how pages give a command without one.
var prompts = []*regexp.Regexp{
	// PS C:\Users\x> and C:\>
	regexp.MustCompile(`^(?:PS )?[A-Z]:\\[^>\n]*> ?`),
	// user@host:~/dir$ and [user@host dir]$
	regexp.MustCompile(`^(?:\([^()\n]*\) ?)?\[?[A-Za-z0-9._-]+@[A-Za-z0-9._-]+(?:[: ][^\]$#%\n]*)?\]?[$#%](?: |$)`),
	// anything short that ends in a prompt sign, before a command that is ours
	regexp.MustCompile(`^[^\n]{0,60}?[$#>%❯➜»λ✗] +` + kubectlCommand),
	// a prompt sign before the folder, as themes of zsh have it
	regexp.MustCompile(`^[❯➜»λ] +[^\n]{0,60}? ` + kubectlCommand),
	// set -x
	regexp.MustCompile(`^\+{1,3} ` + kubectlCommand),
	// a command alone: behind a number, in backquotes, or as it was typed
	regexp.MustCompile("^(?:[0-9]+[.)] +|[-*] +|#+ +)?[`*]{0,3}" + kubectlCommand + `(?:-\S+ +(?:[a-z0-9][\w.:/-]* +)?)*` +
		`(?:get|describe|logs?|top|version|apply|create|delete|edit|exec|explain|patch|rollout|wait|cluster-info)(?:[ ` + "`*]|$)"),
}

var ownCommand = regexp.MustCompile(kubectlCommand)

// promptSigns are what prompts have, and what commands without one have instead.
const promptSigns = "$#%>+❯➜»λ"

// prompt says whether a line is a shell's prompt, or a command as pages give it, and gives the command.
func prompt(line []byte) (command string, ok bool) {
	if len(line) == 0 || line[0] == ' ' || len(line) > 4096 {
		return "", false
	}
	head := line[:min(len(line), 256)]
	if !bytes.ContainsAny(head, promptSigns) && !bytes.Contains(head, []byte("kubectl")) && !bytes.HasPrefix(head, []byte("oc ")) && !bytes.HasPrefix(head, []byte("k ")) {
		return "", false
	}
	for i, rx := range prompts {
		m := rx.FindIndex(line)
		if m == nil {
			continue
		}
		if i >= 2 {
			return strings.Trim(string(line[ownCommand.FindIndex(line)[0]:]), "`* "), true
		}
		return strings.TrimSpace(string(line[m[1]:])), true
	}
	return "", false
}

// freeText lists the verbs whose output is a container's or a person's text. Whatever it looks like, it is no object.
var freeText = []string{"logs", "log", "exec", "attach", "run", "debug", "port-forward", "proxy", "cp", "rsh", "rsync",
	"explain", "config", "edit", "completion", "plugin"}

// valueFlags take their value as the next word.
var valueFlags = []string{"-n", "--namespace", "--context", "--kubeconfig", "--cluster", "--user", "-s", "--server", "--as", "--token"}

// readCommand takes in a prompt line. The output of a command that prints text of containers is skipped up to the next
// prompt.
func (c *content) readCommand(command string) {
	c.session = true
	c.namespace = ""
	c.w.skipLine()
	program, words := split(command)
	verb := ""
	for i := 0; i < len(words); i++ {
		w := words[i]
		name, value, joined := strings.Cut(w, "=")
		if !joined && slices.Contains(valueFlags, w) && i+1 < len(words) {
			value = words[i+1]
			i++
		}
		if name == "-n" || name == "--namespace" {
			c.namespace = value
		}
		if verb == "" && !strings.HasPrefix(w, "-") && value == "" {
			verb = w
		}
	}
	if slices.Contains(freeText, verb) || !ours(program) {
		c.emit(Piece{Kind: PieceCommand, What: "kubectl " + notReadVerb(verb)})
		c.skipOutput()
		return
	}
	c.emit(Piece{Kind: PieceCommand, Lines: []string{command}})
}

// split gives the program of a command, without its folder and what it is called through, and the words behind it.
func split(command string) (program string, words []string) {
	words = strings.Fields(command)
	for len(words) > 0 {
		w := words[0]
		program = strings.TrimSuffix(strings.ToLower(w[strings.LastIndexAny(w, `/\\`)+1:]), ".exe")
		words = words[1:]
		wrapped := len(words) > 0 && words[0] == "kubectl"
		switch {
		case program == "microk8s.kubectl":
			return "kubectl", words
		case w == "sudo", assignment.MatchString(w), wrapped && slices.Contains(wrappers, program):
			continue
		}
		return program, words
	}
	return "", nil
}

// wrappers bring a kubectl of their own.
var wrappers = []string{"microk8s", "k3s", "k0s", "rke2", "minikube"}

var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// notReadVerb is the verb that stands in a copy for a command whose output is not read.
func notReadVerb(verb string) string {
	if slices.Contains(freeText, verb) {
		return verb
	}
	return freeText[0]
}

// aliases are the short names that people give to kubectl, and to its get and describe.
var aliases = regexp.MustCompile(`^k(?:c|k|ctl|cl|[gd][a-z]{0,6})?$`)

// ours says whether a program prints what is read here.
func ours(program string) bool {
	switch program {
	case "kubectl", "kubecolor", "oc", "cat", "less", "more", "head", "tail", "jq", "yq", "type", "get-content":
		return true
	}
	return aliases.MatchString(program)
}

// skipOutput skips what a command printed: up to the next prompt, or to where the block of a page ends.
func (c *content) skipOutput() {
	fenced := false
	for begun := false; !c.w.done(); {
		line := c.w.head(lineHead)
		if _, ok := prompt(line); ok {
			return
		}
		switch mark := fence(line); {
		case mark && !begun:
			fenced = true
		case mark:
			if fenced {
				c.skipped()
			}
			return
		}
		begun = begun || len(line) > 0
		c.skipped()
	}
}

// fences are what pages have around what was printed: Markdown, HTML, Jira.
var fences = []string{"```", "~~~", "<pre", "</pre", "<code", "</code", "<details", "</details", "{code", "{noformat"}

// fence says whether a line is the mark of a page where something printed begins or ends.
func fence(line []byte) bool {
	for _, f := range fences {
		if bytes.HasPrefix(line, []byte(f)) {
			return true
		}
	}
	return false
}
