package kube

import (
	"fmt"

	"sigs.k8s.io/yaml"
)

// WriteYAML gives a manifest as YAML text.
func WriteYAML(m map[string]any) (string, error) {
	b, err := yaml.Marshal(m)
	if err != nil {
		return "", fmt.Errorf("writing a manifest: %w", err)
	}
	return string(b), nil
}
