package kube

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

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
	// Raw may be kept for finding lines; the caller must not change it afterwards.
	Raw []byte
	// Line is the line of the first byte of Raw, counting from 1.
	Line int
	// Gaps are the numbers of lines that were cut out of Raw, ascending: messages of kubectl amid its output.
	Gaps []int
	// Checked says that Raw is known to be valid JSON.
	Checked bool
	// Truncated says that the file ended within the text. Only a Pod is kept then, and marked.
	Truncated bool
}

// Decoder turns texts of single objects into a Set. It is for one goroutine at a time.
type Decoder struct {
	// File is the path within the bundle, for origins.
	File string
	// Set receives the objects.
	Set *Set
	// Strength is that of the objects' origins.
	Strength evidence.Strength
	// Report receives what could not be read, with a line of File. It costs nothing else.
	Report func(line int, message string)

	// Kept counts the objects, those of other decoders with it; may be nil.
	Kept *atomic.Int64
	// Reduce keeps ordinary pods of services as ServicePods.
	Reduce bool

	lines  lineWriter
	reader *yamlReader
	// newest is the newest time in the pods that were reduced.
	newest Time
	// careful leaves all YAML to the library; tests compare the two.
	careful bool
}

// ErrNoObject says that a text is a mapping of YAML or JSON, as many texts are, but no Kubernetes object.
var ErrNoObject = errors.New("no Kubernetes object")

var errNoMapping = errors.New("neither an object nor a list")

// Object reads one document or one item of a list (with its dash, in YAML): an object, a list of objects, or what
// tells a server's version. The hint is the kind to assume for objects that name none; it may be empty. The error
// says why the text as a whole could not be read.
func (d *Decoder) Object(t Text, hint string) error {
	if t.Format == JSON {
		if !t.Checked && !json.Valid(t.Raw) {
			return fmt.Errorf("not readable as JSON: %w", json.Unmarshal(t.Raw, new(json.RawMessage)))
		}
		return d.document(t.Raw, t, hint)
	}
	if !d.careful && d.fast(t, hint) {
		return nil
	}
	text, err := d.yamlToJSON(t)
	if err != nil {
		return err
	}
	if len(text) > 0 && text[0] == '[' && bytes.HasPrefix(bytes.TrimLeft(t.Raw, " "), []byte("-")) {
		c := cursor{b: text, i: 1}
		text = c.skip()
	}
	return d.document(text, t, hint)
}

// yamlToJSON converts one YAML document. Of a key set twice the last value is used, as kubectl does, and listed.
func (d *Decoder) yamlToJSON(t Text) ([]byte, error) {
	raw := quoteTexts(t.Raw)
	text, err := yaml.YAMLToJSONStrict(raw)
	if err == nil {
		return text, nil
	}
	lax, laxErr := yaml.YAMLToJSON(raw)
	if laxErr != nil {
		return nil, fmt.Errorf("not readable as YAML: %s", oneLine(laxErr.Error()))
	}
	d.Report(t.Line, "a key is set twice; the last value is used: "+oneLine(err.Error()))
	return lax, nil
}

// document decodes a JSON text: the file's own, or the converted YAML.
func (d *Decoder) document(text []byte, src Text, hint string) error {
	c := cursor{b: text}
	c.space()
	switch c.peek() {
	case '[':
		return d.items(c, src, hint)
	case '{':
	default:
		return errNoMapping
	}
	kind, apiVersion := c.text("kind"), c.text("apiVersion")
	if kind == "" {
		if version := serverVersion(c); version != "" {
			d.server(version, text, src)
			return nil
		}
		if d.istiods(text, src) {
			return nil
		}
	}
	list := kind == "" || strings.HasSuffix(kind, "List")
	if list && c.path("items") && c.peek() == '[' {
		if kind := strings.TrimSuffix(kind, "List"); kind != "" {
			hint = kind
		}
		return d.items(c, src, hint)
	}
	if list && kind != "" {
		return nil // items: null, which some writers use for an empty list
	}
	if kind == "" {
		kind = hint
	}
	if kind == "" {
		kind = guessKind(c)
	}
	return d.object(text, src, apiVersion, kind)
}

// items decodes the items of the array at the cursor one by one, so that a broken one costs only itself. Items of a
// list that was YAML in flow style have no lines of their own.
func (d *Decoder) items(c cursor, src Text, hint string) error {
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
			at.Line = line
		}
		at.Raw = item
		if err := d.document(item, at, hint); err != nil && !errors.Is(err, ErrNoObject) {
			d.Report(at.Line, fmt.Sprintf("item %d of the list: %v", n, err))
		}
		c.space()
		if c.peek() == ',' {
			c.i++
		}
	}
}

// serverVersion finds a server's version in what tells it: kubectl version -o yaml, the raw /version, the support
// bundle's cluster_version.json.
func serverVersion(c cursor) string {
	for _, path := range [][]string{{"serverVersion", "gitVersion"}, {"info", "gitVersion"}, {"gitVersion"}} {
		if v := c.text(path...); v != "" {
			return v
		}
	}
	return ""
}

func (d *Decoder) server(version string, text []byte, src Text) {
	said := d.said("gitVersion", version, text, src, "serverVersion.gitVersion", "info.gitVersion", "gitVersion")
	d.Set.Servers = append(d.Set.Servers, ServerVersion{GitVersion: version, Evidence: said})
}

// istiods keeps what istioctl version -o yaml says of istiods, and reports whether the text is that.
func (d *Decoder) istiods(text []byte, src Text) bool {
	c := cursor{b: text}
	if !c.path("meshVersion") {
		return false
	}
	if c.peek() != '[' {
		return false
	}
	c.i++
	for i := 0; ; i++ {
		c.space()
		if c.peek() == ']' || c.peek() == 0 {
			return true
		}
		m := cursor{b: c.skip()}
		if v := m.text("Info", "version"); m.text("Component") == "pilot" || m.text("Component") == "istiod" {
			field := fmt.Sprintf("meshVersion[%d].Info.version", i)
			d.Set.Istiods = append(d.Set.Istiods, IstiodVersion{Revision: m.text("Revision"), Version: v,
				Evidence: d.said(field, v, text[:c.i], src, field)})
		}
		c.space()
		if c.peek() == ',' {
			c.i++
		}
	}
}

// said is the evidence for a version that stands in a text at the first of the paths that is there; in JSON, where the text
// has it last.
func (d *Decoder) said(field, version string, text []byte, src Text, paths ...string) evidence.Evidence {
	line := src.Line
	if src.Format == YAML {
		line = max(line, src.lineOf(paths...))
	} else if i := bytes.LastIndex(text, []byte(`"`+version+`"`)); i >= 0 {
		line += newlines(text[:i])
	}
	return evidence.Evidence{Field: field, Value: version, File: d.File, Line: line, Strength: d.Strength}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
