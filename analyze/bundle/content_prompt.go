package bundle

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// The prompts of the shells that people paste from. Each ends before the command.
var prompts = []*regexp.Regexp{
	// PS C:\Users\x> and C:\>
	regexp.MustCompile(`^(?:PS )?[A-Z]:\\[^>\n]*> ?`),
	// user@host:~/dir$ and [user@host dir]$
	regexp.MustCompile(`^(?:\([^()\n]*\) ?)?\[?[A-Za-z0-9._-]+@[A-Za-z0-9._-]+(?:[: ][^\]$#%\n]*)?\]?[$#%](?: |$)`),
	// anything short that ends in a prompt sign, before a command that is ours
	regexp.MustCompile(`^[^\n]{0,60}?[$#>%❯➜»] +(?:sudo )?(?:kubectl|oc|k|istioctl)(?: |$)`),
	// set -x
	regexp.MustCompile(`^\+{1,3} (?:kubectl|oc|k|istioctl) `),
}

var ownCommand = regexp.MustCompile(`(?:sudo )?(?:kubectl|oc|k|istioctl)(?: |$)`)

// prompt says whether a line is a shell's prompt, and gives the command behind it.
func prompt(line []byte) (command string, ok bool) {
	if len(line) == 0 || line[0] == ' ' || len(line) > 4096 || !bytes.ContainsAny(line[:min(len(line), 256)], "$#%>+❯➜»") {
		return "", false
	}
	for i, rx := range prompts {
		m := rx.FindIndex(line)
		if m == nil {
			continue
		}
		if i >= 2 {
			return string(line[ownCommand.FindIndex(line)[0]:]), true
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
	words := strings.Fields(command)
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
		if verb == "" && i > 0 && !strings.HasPrefix(w, "-") && value == "" && w != "kubectl" && w != "oc" && w != "k" {
			verb = w
		}
	}
	if len(words) == 0 || slices.Contains(freeText, verb) || !ours(words) {
		c.emit(Piece{Kind: PieceCommand, What: "kubectl " + notReadVerb(verb)})
		c.skipToPrompt()
		return
	}
	c.emit(Piece{Kind: PieceCommand, Lines: []string{command}})
}

// notReadVerb is the verb that stands in a copy for a command whose output is not read.
func notReadVerb(verb string) string {
	if slices.Contains(freeText, verb) {
		return verb
	}
	return freeText[0]
}

// ours says whether a command prints what is read here.
func ours(words []string) bool {
	for _, w := range words[:min(len(words), 2)] {
		switch w {
		case "kubectl", "oc", "k", "cat", "less", "more", "head", "tail", "jq", "yq", "type", "Get-Content":
			return true
		}
	}
	return false
}

func (c *content) skipToPrompt() {
	for !c.w.done() {
		if _, ok := prompt(c.w.head(lineHead)); ok {
			return
		}
		c.skipped()
	}
}

// readVersion keeps what kubectl version said of the API server in a session.
func (c *content) readVersion(line string) {
	v := serverVersion(line)
	c.recognised = true
	c.emit(Piece{Kind: PieceVersion, Lines: []string{"Server Version: " + v}})
	c.dst.Servers = append(c.dst.Servers, kube.ServerVersion{GitVersion: v, Evidence: evidence.Evidence{
		Field: "gitVersion", Value: v, File: c.name, Line: c.w.line, Strength: evidence.Text}})
	c.w.skipLine()
}
