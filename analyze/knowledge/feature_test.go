package knowledge

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// TestThresholds states the published thresholds once more, from the facts and not from the tables.
func TestThresholds(t *testing.T) {
	b := base(t)
	for _, tc := range []struct{ feature, before, at string }{
		{"apiserver-knows-field", "1.27.16", "1.28.0"},
		{"apiserver-sidecars-by-default", "1.28.15", "1.29.0"},
		{"sidecars-locked-on", "1.32.13", "1.33.0"},
		{"sidecar-gate-removed", "1.36.3", "1.37.0"},
		{"ready-counts-sidecars", "1.27.16", "1.28.0"},
		{"terminating-hidden-for-finished", "1.30.14", "1.31.0"},
		{"status-shows-error-reason", "1.34.9", "1.35.0"},
		{"regular-container-restart-policy-honoured", "1.34.9", "1.35.0"},
		{"job-status-column", "1.29.15", "1.30.0"},
		{"kubelet-knows-sidecars", "1.27.16", "1.28.0"},
		{"kubelet-sidecars-by-default", "1.28.15", "1.29.0"},
		{"started-on-init-containers", "1.27.16", "1.28.0"},
		{"ordered-sidecar-termination", "1.28.15", "1.29.0"},
		{"sidecar-oom-score-adjusted", "1.31.14", "1.32.0"},
		{"interim-job-conditions", "1.30.14", "1.31.0"},
		{"managed-by-field", "1.31.14", "1.32.0"},
		{"kubectl-typed-keeps-field", "1.27.16", "1.28.0"},
		{"istio-native-code", "1.18.7", "1.19.0"},
		{"istio-reads-annotation", "1.23.6", "1.24.0"},
		{"istio-auto-mode", "1.26.8", "1.27.0"},
		{"prestop-drain", "1.20.8", "1.21.0"},
		{"drain-endpoint", "1.20.8", "1.21.0"},
		{"quit-exits-at-once", "1.25.5", "1.26.0"},
		{"values-configmap", "1.25.5", "1.26.0"},
		{"chart-version-labels", "1.23.6", "1.24.0"},
		{"compat-profiles-disable-native", "1.26.8", "1.27.0"},
	} {
		if got, _ := b.Has(tc.feature, version.Parse(tc.before)); got != version.No {
			t.Errorf("%s in %s: %v", tc.feature, tc.before, got)
		}
		got, basis := b.Has(tc.feature, version.Parse(tc.at))
		if got != version.Yes || len(basis.Sources) == 0 {
			t.Errorf("%s in %s: %v, sources %q", tc.feature, tc.at, got, basis.Sources)
		}
	}
}

func TestHasWithLittleKnown(t *testing.T) {
	b := base(t)
	for _, tc := range []struct {
		feature, v string
		want       version.Answer
	}{
		{"ready-counts-sidecars", "1.28", version.Yes},
		{"ready-counts-sidecars", "1.27+", version.No},
		{"ready-counts-sidecars", "v1.28.0-rc.1", version.Yes},
		{"ready-counts-sidecars", "v1.28.0-beta.0", version.Maybe},
		{"ready-counts-sidecars", "v1.28.1-rc.0", version.Yes},
		{"ready-counts-sidecars", "v1.29.1-eks-5e0fdde", version.Yes},
		{"ready-counts-sidecars", "fake", version.Maybe},
		{"ready-counts-sidecars", "v1", version.Maybe},
		{"ready-counts-sidecars", "2024.10.31", version.Maybe},
		{"regular-container-restart-policy-dropped", "1.34.3", version.Yes},
		{"regular-container-restart-policy-dropped", "1.35.0", version.No},
		{"istio-auto-mode", "1.27.0-beta.0", version.Yes},
		{"istio-auto-mode", "1.27.0-alpha.2", version.No},
		{"istio-auto-mode", "1.27-alpha.0af", version.Maybe},
		{"no-such-feature", "1.30.0", version.Maybe},
	} {
		if got, _ := b.Has(tc.feature, version.Parse(tc.v)); got != tc.want {
			t.Errorf("%s in %s: %v, want %v", tc.feature, tc.v, got, tc.want)
		}
	}
}

func TestSidecarGate(t *testing.T) {
	b := base(t)
	for v, want := range map[string]Gate{
		"1.27.3":              {"none", false, false, false},
		"1.28.2":              {"alpha", true, false, false},
		"1.29.0":              {"beta", true, true, false},
		"v1.32.9-eks-113cf36": {"beta", true, true, false},
		"1.33.4":              {"ga", true, true, true},
		"1.36":                {"ga", true, true, true},
		"1.37.2":              {"removed", false, true, true},
	} {
		if got, ok, _ := b.SidecarGate(version.Parse(v)); !ok || got != want {
			t.Errorf("%s: %+v %v, want %+v", v, got, ok, want)
		}
	}
	for _, v := range []string{"fake", "v1", "v1.28.0-alpha.3"} {
		if got, ok, _ := b.SidecarGate(version.Parse(v)); ok {
			t.Errorf("%s: %+v", v, got)
		}
	}
}

