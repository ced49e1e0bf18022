package rules

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// laterRun notes what the newest run of a CronJob proves of the next one: a pod that was injected with the same settings,
// has its proxy as a native sidecar and came to its end shows that the nodes run such pods, and, where istiod was not
// rolled out since, that they are made so.
func (g *gathered) laterRun(c *facts.Cluster, w *facts.Workload, cp *facts.ControlPlane, revision string) {
	proxy := provenRun(c, w)
	if proxy == nil || g.in.InManifest != "" {
		return
	}
	pod := proxy.Pod
	if r := injectedBy(pod); r != "" && revision != "" && r != revision {
		return // another istiod made that pod
	}
	if t, ok := decidingTemplate(w); !ok || !sameAsked(pod, t) {
		return
	}
	g.in.Ran = knowledge.Ran{Pod: pod.Meta.Name, Where: proxy.EvPlacement().Where(), Emitted: true}
	if cp != nil {
		last := lastRollout(cp).at
		g.in.Ran.Emitted = last.IsZero() || last.Before(pod.Meta.Created.Time)
	}
}

// sameAsked says that a pod asked the injector for what the template asks for today.
func sameAsked(pod *facts.Pod, t deciding) bool {
	for _, key := range []string{facts.NativeAnnotation, facts.TemplatesAnnotation, facts.InjectAnnotation, proxyImageAnnotation} {
		was, had := pod.Meta.Annotations.Lookup(key)
		is, has := t.meta.Annotations.Lookup(key)
		if had != has || was != is {
			return false
		}
	}
	return t.spec.NodeName == "" || t.spec.NodeName == pod.Spec.NodeName
}

// provenRun gives the native proxy of the newest pod of a CronJob's runs, where that one completed; nil for any other.
func provenRun(c *facts.Cluster, w *facts.Workload) *facts.Container {
	ref, ok := cronRef(w)
	if !ok {
		return nil
	}
	pod := facts.OnceFor(c, "newest-run-pod", ref, func() *facts.Pod { return newestOfRuns(c, ref) })
	if pod == nil || pod.Described() || pod.Injection == nil || pod.Status.Phase != "Succeeded" {
		return nil
	}
	if proxy := proxyOf(pod); proxy != nil && proxy.Placement == facts.Native && proxy.SaysAlways() {
		return proxy
	}
	return nil
}

// newestOfRuns gives the pod that was made last of all runs of a CronJob; nil where the time of one is not known.
func newestOfRuns(c *facts.Cluster, ref evidence.Ref) *facts.Pod {
	var pods []*facts.Pod
	for _, run := range facts.Once(c, "by-parent", byParent)[ref] {
		for _, pod := range run.Pods {
			if pod.Meta.Created.IsZero() {
				return nil
			}
			pods = append(pods, pod)
		}
	}
	return newest(pods)
}

// provenSince gives the pod of a later run that shows what the next one gets; nil where the workload's own pods are the
// newest, or nothing shows it.
func provenSince(c *facts.Cluster, w *facts.Workload, n knowledge.Decision) *facts.Pod {
	proxy := provenRun(c, w)
	if proxy == nil || n.Placement != knowledge.Native {
		return nil
	}
	for _, pod := range w.Pods {
		if pod == proxy.Pod {
			return nil
		}
	}
	return proxy.Pod
}
