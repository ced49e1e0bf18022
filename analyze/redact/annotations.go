package redact

import "strings"

const (
	lastApplied   = "last-applied-configuration"
	overrides     = "proxy.istio.io/overrides"
	proxyConfigIs = "proxy.istio.io/config"
)

// annotations keeps all keys, and of the values those that the analysis reads: see the lists in patterns.go.
func annotations(f *file, v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return scalar(f, v)
	}
	out := make(map[string]any, len(m))
	for key, value := range m {
		if s, ok := value.(string); ok {
			out[key] = f.annotation(key, s)
		} else if kept := scalar(f, value); kept != (gone{}) {
			out[key] = kept
		}
	}
	return out
}

func (f *file) annotation(key, value string) string {
	switch {
	case value == "" || value == Mark:
		return value
	case strings.HasSuffix(key, lastApplied) || key == overrides:
		return f.applied(value)
	case key == proxyConfigIs:
		return f.proxyConfig(value)
	case noteValue.MatchString(value):
		return value
	case noteKeys.MatchString(key) && !noteDropped.MatchString(key) && !strings.Contains(value, "\n") && !f.patterns.secret(value):
		return value
	}
	f.count(ofNotes)
	return Mark
}
