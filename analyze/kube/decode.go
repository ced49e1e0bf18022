package kube

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
)

// Format is the notation of an object's text.
type Format int

// The notations that objects are read from.
const (
	YAML Format = iota
	JSON
)

// Text is the text of one object or document as the file has it.
type Text struct {
	Format Format
	// Raw is kept for finding lines when the object is kept; the caller must not change it afterwards.
	Raw []byte
	// Line is the line of the first byte of Raw, counting from 1.
	Line int
	// Gaps are the numbers of lines that were cut out of Raw, ascending: messages of kubectl amid its output.
	Gaps []int
	// Truncated says that the file ended within the text. Only a Pod is kept then, and marked.
	Truncated bool
}

// Decoder turns texts of single objects into a Set.
type Decoder struct {
	// File is the path within the bundle, for origins.
	File string
	// Set receives the objects.
	Set *Set
	// Strength is that of the objects' origins.
	Strength evidence.Strength
	// Report receives what could not be read, with a line of File. It costs nothing else.
	Report func(line int, message string)
}

// ErrNoObject says that a text is YAML or JSON, as nearly every text is, but no Kubernetes object.
var ErrNoObject = errors.New("no Kubernetes object")

// Object reads one document or one item of a list (with its dash, in YAML): an object, a list of objects, or what
// tells a server's version. The hint is the kind to assume for objects that name none; it may be empty. The error
// says why the text as a whole could not be read.
func (d *Decoder) Object(t Text, hint string) error {
	text := t.Raw
	if t.Format == YAML {
		var err error
		if text, err = d.yamlToJSON(t.Raw, t.Line); err != nil {
			return err
		}
	}
	text = bytes.TrimSpace(text)
	if t.Format == YAML && len(text) > 0 && text[0] == '[' && bytes.HasPrefix(bytes.TrimLeft(t.Raw, " "), []byte("-")) {
		c := cursor{b: text, i: 1}
		text = c.skip()
	}
	if t.Format == JSON {
		t.Line += newlines(t.Raw[:len(t.Raw)-len(bytes.TrimLeft(t.Raw, " \n\t\r"))])
		t.Raw = text
	}
	return d.document(text, t, hint)
}

// yamlToJSON converts one YAML document. Of a key set twice the last value is used, as kubectl does, and listed.
func (d *Decoder) yamlToJSON(raw []byte, line int) ([]byte, error) {
	text, err := yaml.YAMLToJSONStrict(raw)
	if err == nil {
		return text, nil
	}
	lax, laxErr := yaml.YAMLToJSON(raw)
	if laxErr != nil {
		return nil, fmt.Errorf("not readable as YAML: %s", oneLine(laxErr.Error()))
	}
	d.Report(line, "a key is set twice, the last value is used: "+oneLine(err.Error()))
	return lax, nil
}

// head is what tells an object from a list from a version document.
type head struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Items      json.RawMessage `json:"items"`
	versionHead
}

func (h head) isList() bool { return h.Kind == "" || strings.HasSuffix(h.Kind, "List") }

// document decodes a JSON text: the file's own, or the converted YAML.
func (d *Decoder) document(text []byte, src Text, hint string) error {
	if len(text) > 0 && text[0] == '[' {
		return d.jsonItems(cursor{b: text}, src, hint)
	}
	if len(text) == 0 || text[0] != '{' {
		return ErrNoObject
	}
	var h head
	if err := lenient(json.Unmarshal(text, &h)); err != nil {
		return fmt.Errorf("not readable as an object: %w", err)
	}
	switch {
	case h.version() != "" && h.Kind == "":
		d.server(h.version(), src)
		return nil
	case bytes.HasPrefix(h.Items, []byte("[")) && h.isList():
		if kind := strings.TrimSuffix(h.Kind, "List"); kind != "" {
			hint = kind
		}
		c := cursor{b: text}
		c.member("items")
		return d.jsonItems(c, src, hint)
	case h.Kind != "" && h.isList():
		return nil // items: null, which some writers use for an empty list
	}
	return d.object(text, src, h.APIVersion, h.Kind, hint)
}

// jsonItems decodes the items of the array at the cursor one by one, so that a broken one costs only itself. Items of
// a list that was YAML in flow style have no lines of their own.
func (d *Decoder) jsonItems(c cursor, src Text, hint string) error {
	line, counted := src.Line, 0
	c.i++
	for n := 1; ; n++ {
		c.space()
		if c.peek() == ']' || c.peek() == 0 {
			return nil
		}
		at := Text{Format: JSON, Line: src.Line, Gaps: src.Gaps}
		start := c.i
		item := c.skip()
		if src.Format == JSON {
			line += newlines(c.b[counted:start])
			counted = start
			at.Line, at.Raw = line, item
		}
		if err := d.document(item, at, hint); err != nil {
			d.Report(at.Line, fmt.Sprintf("item %d of the list: %v", n, err))
		}
		c.space()
		if c.peek() == ',' {
			c.i++
		}
	}
}

func (d *Decoder) server(version string, src Text) {
	line := src.lineOf("serverVersion.gitVersion", "info.gitVersion", "gitVersion")
	d.Set.Servers = append(d.Set.Servers, ServerVersion{GitVersion: version,
		Evidence: evidence.Evidence{Field: "gitVersion", Value: version, File: d.File, Line: line, Strength: d.Strength}})
}

// lenient drops the error of a single field with a value of the wrong type: the rest of the object is there.
func lenient(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return nil
	}
	return err
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
