package redact

import (
	"slices"
	"strings"
)

// configMap keeps the few entries of Istio's and the kubelet's ConfigMaps that decide where a proxy goes, reduced.
func configMap(f *file, v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return scalar(f, v)
	}
	of := ""
	if md, ok := m["metadata"].(map[string]any); ok {
		of, _ = md["name"].(string)
	}
	return identity.with(fields{"immutable": plain, "binaryData": entries(""), "data": entries(of)}).of(f, m)
}

// entries is the data of a ConfigMap; keys stay.
func entries(of string) policy {
	return func(f *file, v any) any {
		m, ok := v.(map[string]any)
		if !ok {
			return scalar(f, v)
		}
		out := make(map[string]any, len(m))
		for key, value := range m {
			s, ok := value.(string)
			if !ok || s == "" {
				out[key] = removed(ofConfig)(f, value)
				continue
			}
			out[key] = f.entry(of, key, s)
		}
		return out
	}
}

const (
	injectorMap = "istio-sidecar-injector"
	valuesMap   = "values"
	meshMap     = "istio"
	kubeletMap  = "kubelet-config"
)

// isOf says that a ConfigMap has a name, or that name with a revision or version behind it.
func isOf(name, base string) bool { return name == base || strings.HasPrefix(name, base+"-") }

func (f *file) entry(of, key, s string) string {
	if s == Mark {
		return s
	}
	f.count(ofConfig)
	reduce := reduction(of, key)
	if reduce == nil {
		return Mark
	}
	d, ok := decodeText(s)
	if !ok {
		return Mark
	}
	d.v = reduce(f.quiet(), d.v)
	return d.text()
}

// reduction is what stays of an entry, nil for nothing.
func reduction(of, key string) policy {
	switch {
	case (isOf(of, injectorMap) || isOf(of, valuesMap)) && strings.HasSuffix(key, "values"):
		return chartValues
	case isOf(of, injectorMap) && key == "config":
		return injectorConfig.of
	case isOf(of, meshMap) && key == "mesh":
		return func(f *file, v any) any { return f.onlyKeys(v, proxyKeyRx) }
	case isOf(of, kubeletMap) && key == "kubelet":
		return fields{"apiVersion": name, "kind": name, "featureGates": plain}.of
	}
	return nil
}

// chartValues keeps versions, images, switches of native sidecars and the like. The rest is left out rather than marked:
// a mark would make the values unreadable for those who ask what they set.
func chartValues(f *file, v any) any {
	out, _ := f.onlyKeys(v, valueKeys).(map[string]any)
	// A text that speaks of the switch in some other place must go on doing so: that nothing speaks of it is a statement.
	if mentions(v) {
		out["mentioned"] = []any{nativeSwitch}
	}
	return out
}

// nativeSwitch is the variable that is looked for in the whole text of the values.
const nativeSwitch = "ENABLE_NATIVE_SIDECARS"

// mentions says whether the switch stands in a text somewhere.
func mentions(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, value := range v {
			if mentions(value) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, mentions)
	case string:
		return strings.Contains(v, nativeSwitch)
	}
	return false
}

var injectorConfig = fields{
	"policy": name, "defaultTemplates": plain, "aliases": plain, "alwaysInjectSelector": plain, "neverInjectSelector": plain,
	"template": template, "templates": templates,
}

func templates(f *file, v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return gone{}
	}
	out := make(map[string]any, len(m))
	for key, value := range m {
		out[key] = template(f, value)
	}
	return out
}

// longestLine bounds a line of a template that may stay.
const longestLine = 400

// template keeps the lines that decide where the proxy goes. Templates of Go are no YAML: they can only be taken line by
// line, and a line that is not known stays out.
func template(f *file, v any) any {
	s, ok := v.(string)
	if !ok {
		return gone{}
	}
	var kept []string
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if templateRx.MatchString(line) && len(line) < longestLine && !f.patterns.secret(line) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n") + "\n"
}
