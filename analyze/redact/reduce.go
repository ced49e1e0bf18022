package redact

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Texts that are YAML or JSON themselves are decoded and cut down to the few keys that matter. What cannot be decoded
// is removed.

// document is a text within a value, and the notation that it came in.
type document struct {
	v    any
	json bool
}

func decodeText(s string) (document, bool) {
	d := document{json: strings.HasPrefix(strings.TrimSpace(s), "{") || strings.HasPrefix(strings.TrimSpace(s), "[")}
	format := kube.YAML
	if d.json {
		format = kube.JSON
	}
	v, err := kube.Generic(kube.Text{Format: format, Raw: []byte(s)})
	if err != nil && d.json {
		d.json = false // flow style is YAML as well
		v, err = kube.Generic(kube.Text{Format: kube.YAML, Raw: []byte(s)})
	}
	d.v = v
	_, isMap := v.(map[string]any)
	return d, err == nil && isMap
}

// text writes a document in its own notation; JSON on one line.
func (d document) text() string {
	if !d.json {
		b, err := jsonText(d.v, "")
		if err == nil {
			b, err = yaml.JSONToYAML(escaped(b))
		}
		if err != nil {
			return Mark
		}
		return string(b)
	}
	b, err := jsonText(d.v, "")
	if err != nil {
		return Mark
	}
	return strings.TrimSuffix(string(b), "\n")
}

// jsonText writes JSON as kubectl does, without escapes for HTML.
func jsonText(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.Bytes(), err
}

// applied keeps names and restartPolicy of containers, nested as they were: the proof that a restartPolicy was asked for.
func (f *file) applied(s string) string {
	f.count(ofApplied)
	d, ok := decodeText(s)
	if !ok {
		return Mark
	}
	d.v = appliedPart(d.v)
	return d.text()
}

func appliedPart(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			switch key {
			case "metadata", "spec", "template", "jobTemplate", "containers", "initContainers":
				out[key] = appliedPart(value)
			case "apiVersion", "kind", "name", "namespace", "restartPolicy":
				if s, ok := value.(string); ok && shortName(s) {
					out[key] = s
				}
			}
		}
		return out
	case []any:
		out := make([]any, 0, len(v))
		for _, item := range v {
			out = append(out, appliedPart(item))
		}
		return out
	}
	return nil
}

var shortNameRx = regexp.MustCompile(`^[A-Za-z0-9.:/_-]*$`)

// shortName says that a text is a name or an enumeration.
func shortName(s string) bool { return shortNameRx.MatchString(s) && !formed(s) }

// proxyConfig keeps the settings of a proxy's configuration that have to do with its start and its end.
func (f *file) proxyConfig(s string) string {
	f.count(ofProxy)
	d, ok := decodeText(s)
	if !ok {
		return Mark
	}
	d.v = f.onlyKeys(d.v, proxyKeyRx)
	return d.text()
}

// onlyKeys keeps what stands below keys of a kind, where it stood.
func (f *file) onlyKeys(v any, keys *regexp.Regexp) any {
	if kept, ok := f.below(v, keys); ok {
		return kept
	}
	return map[string]any{}
}

func (f *file) below(v any, keys *regexp.Regexp) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			if keys.MatchString(key) && isShallow(value) {
				if kept := plain(f, value); kept != (gone{}) {
					out[key] = kept
				}
			} else if kept, ok := f.below(value, keys); ok {
				out[key] = kept
			}
		}
		return out, len(out) > 0
	case []any:
		var out []any
		for _, item := range v {
			if kept, ok := f.below(item, keys); ok {
				out = append(out, kept)
			}
		}
		return out, len(out) > 0
	}
	return nil, false
}

// isShallow says that a value is a scalar or a list of scalars.
func isShallow(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return false
	case []any:
		for _, item := range v {
			switch item.(type) {
			case map[string]any, []any:
				return false
			}
		}
	}
	return true
}
