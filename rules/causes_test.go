package rules

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// A held Job in every combination of release, annotation, variable and nodes: the rules name the cause that there is,
// and no other. The expectations are written from the published behaviour and not from rules/data.

type situation struct {
	minor      int
	annotation *string
	env        *string
	kubelets   []string
}

func (s situation) String() string {
	show := func(v *string) string {
		if v == nil {
			return "unset"
		}
		return fmt.Sprintf("%q", *v)
	}
	return fmt.Sprintf("Istio 1.%d annotation %s env %s kubelets %q", s.minor, show(s.annotation), show(s.env), s.kubelets)
}

func (s situation) reads() bool { return s.minor >= 24 }
func (s situation) auto() bool  { return s.minor >= 27 }

// byAnnotation says that the annotation decides.
func (s situation) byAnnotation() bool {
	return s.reads() && s.annotation != nil && (*s.annotation != "" || !s.auto())
}

func oneOf(v *string, list ...string) bool { return v != nil && slices.Contains(list, *v) }

// causes are the codes that must fire, in the order of the catalogue.
func (s situation) causes() []analyze.Code {
	var out []analyze.Code
	add := func(is bool, code analyze.Code) {
		if is {
			out = append(out, code)
		}
	}
	envDecides := s.minor >= 19 && !s.byAnnotation()
	meantOff := oneOf(s.env, "False", "0", "no")
	known := oneOf(s.env, "true", "false") || s.env == nil || s.auto() && *s.env == "auto" || !s.auto() && *s.env == ""
	old := slices.ContainsFunc(s.kubelets, func(k string) bool { return k == "v1.32.9" || k == "fake" })
	add(s.minor <= 18 || envDecides && !s.auto() && (s.env == nil || *s.env == ""), "NativeDefaultOff")
	add(envDecides && s.auto() && (s.env == nil || *s.env == "auto") && old, "AutoBlockedByNode")
	add(envDecides && (oneOf(s.env, "false") || meantOff), "NativeDisabledByEnv")
	add(envDecides && oneOf(s.env, "true"), "NativeForcedByEnv")
	add(s.minor >= 19 && !known && !meantOff, "EnvValueNotUnderstood")
	add(s.reads() && oneOf(s.annotation, "false"), "NativeOptOut")
	add(!s.reads() && s.annotation != nil, "AnnotationTooEarly")
	add(s.reads() && s.annotation != nil && !oneOf(s.annotation, "true", "false"), "AnnotationValueUnexpected")
	return out
}

// set is the bundle: a Job with its held pod, istiod, nodes, all consistent with each other.
func (s situation) set() *kube.Set {
	image := fmt.Sprintf("docker.io/istio/proxyv2:1.%d.1", s.minor)
	pod := podOf("Never", "Running", app().exits(0), container("istio-proxy", image))
	job := jobOf()
	job.Spec.Template.Spec.Containers = job.Spec.Template.Spec.Containers[:1]
	if s.annotation != nil {
		job.Spec.Template.Meta.Annotations = kube.Pairs{{Key: facts.NativeAnnotation, Value: *s.annotation}}
		pod.Meta.Annotations = kube.Pairs{{Key: facts.NativeAnnotation, Value: *s.annotation}}
	}
	set := &kube.Set{Jobs: []*kube.Job{job}, Pods: []*kube.Pod{pod}, Servers: []kube.ServerVersion{{GitVersion: "v1.33.4"}}}
	d := &kube.Controller{}
	d.Kind, d.APIVersion = "Deployment", "apps/v1"
	d.Meta = kube.Meta{Name: "istiod", Namespace: "istio-system", Labels: kube.Pairs{{Key: "app", Value: "istiod"}}, Created: stampOf(began.Add(-24 * time.Hour))}
	discovery := kube.Container{Name: "discovery", Image: fmt.Sprintf("docker.io/istio/pilot:1.%d.1", s.minor)}
	if s.env != nil {
		discovery.Env = []kube.EnvVar{{Name: facts.NativeEnv, Value: kube.Scalar(*s.env)}}
	}
	d.Spec.Template.Spec.Containers = []kube.Container{discovery}
	set.Controllers = []*kube.Controller{d}
	for i, k := range s.kubelets {
		n := &kube.Node{}
		n.Kind, n.APIVersion = "Node", "v1"
		n.Meta.Name = "node-" + string(rune('a'+i))
		n.Status.NodeInfo.KubeletVersion = k
		set.Nodes = append(set.Nodes, n)
	}
	return set
}

func TestTheCauseAndNoOther(t *testing.T) {
	values := func(list ...string) []*string {
		out := []*string{nil}
		for i := range list {
			out = append(out, &list[i])
		}
		return out
	}
	asked := []analyze.Code{"NativeDefaultOff", "AutoBlockedByNode", "NativeDisabledByEnv", "NativeForcedByEnv", "EnvValueNotUnderstood",
		"EnvInWrongPlace", "CompatibilityProfileDisables", "InjectorTemplateOlder", "TemplateNeverNative", "ControlPlaneUnknown",
		"AnnotationMisplaced", "NativeOptOut", "AnnotationMisspelled", "AnnotationTooEarly", "AnnotationValueUnexpected", "AnnotationBeyondNodes", "AnnotationTooLate"}
	k, n := base(t), 0
	for _, minor := range []int{17, 18, 19, 23, 24, 26, 27, 30} {
		for _, annotation := range values("", "true", "false", "True", "no") {
			for _, env := range values("", "true", "false", "auto", "True", "False", "1", "0") {
				for _, kubelets := range [][]string{{"v1.33.4"}, {"v1.33.4", "v1.32.9"}, {"v1.33.4", "fake"}} {
					s := situation{minor, annotation, env, kubelets}
					if got := firedFor(t, k, s.set(), asked); !slices.Equal(got, s.causes()) {
						t.Errorf("%s: fired %q, want %q", s, got, s.causes())
					}
					n++
				}
			}
		}
	}
	t.Logf("%d situations", n)
}

// firedFor runs rules on the only workload of a set.
func firedFor(t *testing.T, k *knowledge.Base, set *kube.Set, codes []analyze.Code) []analyze.Code {
	t.Helper()
	c := facts.Build(set, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
	w := c.Workloads[0]
	j := Judge(c, w)
	if j.Code != HeldBySidecar {
		t.Fatalf("verdict %s (%s)", j.Code, j.Summary)
	}
	p := &analyze.Pass{Cluster: c, Know: k, Workload: w, Verdict: &j, Next: Next(c, k, w)}
	var out []analyze.Code
	for _, r := range All() {
		if r.Scope != analyze.PerWorkload || !slices.Contains(codes, r.Code) {
			continue
		}
		o := r.Run(p)
		for _, one := range append([]analyze.Outcome{o}, o.More...) {
			if one.Status == analyze.Fired {
				out = append(out, r.Code)
				if len(one.Because) == 0 {
					t.Errorf("%s fired without evidence", r.Code)
				}
			}
		}
	}
	return out
}
