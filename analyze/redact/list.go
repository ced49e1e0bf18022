package redact

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Lists are written item by item, in the order of keys that they came in: what stood before the items still does.

// jsonItems is how far the items of a list in JSON are indented.
const jsonItems = "        "

func (f *file) listStart(p bundle.Piece) {
	f.list = list{json: p.Text.Format == kube.JSON, bare: p.Bare}
	switch {
	case p.Bare: // it is nothing until it has an item
	case f.list.json:
		head := "{\n"
		for _, member := range [][2]string{{"kind", p.What}, {"apiVersion", p.APIVersion}} {
			if member[1] != "" && shortName(member[1]) {
				head += `    "` + member[0] + `": "` + member[1] + "\",\n"
			}
		}
		f.write(head + `    "items": [` + "\n")
	default:
		f.write("---\n" + f.frame(p.Text) + "items:\n")
	}
}

// separator is what stands before the next item.
func (f *file) separator() string {
	switch first := f.list.items == 0; {
	case first && f.list.bare && f.list.json:
		return "[\n"
	case first && f.list.bare:
		return "---\n"
	case !first && f.list.json:
		return ",\n"
	}
	return ""
}

func (f *file) item(p bundle.Piece) {
	v, ok := f.redacted(p)
	if !ok {
		return
	}
	var text string
	if f.list.json {
		text = strings.TrimSuffix(f.jsonOf(v, jsonItems, ""), "\n")
	} else if text = f.yamlOf(v); text != "" {
		text = "- " + strings.TrimSuffix(strings.ReplaceAll(text, "\n", "\n  "), "  ")
	}
	if text != "" {
		f.write(f.separator() + text)
		f.list.items++
	}
}

func (f *file) listEnd(p bundle.Piece) {
	switch {
	case f.list.bare && f.list.items == 0:
	case f.list.json && f.list.bare:
		f.write("\n]\n")
	case f.list.json:
		f.write("\n    ]\n}\n")
	case !f.list.bare:
		f.write(f.tail(p.Text))
	}
	f.list = list{}
}

// frame writes what stands before the items of a list in YAML, without "items:" itself.
func (f *file) frame(t kube.Text) string {
	m := frameOf(t)
	if m == nil {
		return ""
	}
	return f.yamlOf(m)
}

// tail writes what stands behind them: the kind, where it does not stand before. A list without its kind counts as cut
// off; that this one was is told by the manifest.
func (f *file) tail(t kube.Text) string {
	behind := t
	if i := strings.Index("\n"+string(t.Raw), "\nitems:"); i >= 0 {
		behind.Raw = t.Raw[i:]
		before := t
		before.Raw = t.Raw[:i]
		if m := frameOf(before); m["kind"] != nil {
			return ""
		}
	}
	m := frameOf(behind)
	if m["kind"] == nil {
		m = map[string]any{"kind": "List"}
	}
	return f.yamlOf(m)
}

// frameOf reads the members of a list beside its items.
func frameOf(t kube.Text) map[string]any {
	v, err := kube.Generic(t)
	m, ok := v.(map[string]any)
	if err != nil || !ok {
		return nil
	}
	out := map[string]any{}
	for _, key := range []string{"apiVersion", "kind"} {
		if s, ok := m[key].(string); ok && shortName(s) {
			out[key] = s
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
