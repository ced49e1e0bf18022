package rules

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

func TestAmount(t *testing.T) {
	for text, want := range map[string]float64{"": 0, "0": 0, "2": 2, "250m": 0.25, "1.5": 1.5, "64Mi": 64 << 20, "1Gi": 1 << 30,
		"129M": 129e6, "1e3": 1000, "1E3": 1000, "2E": 2e18, "12e6": 12e6, " 5k ": 5000, ".5": 0.5} {
		if got, ok := amount(text); !ok || got != want {
			t.Errorf("%q: got %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"********", "REDACTED", "Inf", "NaN", "0x10", "1_000", "Mi", "1 Gi", "1KiB", "--1", "1e999"} {
		if got, ok := amount(text); ok {
			t.Errorf("%q: read as %v", text, got)
		}
	}
}

func TestPodRequest(t *testing.T) {
	c := func(cpu, restart string) kube.Container {
		return kube.Container{RestartPolicy: restart, Resources: kube.Resources{Requests: kube.Quantities{"cpu": kube.Scalar(cpu)}}}
	}
	for name, want := range map[string]struct {
		init, regular []kube.Container
		cpu           float64
	}{
		"regular containers add up":       {nil, []kube.Container{c("1", ""), c("250m", "")}, 1.25},
		"the largest init container":      {[]kube.Container{c("3", ""), c("1", "")}, []kube.Container{c("1", "")}, 3},
		"a native sidecar adds":           {[]kube.Container{c("500m", "Always")}, []kube.Container{c("1", "")}, 1.5},
		"a sidecar beside a later init":   {[]kube.Container{c("1", "Always"), c("2", "")}, []kube.Container{c("1", "")}, 3},
		"an init before the sidecar":      {[]kube.Container{c("2", ""), c("1", "Always")}, []kube.Container{c("500m", "")}, 2},
		"limits stand in for no requests": {nil, []kube.Container{{Resources: kube.Resources{Limits: kube.Quantities{"cpu": "2"}}}}, 2},
	} {
		if got, ok := podRequest(kube.PodSpec{InitContainers: want.init, Containers: want.regular}, "cpu"); !ok || got != want.cpu {
			t.Errorf("%s: got %v, %v", name, got, ok)
		}
	}
	if _, ok := podRequest(kube.PodSpec{Containers: []kube.Container{c("********", "")}}, "cpu"); ok {
		t.Error("a redacted request was read")
	}
}

// TestPodLevelRequest: what a pod requests for itself is what is reserved, whatever its containers request.
func TestPodLevelRequest(t *testing.T) {
	containers := []kube.Container{{Resources: kube.Resources{Requests: kube.Quantities{"cpu": "1"}}}, {}}
	for name, tc := range map[string]struct {
		own      kube.Resources
		overhead string
		cpu      float64
		ok       bool
	}{
		"none":                    {kube.Resources{}, "", 1, true},
		"more than the sum":       {kube.Resources{Requests: kube.Quantities{"cpu": "4"}}, "", 4, true},
		"and the overhead":        {kube.Resources{Requests: kube.Quantities{"cpu": "4"}}, "250m", 4.25, true},
		"of another resource":     {kube.Resources{Requests: kube.Quantities{"memory": "4Gi"}}, "", 1, true},
		"a limit beside requests": {kube.Resources{Limits: kube.Quantities{"cpu": "8"}}, "", 1, true},
		"redacted":                {kube.Resources{Requests: kube.Quantities{"cpu": "REDACTED"}}, "", 0, false},
	} {
		spec := kube.PodSpec{Containers: containers, Resources: tc.own, Overhead: kube.Quantities{"cpu": kube.Scalar(tc.overhead)}}
		if got, ok := podRequest(spec, "cpu"); ok != tc.ok || ok && got != tc.cpu {
			t.Errorf("%s: got %v, %v", name, got, ok)
		}
	}
	if got, ok := podRequest(kube.PodSpec{Containers: []kube.Container{{}}, Resources: kube.Resources{Limits: kube.Quantities{"cpu": "2"}}}, "cpu"); !ok || got != 2 {
		t.Errorf("a limit of the pod where nothing is requested: %v, %v", got, ok)
	}
}
