package facts

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestEnvFrom: what env lacks may come from envFrom, and is known where the bundle has the object that it comes from.
func TestEnvFrom(t *testing.T) {
	config := func(name string) kube.EnvFrom { return kube.EnvFrom{ConfigMapRef: &kube.Named{Name: name}} }
	configs := []*kube.ConfigMap{}
	for name, data := range map[string]map[string]string{"on": {NativeEnv: "true"}, "off": {NativeEnv: "false"}, "other": {"A": "b"}, "redacted": {NativeEnv: "<redacted>"}, "emptied": nil, "cut": {"NATIVE_SIDECARS": "true"}} {
		configs = append(configs, &kube.ConfigMap{Object: kube.Object{Kind: "ConfigMap", Meta: kube.Meta{Name: name, Namespace: "istio-system"}}, Data: data})
	}
	secret := kube.EnvFrom{SecretRef: &kube.Named{Name: "s"}}
	prefixed := config("cut")
	prefixed.Prefix = "ENABLE_"
	foreign := secret
	foreign.Prefix = "X_"
	for name, tt := range map[string]struct {
		env        []kube.EnvVar
		from       []kube.EnvFrom
		known, set bool
		value      string
		source     string // what is asked for
	}{
		"nothing":                     {nil, nil, true, false, "", ""},
		"in the bundle":               {nil, []kube.EnvFrom{config("on")}, true, true, "true", ""},
		"the last counts":             {nil, []kube.EnvFrom{config("on"), config("off")}, true, true, "false", ""},
		"the last that has it":        {nil, []kube.EnvFrom{config("on"), config("other")}, true, true, "true", ""},
		"without the key":             {nil, []kube.EnvFrom{config("other")}, true, false, "", ""},
		"not in the bundle":           {nil, []kube.EnvFrom{config("missing")}, false, false, "", "missing"},
		"one after it is missing":     {nil, []kube.EnvFrom{config("on"), config("missing")}, false, false, "", "missing"},
		"one before it is missing":    {nil, []kube.EnvFrom{config("missing"), config("on")}, true, true, "true", ""},
		"redacted":                    {nil, []kube.EnvFrom{config("redacted")}, false, true, "", "redacted"},
		"emptied":                     {nil, []kube.EnvFrom{config("emptied")}, false, false, "", "emptied"},
		"a Secret":                    {nil, []kube.EnvFrom{secret}, false, false, "", "s"},
		"a prefix that fits":          {nil, []kube.EnvFrom{prefixed}, true, true, "true", ""},
		"a prefix that cannot fit":    {nil, []kube.EnvFrom{foreign}, true, false, "", ""},
		"env comes before envFrom":    {[]kube.EnvVar{{Name: NativeEnv, Value: "auto"}}, []kube.EnvFrom{config("on")}, true, true, "auto", ""},
		"of a kind that is not known": {nil, []kube.EnvFrom{{}}, false, false, "", ""},
	} {
		o := &kube.Object{Kind: "Pod", Meta: kube.Meta{Name: "istiod", Namespace: "istio-system"}}
		s := NativeSetting(o, kube.Container{Name: discoveryContainer, Env: tt.env, EnvFrom: tt.from}, "spec.containers[name=discovery]", configs)
		if s.Known != tt.known || s.Set != tt.set || s.Value != tt.value || s.Source.Name != tt.source || len(s.From) == 0 || (s.Why == "") != s.Known {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
