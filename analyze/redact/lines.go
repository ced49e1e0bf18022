package redact

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Messages, and the files that are read as a whole.

// scrubbed gives a message without what in it has the form of a secret, and counts it.
func (f *file) scrubbed(text string) string {
	out, changed := f.patterns.scrub(text)
	if changed {
		what := ofForm
		if _, formed := (patterns{}).scrub(text); !formed {
			what = ofOwn
		}
		f.count(what)
	}
	return out
}

// otherNotes are beginnings of messages that say something and are of no class of their own. Anything may begin with
// "error: " or "Warning: ".
var otherNotes = []string{"No resources found", "Error from server"}

// note keeps what the API server and kubectl said, scrubbed.
func (f *file) note(p bundle.Piece) {
	line := p.Lines[0]
	known := p.What != "other" || strings.Contains(line, "unknown field")
	for _, begin := range otherNotes {
		known = known || strings.HasPrefix(line, begin)
	}
	if !known {
		f.count(ofMessages)
		return
	}
	f.write(f.scrubbed(line) + "\n")
}

// hasMark says that something was taken out of a text already.
func hasMark(s string) bool {
	return s == Mark || s == Mark+NoStop || strings.HasPrefix(s, Mark+" (mentions ")
}

// texts scrubs a list of messages, or one by namespace.
func texts(f *file, v any) any {
	switch v := v.(type) {
	case []any:
		return each(message)(f, v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, value := range v {
			out[k] = message(f, value)
		}
		return out
	}
	return gone{}
}

// collection is the collector's manifest. Its answers are refusals, which the analysis needs.
var collection = fields{
	"tool": name, "version": name, "schema": plain, "started": name, "finished": name, "arguments": arguments,
	"context": plain, "serverVersion": name, "redaction": plain, "interrupted": plain,
	"missing": each(message), "permissions": plain, "steps": each(fields{"id": plain, "command": command, "exit": plain,
		"seconds": plain, "bytes": plain, "items": plain, "files": plain, "errorClass": name, "note": message, "stderr": message}.of),
}

// manifest is that of the collector, which says from now on that values were taken out.
func manifest(f *file, v any) any {
	m, ok := collection.of(f, v).(map[string]any)
	if !ok {
		return gone{}
	}
	m["redaction"] = true
	return m
}

// whole writes a JSON file that was read as a whole.
func (f *file) whole(p bundle.Piece, keep policy) {
	v, err := kube.Generic(kube.Text{Format: kube.JSON, Raw: []byte(p.Lines[0])})
	if err != nil {
		f.count(ofUnclear)
		return
	}
	if kept := keep(f, v); kept != (gone{}) {
		f.write(f.jsonOf(kept, "", ""))
	}
}
