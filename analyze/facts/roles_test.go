package facts

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestPlacementIsProvenByWhatWasRead: the evidence of a placement is the field that decided it, never one that is not in
// the bundle.
func TestPlacementIsProvenByWhatWasRead(t *testing.T) {
	probe := &kube.Probe{}
	ready := &kube.ContainerStatus{Name: "c", Ready: true, State: kube.ContainerState{Running: &kube.Running{}}}
	for name, c := range map[string]struct {
		described     bool
		spec          *kube.Container
		status        *kube.ContainerStatus
		placement     Placement
		field, value  string
		absent        bool
		stored, doubt bool
	}{
		"stored":                 {spec: &kube.Container{Name: "c", RestartPolicy: "Always"}, placement: Native, field: "spec.initContainers[name=c].restartPolicy", value: "Always", stored: true},
		"described, with policy": {described: true, spec: &kube.Container{Name: "c", RestartPolicy: "Always"}, placement: Native, field: "spec.initContainers[name=c].restartPolicy", value: "Always", stored: true},
		"one-shot":               {spec: &kube.Container{Name: "c"}, placement: InitContainer, field: "spec.initContainers[name=c].restartPolicy", absent: true},
		"status alone, ready":    {status: ready, placement: Native, field: "status.initContainerStatuses[name=c].ready", value: "true"},
		"status alone":           {status: &kube.ContainerStatus{Name: "c"}, placement: InitContainer, field: "status.initContainerStatuses[name=c].name", value: "c", doubt: true},
		"described, ready":       {described: true, spec: &kube.Container{Name: "c", StartupProbe: probe}, status: ready, placement: Native, field: "status.initContainerStatuses[name=c].ready", value: "true"},
		"described, startup":     {described: true, spec: &kube.Container{Name: "c", StartupProbe: probe}, placement: Native, field: "spec.initContainers[name=c].startupProbe", value: "set"},
		"described, readiness":   {described: true, spec: &kube.Container{Name: "c", ReadinessProbe: probe}, placement: Native, field: "spec.initContainers[name=c].readinessProbe", value: "set"},
		"described, liveness":    {described: true, spec: &kube.Container{Name: "c", LivenessProbe: probe}, placement: Native, field: "spec.initContainers[name=c].livenessProbe", value: "set"},
		"described, no sign":     {described: true, spec: &kube.Container{Name: "c"}, placement: InitContainer, field: "spec.initContainers[name=c].name", value: "c", doubt: true},
	} {
		p := &Pod{Pod: &kube.Pod{}}
		p.Origin.Strength = evidence.Stored
		if c.described {
			p.Origin.Strength = evidence.Described
		}
		ct := &Container{Pod: p, Name: "c", Spec: c.spec, Status: c.status}
		placeInit(ct)
		ev := ct.EvPlacement()
		if ct.Placement != c.placement || ev.Field != c.field || ev.Value != c.value || ev.Absent != c.absent || ct.SaysAlways() != c.stored || (ct.PlacementDoubt != "") != c.doubt {
			t.Errorf("%s: %s %s=%q absent %v, always %v, doubt %q", name, ct.Placement, ev.Field, ev.Value, ev.Absent, ct.SaysAlways(), ct.PlacementDoubt)
		}
	}
	regular := &Container{Pod: &Pod{Pod: &kube.Pod{}}, Name: "c", Placement: Ordinary, Status: ready}
	if ev := regular.EvPlacement(); ev.Field != "status.containerStatuses[name=c].name" {
		t.Errorf("a regular container without its spec: %s", ev.Field)
	}
	for field, c := range map[string]*Container{
		"spec.containers[name=c].image":              {Placement: Ordinary, Spec: &kube.Container{Image: "x:1"}, Status: &kube.ContainerStatus{Image: "x:2"}},
		"status.containerStatuses[name=c].image":     {Placement: Ordinary, Status: &kube.ContainerStatus{Image: "x:2"}},
		"status.initContainerStatuses[name=c].image": {Placement: Native, Spec: &kube.Container{}, Status: &kube.ContainerStatus{Image: "x:2"}},
	} {
		c.Pod, c.Name = &Pod{Pod: &kube.Pod{}}, "c"
		if ev := c.EvImage(); ev.Field != field || ev.Value != c.Image() {
			t.Errorf("image: %s=%s, want %s", ev.Field, ev.Value, field)
		}
	}
}
