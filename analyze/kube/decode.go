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

// Decoder turns the text of single objects and lists into a Set. It holds no text between calls but that of the
// objects it kept, from which lines of fields are found.
type Decoder struct {
	// File is the path within the bundle, for origins.
	File string
	// Set receives the objects.
	Set *Set
	// Report receives what could not be read, with a line of File. It costs nothing else.
	Report func(line int, message string)
}

// ErrNoObject says that a text is YAML or JSON, as nearly every text is, but no Kubernetes object.
var ErrNoObject = errors.New("no Kubernetes object")

// Decode reads one document: an object, a list of objects, or what tells a server's version. The text starts at a
// line of the file. The hint is the kind to assume for objects that name none; it may be empty. The error says why
// the document as a whole could not be read.
func (d *Decoder) Decode(format Format, raw []byte, line int, hint string) error {
	src := source{format: format, raw: raw, line: line}
	if format == JSON {
		return d.document(raw, src, hint)
	}
	if list, ok := splitYAML(raw); ok {
		return d.yamlList(list, src, hint)
	}
	text, err := d.yamlToJSON(raw, line)
	if err != nil {
		return err
	}
	return d.document(text, src, hint)
}

// yamlToJSON converts one YAML document. Of a key set twice the last value is used, as kubectl does, and listed.
func (d *Decoder) yamlToJSON(raw []byte, line int) ([]byte, error) {
	text, err := yaml.YAMLToJSONStrict(raw)
	if err == nil {
		return text, nil
	}
	lax, laxErr := yaml.YAMLToJSON(raw)
	if laxErr != nil {
		return nil, fmt.Errorf("reading YAML: %s", oneLine(laxErr.Error()))
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
func (d *Decoder) document(text []byte, src source, hint string) error {
	text = bytes.TrimSpace(text)
	if len(text) > 0 && text[0] == '[' {
		return d.jsonItems(text, src, "", hint)
	}
	if len(text) == 0 || text[0] != '{' {
		return ErrNoObject
	}
	var h head
	if err := lenient(json.Unmarshal(text, &h)); err != nil {
		return fmt.Errorf("reading an object: %w", err)
	}
	switch {
	case h.version() != "" && h.Kind == "":
		d.server(h.version(), src)
		return nil
	case bytes.HasPrefix(h.Items, []byte("[")) && h.isList():
		return d.jsonItems(h.Items, src, strings.TrimSuffix(h.Kind, "List"), hint)
	case h.Kind != "" && h.isList():
		return nil // an empty list
	}
	return d.object(text, src, h.APIVersion, h.Kind, hint)
}

// jsonItems decodes the items of a JSON array one by one, so that a broken one costs only itself.
func (d *Decoder) jsonItems(array []byte, src source, kind, hint string) error {
	if kind == "" {
		kind = hint
	}
	line := src.line
	if src.format == JSON {
		line += newlines(src.raw[:bytes.Index(src.raw, array)])
	}
	c := cursor{b: array, i: 1}
	for n, last := 1, 0; ; n++ {
		c.space()
		if c.peek() == ']' || c.peek() == 0 {
			return nil
		}
		at := source{format: JSON, line: line}
		if src.format == JSON {
			line += newlines(array[last:c.i])
			at.line = line
			last = c.i
		} else {
			at = src
		}
		item := c.skip()
		if at.raw == nil {
			at.raw = bytes.Clone(item)
		}
		if err := d.item(item, at, kind); err != nil {
			d.Report(at.line, fmt.Sprintf("item %d of the list: %v", n, err))
		}
		c.space()
		if c.peek() == ',' {
			c.i++
		}
	}
}

// item decodes one item of a list from JSON.
func (d *Decoder) item(text []byte, src source, kind string) error {
	if len(text) == 0 || text[0] != '{' {
		return ErrNoObject
	}
	var h head
	if err := lenient(json.Unmarshal(text, &h)); err != nil {
		return err
	}
	return d.object(text, src, h.APIVersion, h.Kind, kind)
}

func (d *Decoder) server(version string, src source) {
	d.Set.Servers = append(d.Set.Servers, ServerVersion{GitVersion: version,
		Evidence: evidence.Evidence{Field: "gitVersion", Value: version, File: d.File, Line: src.lineOf("serverVersion.gitVersion", "info.gitVersion", "gitVersion")}})
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
