package facts

import (
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// OneClock is how far a container's start and the kubelet's event about it can lie apart: both are of one node, and the
// kubelet reports at once.
const OneClock = 15 * time.Second

// StartedOf gives the container of which the kubelet reports a start in an event that happened once; "" for none.
func StartedOf(e *kube.Event) string {
	if e.Reason != "Started" || e.Times() > 1 || e.Origin.Strength != evidence.Stored || e.Last().IsZero() {
		return ""
	}
	_, name, _ := strings.Cut(strings.TrimSuffix(e.About().FieldPath, "}"), "{")
	return name
}

// FirstStart is when a container started that ran once, by its state.
func FirstStart(c *kube.ContainerStatus) kube.Time {
	switch r, t := c.State.Running, c.State.Terminated; {
	case c.RestartCount > 0:
	case r != nil:
		return r.StartedAt
	case t != nil:
		return t.StartedAt
	}
	return kube.Time{}
}

// ofKubelet says that a kubelet reported an event, or that nobody is named for one about a pod.
func ofKubelet(e *kube.Event) bool {
	by := e.ReportingComponent
	if by == "" {
		by = e.Source.Component
	}
	return by == "kubelet" || by == "" && e.About().Kind == "Pod"
}

// kubeletsLate says that kubelets report starts of containers later than the containers' own states have them: then the
// times of their other events are not to be trusted either.
func kubeletsLate(set *kube.Set) bool {
	type container struct{ namespace, pod, name string }
	began := map[container]time.Time{}
	for _, p := range set.Pods {
		if p.Described() {
			continue
		}
		for _, list := range [][]kube.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
			for i := range list {
				if t := FirstStart(&list[i]); !t.IsZero() {
					began[container{p.Meta.Namespace, p.Meta.Name, list[i].Name}] = t.Time
				}
			}
		}
	}
	for _, e := range set.Events {
		about := e.About()
		if t, ok := began[container{about.Namespace, about.Name, StartedOf(e)}]; ok && e.Last().Sub(t) > OneClock {
			return true
		}
	}
	return false
}
