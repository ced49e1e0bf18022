package facts

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Columns gives the columns of a pod. describe text prints neither restartPolicy nor started and keeps the order of the
// spec: what was inferred of the containers stands in for the one, Ready for the other, and the statuses are put in the
// kubelet's order, by name.
func (p *Pod) Columns(pr Printer) Columns {
	if !p.Described() {
		return ColumnsOf(p.Pod, pr)
	}
	k := *p.Pod
	k.Spec.InitContainers = slices.Clone(k.Spec.InitContainers)
	k.Status.InitContainerStatuses = slices.Clone(k.Status.InitContainerStatuses)
	for _, c := range p.Of(IsPlaced(Native)) {
		for i := range k.Spec.InitContainers {
			if k.Spec.InitContainers[i].Name == c.Name {
				k.Spec.InitContainers[i].RestartPolicy = "Always"
			}
		}
		for i, s := range k.Status.InitContainerStatuses {
			if s.Name == c.Name && s.Started == nil {
				started := s.Ready
				k.Status.InitContainerStatuses[i].Started = &started
			}
		}
	}
	k.Status.ContainerStatuses = slices.Clone(k.Status.ContainerStatuses)
	slices.SortStableFunc(k.Status.ContainerStatuses, func(a, b kube.ContainerStatus) int { return strings.Compare(a.Name, b.Name) })
	return ColumnsOf(&k, pr)
}
