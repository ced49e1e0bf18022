package rules

import (
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

func kubelet(name, version string) *kube.Node {
	n := &kube.Node{}
	n.Kind, n.Meta.Name, n.Status.NodeInfo.KubeletVersion = "Node", name, version
	n.Status.Conditions = []kube.Condition{{Type: "Ready", Status: "True"}}
	return n
}

// TestOldKubelet: where the pod's status does not tell, a kubelet that by its version knows no native sidecars does.
func TestOldKubelet(t *testing.T) {
	waits := app().waits("PodInitializing")
	waits.status.Started = nil
	trimmed := func() *kube.Pod { return podOf("Never", "Pending", proxy().native().unreported(), waits) }
	phase := func(p *kube.Pod, phase string) *kube.Pod { p.Status.Phase = phase; return p }
	onNode := func(version string) []*kube.Node { return []*kube.Node{kubelet("node-a", version)} }
	works := podOf("Never", "Running", proxy().native(), app())
	works.Meta.Name, works.Meta.UID, works.Meta.Owners = "other", "pod-9", nil
	reported := container("log", "registry.example.com/log:1").native()
	templated := jobOf()
	templated.Spec.Template.Spec.InitContainers = []kube.Container{proxy().native().spec}
	told := podOf("", "Pending", proxy().inInit().unreported(), waits)
	told.Origin.Strength = evidence.Described
	for _, tt := range []struct {
		name  string
		pod   *kube.Pod
		nodes []*kube.Node
		more  []*kube.Pod
		at    time.Time
		job   *kube.Job
		want  analyze.Code
	}{
		{"old", trimmed(), onNode("v1.27.11-eks-a1"), nil, taken, jobOf(), NodeRejectedSidecar},
		{"old, moments after it began", trimmed(), onNode("v1.27.11-eks-a1"), nil, began.Add(20 * time.Second), jobOf(), NodeRejectedSidecar},
		{"new", trimmed(), onNode("v1.30.2"), nil, taken, jobOf(), SidecarNotStarted},
		{"new, moments after it began", trimmed(), onNode("v1.30.2"), nil, began.Add(20 * time.Second), jobOf(), InsufficientEvidence},
		{"no node", trimmed(), nil, nil, taken, jobOf(), SidecarNotStarted},
		{"another node", trimmed(), []*kube.Node{kubelet("node-b", "v1.27.11")}, nil, taken, jobOf(), SidecarNotStarted},
		{"a virtual kubelet", trimmed(), onNode("v1.19.10-vk-azure-aci-v1.4.1"), nil, taken, jobOf(), SidecarNotStarted},
		{"a version that says nothing", trimmed(), onNode("fake"), nil, taken, jobOf(), SidecarNotStarted},
		{"another init container reports started", podOf("Never", "Pending", reported, proxy().native().unreported(), waits), onNode("v1.27.11"), nil, taken, jobOf(), SidecarNotStarted},
		{"a native sidecar worked on that node", trimmed(), onNode("v1.27.11"), []*kube.Pod{works}, taken, jobOf(), SidecarNotStarted},
		{"it waits for its image", podOf("Never", "Pending", proxy().native().unreported().waits("ImagePullBackOff"), waits), onNode("v1.27.11"), nil, taken, jobOf(), SidecarNotStarted},
		{"an init container before it runs", podOf("Never", "Pending", container("migrate", "m:1").inInit().unreported(), proxy().native().lost(), waits), onNode("v1.27.11"), nil, taken, jobOf(), InitNotFinished},
		{"the application began", phase(podOf("Never", "Running", proxy().native().unreported(), app()), "Running"), onNode("v1.27.11"), nil, taken, jobOf(), AppRunning},
		{"described, asked for in the template", told, onNode("v1.27.11"), nil, taken, templated, NodeRejectedSidecar},
		{"described, and nothing tells what was asked for", told, onNode("v1.27.11"), nil, taken, jobOf(), SidecarBlocksInit},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := &kube.Set{Jobs: []*kube.Job{tt.job}, Pods: append([]*kube.Pod{tt.pod}, tt.more...), Nodes: tt.nodes}
			if j := judgedFirst(t, set, tt.at); j.Code != tt.want {
				t.Errorf("%s (%s), want %s", j.Code, j.Summary, tt.want)
			}
		})
	}
}

// TestAppliedAsNative: what was applied tells what a container was meant to be, as the template does.
func TestAppliedAsNative(t *testing.T) {
	const manifest = `{"apiVersion":"batch/v1","kind":"Job","spec":{"template":{"spec":{"initContainers":[{"name":"forwarder","restartPolicy":"Always"}]}}}}`
	const podManifest = `{"apiVersion":"v1","kind":"Pod","spec":{"initContainers":[{"name":"forwarder","restartPolicy":"Always"}]}}`
	forwarder := container("forwarder", "registry.example.com/forwarder:1").inInit()
	applied := func(text string) kube.Pairs { return kube.Pairs{{Key: lastApplied, Value: text}} }
	for _, tt := range []struct {
		name         string
		onJob, onPod string
		init         told
		want         analyze.Code
	}{
		{"applied with the Job", manifest, "", forwarder, SidecarBlocksInit},
		{"applied with the pod", "", podManifest, forwarder, SidecarBlocksInit},
		{"nothing of it", "", "", forwarder, InitNotFinished},
		{"another container was", manifest, "", container("migrate", "m:1").inInit(), InitNotFinished},
		{"it does not run", manifest, "", forwarder.exits(1), InitNotFinished},
		{"it has ended", manifest, "", forwarder.exits(0), ContainerCannotStart},
	} {
		job := jobOf()
		pod := podOf("Never", "Pending", tt.init, app().waits("PodInitializing"))
		job.Spec.Template.Spec.InitContainers = []kube.Container{forwarder.spec}
		if tt.onJob != "" {
			job.Meta.Annotations = applied(tt.onJob)
		}
		if tt.onPod != "" {
			pod.Meta.Annotations = applied(tt.onPod)
		}
		if j := judged(t, &kube.Set{Jobs: []*kube.Job{job}, Pods: []*kube.Pod{pod}}); j.Code != tt.want {
			t.Errorf("%s: %s (%s), want %s", tt.name, j.Code, j.Summary, tt.want)
		}
	}
}
