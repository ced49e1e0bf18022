package redact

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// file writes the copy of one file, piece by piece.
type file struct {
	run      *run
	patterns patterns
	// name is the path in the copy, original that in the bundle.
	name, original string
	to             *blob
	counts         map[string]int
	// pieces counts what was written.
	pieces int
	// list is the list that is being written.
	list list
	// table is the present table.
	table table
}

// list is the state of a list whose items are written one by one.
type list struct {
	json, bare bool
	items      int
}

func (f *file) count(what string) { f.counts[what]++ }

// quiet gives a file that shares the patterns and counts nothing: what happens within a value is one thing.
func (f *file) quiet() *file { return &file{patterns: f.patterns, counts: map[string]int{}} }

// Piece implements bundle.FileCopy.
func (f *file) Piece(p bundle.Piece) {
	if f.table.open && p.Kind != bundle.PieceRow && p.Kind != bundle.PieceNote {
		f.write("\n") // a blank line ends a table
		f.table = table{}
	}
	switch p.Kind {
	case bundle.PieceObject:
		f.object(p)
	case bundle.PieceListStart:
		f.listStart(p)
	case bundle.PieceItem:
		f.item(p)
	case bundle.PieceListEnd:
		f.listEnd(p)
	case bundle.PieceDescribe:
		f.describe(p)
	case bundle.PieceTable, bundle.PieceRow:
		f.tableLine(p)
	case bundle.PieceNote:
		f.note(p)
	case bundle.PieceCommand:
		f.command(p)
	case bundle.PieceVersion:
		f.write(strings.Join(p.Lines, "\n") + "\n")
	case bundle.PieceManifest:
		f.whole(p, manifest)
	case bundle.PieceRefusals:
		f.whole(p, texts)
	}
}

// Skipped implements bundle.FileCopy.
func (f *file) Skipped(lines int) { f.counts[ofLines] += lines }

// End implements bundle.FileCopy.
func (f *file) End(failed bool) { f.run.end(f, failed) }

func (f *file) write(s string) {
	f.pieces++
	f.to.write(s)
}

// object writes an object, a list that came as a whole, or a version.
func (f *file) object(p bundle.Piece) {
	v, ok := f.redacted(p)
	if !ok {
		return
	}
	if p.Text.Format == kube.JSON {
		f.write(f.jsonOf(v, "", ""))
		return
	}
	text := f.yamlOf(v)
	if text == "" {
		return
	}
	f.write("---\n" + text)
	if p.Text.Truncated {
		// The reader must see that this object is cut off, too. It drops the line, which has no end, and marks the object.
		f.write(`cut: "`)
	}
}

// redacted decodes an object and takes out what must go. What cannot be decoded stays out.
func (f *file) redacted(p bundle.Piece) (any, bool) {
	v, err := kube.Generic(p.Text)
	m, isMap := v.(map[string]any)
	list, isList := v.([]any)
	switch {
	case err == nil && isMap:
		return f.any(m, p.Hint), true
	case err == nil && isList:
		kept := f.all(list, p.Hint)
		return kept, len(kept) > 0
	}
	f.count(ofUnclear)
	return nil, false
}

// any takes out what must go of an object, of a list or of what tells a version.
func (f *file) any(m map[string]any, hint string) any {
	if items, of, ok := kube.ItemsOf(m, hint); ok {
		frame := fields{"apiVersion": name, "kind": name, "metadata": listMeta.of}.of(f, withoutItems(m)).(map[string]any)
		frame["items"] = f.all(items, of)
		return frame
	}
	apiVersion, kind := kube.KindOf(m, hint)
	switch {
	case kind == "Status":
		return refusal.of(f, m)
	case m["kind"] == nil && (m["serverVersion"] != nil || m["info"] != nil || m["gitVersion"] != nil):
		return versions.of(f, m)
	case kube.Known(apiVersion, kind) && kinds[kind] != nil:
		return kinds[kind](f, m)
	}
	f.count(ofKinds)
	return identity.of(f.quiet(), m)
}

var listMeta = fields{"resourceVersion": name, "continue": dropped(ofFields), "remainingItemCount": plain}

func withoutItems(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		if k != "items" {
			out[k] = v
		}
	}
	return out
}

// all takes out what must go of the items of a list. Items that are no objects say nothing.
func (f *file) all(items []any, hint string) []any {
	out := make([]any, 0, len(items))
	for _, item := range items {
		m, _ := item.(map[string]any)
		if m["metadata"] == nil && m["kind"] == nil {
			f.Skipped(1)
			continue
		}
		out = append(out, f.any(m, hint))
	}
	return out
}

// yamlOf writes YAML as kubectl does, by way of JSON. Characters that YAML cannot hold as such are escaped on the way.
func (f *file) yamlOf(v any) string {
	text, err := jsonText(v, "")
	if err == nil {
		text, err = yaml.JSONToYAML(escaped(text))
	}
	if err != nil {
		f.count(ofUnclear)
		return ""
	}
	return string(text)
}

// escaped gives JSON without the characters that a YAML reader refuses.
func escaped(text []byte) []byte {
	refused := func(r rune) bool {
		return r >= 0x7f && r < 0xa0 && r != 0x85 || r == 0xfeff || r == 0xfffe || r == 0xffff
	}
	if !bytes.ContainsFunc(text, refused) {
		return text
	}
	out := make([]byte, 0, len(text)+16)
	for _, r := range string(text) {
		if refused(r) {
			out = fmt.Appendf(out, "\\u%04x", r)
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// jsonOf writes JSON with four columns a level, below others.
func (f *file) jsonOf(v any, prefix, end string) string {
	b, err := jsonText(v, "    ")
	if err != nil {
		f.count(ofUnclear)
		return ""
	}
	text := strings.TrimSuffix(string(b), "\n")
	return prefix + strings.ReplaceAll(text, "\n", "\n"+prefix) + end + "\n"
}
