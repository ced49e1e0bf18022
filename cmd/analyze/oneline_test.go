package main

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules/data"
)

// onOneLine are ways to write objects on one line each, as jq -c does, or all on one: as kubectl get --raw, and as YAML in
// flow style.
var onOneLine = map[string]func(objects []json.RawMessage) []byte{
	"documents": func(objects []json.RawMessage) []byte { return bytes.Join(texts(objects), []byte("\n")) },
	"list": func(objects []json.RawMessage) []byte {
		return list(`{"apiVersion":"v1","kind":"List","items":[`, objects, "]}")
	},
	"flow": func(objects []json.RawMessage) []byte {
		return list("apiVersion: v1\nkind: List\nitems: [", objects, "]\n")
	},
}

func texts(objects []json.RawMessage) (out [][]byte) {
	for _, o := range objects {
		out = append(out, o)
	}
	return out
}

func list(before string, objects []json.RawMessage, after string) []byte {
	return []byte(before + string(bytes.Join(texts(objects), []byte(", "))) + after)
}

// TestPlanFromOneLine: a plan goes by what the objects say and who they are, never by where they stand.
func TestPlanFromOneLine(t *testing.T) {
	base, err := knowledge.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range storedInputs(t) {
		t.Run(in.name, func(t *testing.T) {
			t.Parallel()
			want := plansOf(t, base, inputOf(t, in.dir))
			for way, write := range onOneLine {
				again := inputOf(t, in.dir)
				if !rewrite(t, again, write) {
					continue
				}
				got := plansOf(t, base, again)
				for name, plan := range want {
					if got[name] != plan {
						t.Errorf("%s: the plan for %s is another one:\n%s\nwas\n%s", way, name, got[name], plan)
					}
				}
			}
		})
	}
}

// openStored reads a folder whole, for what is said of it in English; without a bundle where nothing of it can be read.
func openStored(t *testing.T, base *knowledge.Base, dir string) (*engine, *opened, words) {
	t.Helper()
	e := &engine{app: &app{}, base: base, whole: true}
	o, err := e.open(t.Context(), dir, nil)
	if err != nil {
		return e, nil, nil
	}
	english, err := wordsOf("en")
	if err != nil {
		t.Fatal(err)
	}
	return e, o, english
}

// plansOf gives the plan for each workload of a bundle.
func plansOf(t *testing.T, base *knowledge.Base, dir string) map[string]string {
	t.Helper()
	e, o, english := openStored(t, base, dir)
	if o == nil {
		return nil
	}
	out := map[string]string{}
	for _, w := range o.cluster.Workloads {
		var text bytes.Buffer
		planOf(english, rules.Fix(o.cluster, base, w, e.stored(t.Context(), dir))).write(newSheet(&text, 0), english)
		out[w.Ref.String()] = text.String()
	}
	return out
}

// rewrite writes the files of a folder that hold objects, and nothing else, in another way.
func rewrite(t *testing.T, dir string, write func([]json.RawMessage) []byte) (any bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		objects := objectsIn(filepath.Ext(path), text)
		if objects == nil {
			return nil
		}
		any = true
		return os.WriteFile(path, write(objects), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return any
}

// objectsIn gives the objects of a file as compact JSON, nil where it has anything else.
func objectsIn(ext string, text []byte) []json.RawMessage {
	var documents []json.RawMessage
	switch ext {
	case ".yaml", ".yml":
		for _, part := range strings.Split("\n"+string(text), "\n---") {
			if strings.TrimSpace(part) == "" {
				continue
			}
			doc, err := yaml.YAMLToJSONStrict([]byte(part))
			if err != nil {
				return nil
			}
			documents = append(documents, doc)
		}
	case ".json":
		for d := json.NewDecoder(bytes.NewReader(text)); ; {
			var doc json.RawMessage
			if err := d.Decode(&doc); err == io.EOF {
				break
			} else if err != nil {
				return nil
			}
			documents = append(documents, doc)
		}
	}
	var all []json.RawMessage
	for _, doc := range documents {
		var list struct {
			Kind     string            `json:"kind"`
			Metadata json.RawMessage   `json:"metadata"`
			Items    []json.RawMessage `json:"items"`
		}
		if json.Unmarshal(doc, &list) != nil || list.Kind == "" || list.Items == nil && list.Metadata == nil || list.Items != nil && list.Kind != "List" {
			return nil
		}
		if list.Items == nil {
			list.Items = []json.RawMessage{doc}
		}
		for _, item := range list.Items {
			var b bytes.Buffer
			if json.Compact(&b, item) != nil {
				return nil
			}
			all = append(all, b.Bytes())
		}
	}
	return all
}
