package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules/data"
)

// inShell is what a hostile name has in it: where it stands outside of single quotes, a shell runs it.
const inShell = "$(touch /tmp/seen);'"

// TestCommandsInAShell: every command that a report or a plan prints, for every stored input and for the same with hostile
// names, is one that a shell takes as a whole, with each name as a word.
func TestCommandsInAShell(t *testing.T) {
	base, err := knowledge.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range storedInputs(t) {
		t.Run(in.name, func(t *testing.T) {
			t.Parallel()
			checkCommands(t, base, inputOf(t, in.dir))
			hostile := inputOf(t, in.dir)
			if rewrite(t, hostile, hostileNames) {
				checkCommands(t, base, hostile)
			}
		})
	}
}

// hostileNames appends inShell to the names in objects, but for those by which Istio's own are known.
func hostileNames(objects []json.RawMessage) []byte {
	named := map[string]bool{"name": true, "namespace": true, "nodeName": true, "host": true}
	var rename func(key string, v any) any
	rename = func(key string, v any) any {
		switch v := v.(type) {
		case map[string]any:
			for k := range v {
				v[k] = rename(k, v[k])
			}
		case []any:
			for i := range v {
				v[i] = rename(key, v[i])
			}
		case string:
			if named[key] && !strings.Contains(v, "istio") && v == strings.ToLower(v) {
				return v + inShell
			}
		}
		return v
	}
	var out [][]byte
	for _, o := range objects {
		var v any
		if json.Unmarshal(o, &v) != nil {
			continue
		}
		if b, err := json.Marshal(rename("", v)); err == nil {
			out = append(out, b)
		}
	}
	return bytes.Join(out, []byte("\n---\n"))
}

func checkCommands(t *testing.T, base *knowledge.Base, dir string) {
	t.Helper()
	var all []string
	for _, c := range commandsFor(t, base, dir) {
		if bare := outsideQuotes(c); strings.Contains(bare, "touch") {
			t.Errorf("a shell runs a part of a name in\n%s", c)
			continue
		}
		all = append(all, c)
	}
	shell := exec.Command("sh", "-n")
	shell.Stdin = strings.NewReader(strings.Join(all, "\n"))
	if out, err := shell.CombinedOutput(); err != nil {
		t.Errorf("no command of a shell (%v): %s\n%s", err, out, strings.Join(all, "\n"))
	}
}

// outsideQuotes leaves out what stands between single quotes, and of an escaped character all but its backslash.
func outsideQuotes(command string) string {
	var out strings.Builder
	quoted, escaped := false, false
	for _, r := range command {
		switch {
		case escaped:
			escaped = false
		case r == '\'':
			quoted = !quoted
		case quoted:
		default:
			escaped = r == '\\'
			out.WriteRune(r)
		}
	}
	return out.String()
}

// commandsFor gives the commands in the report on a folder and in the plans for its workloads.
func commandsFor(t *testing.T, base *knowledge.Base, dir string) []string {
	t.Helper()
	e, o, english := openStored(t, base, dir)
	if o == nil {
		return nil
	}
	var out []string
	add := func(doc any) {
		text, err := json.Marshal(doc)
		var v any
		if err == nil {
			err = json.Unmarshal(text, &v)
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, commandsIn("", v)...)
	}
	add(rules.Engine().Run(o.cluster, base, e.reportOptions()))
	for _, w := range o.cluster.Workloads {
		add(planOf(english, rules.Fix(o.cluster, base, w, e.stored(t.Context(), dir))))
	}
	return out
}

// commandsIn finds commands by the fields that hold them: whole, or behind the first line of a step.
func commandsIn(key string, v any) []string {
	var out []string
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			out = append(out, commandsIn(k, v[k])...)
		}
	case []any:
		for i := range v {
			out = append(out, commandsIn(key, v[i])...)
		}
	case string:
		switch key {
		case "command", "commands":
			return []string{v}
		case "steps", "verify", "rollback", "avoid":
			if _, commands, more := strings.Cut(v, "\n"); more {
				return []string{commands}
			}
		}
	}
	return out
}

// TestCommandsOnPages: commands of kubectl and istioctl on pages can be pasted: a shell takes nothing of their paths.
func TestCommandsOnPages(t *testing.T) {
	n := 0
	for name, text := range docPages(t) {
		for line := range strings.Lines(text) {
			command, indented := strings.CutPrefix(line, "    ")
			if !indented || !strings.HasPrefix(command, "kubectl ") && !strings.HasPrefix(command, "istioctl ") && !strings.HasPrefix(strings.TrimSpace(command), "-o ") {
				continue
			}
			n++
			bare, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(command), `\`), " #")
			if at := strings.IndexAny(outsideQuotes(bare), `[]{}()*\`); at >= 0 {
				t.Errorf("%s: a shell takes a part of this for its own: %s", name, command)
			}
		}
	}
	if n < 50 {
		t.Errorf("%d commands found", n)
	}
}