func TestIstioPoint(t *testing.T) {
	b := base(t)
	for v, want := range map[string]struct {
		era, kind, unset string
		annotation       bool
		disables         int
		max              string
	}{
		"1.18.7":            {"A", "none", "", false, 0, "1.27"},
		"1.20.3-asm.4":      {"B", "exact", "ordinary", false, 0, "1.29"},
		"1.24.0":            {"C", "exact", "ordinary", true, 0, "1.31"},
		"1.27.1-distroless": {"D", "switch", "auto", true, 3, "1.33"},
		"1.28.4":            {"D", "switch", "auto", true, 2, "1.34"},
		"1.31.0-rc.0":       {"D", "switch", "auto", true, 2, "1.35"},
		"1.24.3-solo-fips":  {"C", "exact", "ordinary", true, 0, "1.31"},
		"1.26":              {"C", "exact", "ordinary", true, 0, "1.33"},
		"1.19.0-beta.0":     {"B", "exact", "ordinary", false, 0, "1.27"},
		"1.24.0-alpha.0":    {"C", "exact", "ordinary", true, 0, "1.30"},
	} {
		p, ok, _ := b.Istio(version.Parse(v))
		if !ok || p.Era != want.era || p.EnvKind != want.kind || p.EnvDefault != want.unset || p.AnnotationRead != want.annotation || len(p.CompatDisables) != want.disables || p.KubernetesMax != want.max {
			t.Errorf("%s: %+v %v", v, p, ok)
		}
	}
	for _, v := range []string{"latest", "1.27-alpha.0af", "2024.10.31", ""} {
		if p, ok, _ := b.Istio(version.Parse(v)); ok {
			t.Errorf("%s: %+v", v, p)
		}
	}
}

// TestReadings: what a value leads to, and whether that is what its author meant.
func TestReadings(t *testing.T) {
	b := base(t)
	for _, tc := range []struct {
		istio, value, outcome string
		listed, asMeant       bool
	}{
		{"1.22.0", "true", Native, true, true},
		{"1.22.0", "True", Ordinary, false, false},
		{"1.22.0", "1", Ordinary, false, false},
		{"1.22.0", "False", Ordinary, false, true},
		{"1.24.0", "auto", Ordinary, false, false},
		{"1.22.0", "", "unset", true, true},
		{"1.27.0", "true", Native, true, true},
		{"1.27.0", "True", Ordinary, false, false},
		{"1.27.0", "1", Ordinary, false, false},
		{"1.27.0", "Auto", Ordinary, false, false},
		{"1.27.0", "", Ordinary, false, false},
		{"1.27.0", "auto", "auto", true, true},
		{"1.27.0", "0", Ordinary, false, true},
		{"1.17.0", "true", "not-read", false, false},
	} {
		r, ok := b.ReadEnv(Inputs{Istio: version.Parse(tc.istio), Env: Given(tc.value, "")})
		if !ok || r.Outcome != tc.outcome || r.Listed != tc.listed || r.AsMeant != tc.asMeant {
			t.Errorf("variable %q in %s: %+v %v", tc.value, tc.istio, r, ok)
		}
	}
	for _, tc := range []struct {
		istio, value, outcome string
		listed, asMeant       bool
	}{
		{"1.22.0", "true", "not-read", false, false},
		{"1.24.0", "true", Native, true, true},
		{"1.24.0", "True", Ordinary, false, false},
		{"1.24.0", "", Ordinary, false, false},
		{"1.27.0", "False", Native, false, false},
		{"1.27.0", "no", Native, false, false},
		{"1.27.0", "yes", Native, false, true},
		{"1.27.0", "false", Ordinary, true, true},
		{"1.27.0", "", "ignored", true, true},
	} {
		r, ok := b.ReadAnnotation(Inputs{Istio: version.Parse(tc.istio), Annotation: Given(tc.value, "")})
		if !ok || r.Outcome != tc.outcome || r.Listed != tc.listed || r.AsMeant != tc.asMeant {
			t.Errorf("annotation %q in %s: %+v %v", tc.value, tc.istio, r, ok)
		}
	}
	if _, ok := b.ReadEnv(Inputs{Env: Given("true", "")}); ok {
		t.Error("a reading without a release")
	}
	if r, ok := b.ReadEnv(Inputs{Istio: version.Parse("1.28.0"), TemplateEra: "C", Env: Given("auto", "")}); !ok || r.Outcome != Ordinary {
		t.Errorf("the template's era decides: %+v", r)
	}
}

func TestDetectEra(t *testing.T) {
	b := base(t)
	for text, want := range map[string]string{
		"containers:\n- name: istio-proxy":                                                                                          "A",
		"{{ $nativeSidecar := (eq (env \"ENABLE_NATIVE_SIDECARS\" \"false\") \"true\") }}":                                          "B",
		"index .ObjectMeta.Annotations `sidecar.istio.io/nativeSidecar` | default (env \"ENABLE_NATIVE_SIDECARS\" \"false\")":       "C",
		"(ne (index .ObjectMeta.Annotations `sidecar.istio.io/nativeSidecar` | default (printf \"%t\" .NativeSidecars)) \"false\")": "D",
		"only sidecar.istio.io/nativeSidecar":                                                                                       "custom",
	} {
		if got := b.DetectEra(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
