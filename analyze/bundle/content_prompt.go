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

// A prompt may stand before any command, or only before one that calls kubectl.
var (
	// PS C:\Users\x> and C:\>
	windowsPrompt = regexp.MustCompile(`^(?:PS )?[A-Z]:\\[^>\n]*> ?`)
	// user@host:~/dir$ and [user@host dir]$
	userPrompt = regexp.MustCompile(`^(?:\([^()\n]*\) ?)?\[?[A-Za-z0-9._-]+@[A-Za-z0-9._-]+(?:[: ][^\]$#%\n]*)?\]?[$#%](?: |$)`)
	// what stands before a command that is ours
	beforeCommand = []*regexp.Regexp{
		// anything short that ends in a prompt sign
		regexp.MustCompile(`^[^\n]{0,80}?(?:[$#>%❯➜»λ✗▶⚡🚀░] +|[$#%])` + kubectlCommand),
		// a prompt sign before the folder, as themes of zsh have it
		regexp.MustCompile(`^[^\n]{0,60}?[❯➜»λ] +[^\n]{0,60}? ` + kubectlCommand),
		// set -x
		regexp.MustCompile(`^\+{1,3} ` + kubectlCommand),
		// nothing, a number or a backquote, as pages give commands; then the verb tells a command from a sentence
		regexp.MustCompile("^(?:[0-9]+[.)] +|[-*] +|#+ +)?[`*]{0,3}" + kubectlCommand + `(?:-\S+ +(?:[a-z0-9][\w.:/-]* +)?)*` +
			`(?:get|describe|logs?|top|version|apply|create|delete|edit|exec|explain|patch|rollout|wait|cluster-info)(?:[ ` + "`*]|$)"),
	}
)

var ownCommand = regexp.MustCompile(kubectlCommand)

// prompt says whether a line is a shell's prompt, or a command as pages give it, and gives the command. Most lines of most
// texts are none, and a look at their bytes tells.
func prompt(line []byte) (command string, ok bool) {
	if bytes.HasPrefix(line, []byte(" $ ")) { // some have a blank before it
		line = line[1:]
	}
	if len(line) == 0 || line[0] == ' ' || len(line) > 4096 {
		return "", false
	}
	head := line[:min(len(line), 256)]
	if bytes.Contains(head[:min(len(head), 8)], []byte(`:\`)) {
		if m := windowsPrompt.FindIndex(line); m != nil {
			return strings.TrimSpace(string(line[m[1]:])), true
		}
	}
	if bytes.IndexByte(head, '@') >= 0 {
		if m := userPrompt.FindIndex(line); m != nil {
			return strings.TrimSpace(string(line[m[1]:])), true
		}
	}
	if !namesKubectl(head) {
		return "", false
	}
	for _, rx := range beforeCommand {
		if rx.Match(line) {
			return strings.Trim(string(line[ownCommand.FindIndex(line)[0]:]), "`* "), true
		}
	}
	return "", false
}

// namesKubectl says that a line may hold kubectlCommand. The short names stand by themselves, as words may end in them.
func namesKubectl(line []byte) bool {
	if bytes.Contains(line, []byte("ctl")) || bytes.Contains(line, []byte("kubecolor")) {
		return true
	}
	for _, name := range shortNames {
		for from := 0; ; {
			at := bytes.Index(line[from:], name)
			if at < 0 {
				break
			}
			at += from
			from = at + len(name)
			if (at == 0 || bytes.IndexByte([]byte(" /`"), line[at-1]) >= 0) && (from == len(line) || line[from] == ' ') {
				return true
			}
		}
	}
	return false
}

var shortNames = [][]byte{[]byte("oc"), []byte("k"), []byte("kc")}

// freeText lists the verbs whose output is a container's or a person's text. Whatever it looks like, it is no object.
var freeText = []string{"logs", "log", "exec", "attach", "run", "debug", "port-forward", "proxy", "cp", "rsh", "rsync",
	"explain", "config", "edit", "completion", "plugin"}

// valueFlags take their value as the next word.
var valueFlags = []string{"-n", "--namespace", "--context", "--kubeconfig", "--cluster", "--user", "-s", "--server", "--as", "--token",
	"-i", "--istioNamespace"} // of istioctl

// readCommand takes in a prompt line. The output of a command that prints text of containers is skipped up to the next
// prompt.
func (c *content) readCommand(command string) {
	c.session = true
	c.namespace = ""
	c.w.skipLine()
	if m := calledKubectl.FindStringSubmatchIndex(command); m != nil { // behind another program: time, watch, ssh, cd x &&
		command = command[m[2]:]
	}
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
	if slices.Contains(freeText, verb) || !ours(program, verb) {
		c.emit(Piece{Kind: PieceCommand, What: "kubectl " + notReadVerb(verb)})
		c.skipOutput()
		return
	}
	c.emit(Piece{Kind: PieceCommand, Lines: []string{command}})
}

// calledKubectl finds where a command calls kubectl by its full name.
var calledKubectl = regexp.MustCompile(`(?:^|[\s;&|(!])((?:\S*[\\/])?(?:kubectl|oc)(?:\.exe)? )`)

// split gives the program of a command, without its folder and what stands before it, and the words behind it.
func split(command string) (program string, words []string) {
	words = strings.Fields(command)
	for len(words) > 0 {
		w := words[0]
		program = strings.TrimSuffix(strings.ToLower(w[strings.LastIndexAny(w, `/\\`)+1:]), ".exe")
		words = words[1:]
		switch {
		case program == "microk8s.kubectl":
			return "kubectl", words
		case w != "sudo" && !assignment.MatchString(w):
			return program, words
		}
	}
	return "", nil
}

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

// ours says whether a program prints what is read here. Of istioctl that is what it says of versions.
func ours(program, verb string) bool {
	switch program {
	case "istioctl":
		return verb == "version"
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
