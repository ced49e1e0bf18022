package kube

import (
	"fmt"

	"sigs.k8s.io/yaml"
)

// Manifest gives every field of an object as it stands in the bundle, for printing a changed copy of it. Only objects
// read from YAML or JSON have one.
func (o *Object) Manifest() (map[string]any, error) {
	t, ok := o.Origin.Lines.(*Text)
	if !ok || o.Described() || o.Origin.Truncated {
		return nil, fmt.Errorf("%s is not in the bundle as whole YAML or JSON", o.Ref())
	}
	var m map[string]any
	if err := yaml.Unmarshal(t.Raw, &m); err == nil && m != nil {
		return m, nil
	}
	// An item of a list stands in the file behind a dash.
	var items []map[string]any
	if err := yaml.Unmarshal(t.Raw, &items); err == nil && len(items) == 1 {
		return items[0], nil
	}
	return nil, fmt.Errorf("the text of %s can not be read again", o.Ref())
}

// WriteYAML gives a manifest as YAML text.
func WriteYAML(m map[string]any) (string, error) {
	b, err := yaml.Marshal(m)
	if err != nil {
		return "", fmt.Errorf("writing a manifest: %w", err)
	}
	return string(b), nil
}
