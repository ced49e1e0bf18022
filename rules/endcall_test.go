package rules

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// aProxy is an ordinary istio-proxy of one release that runs, in a pod of its own.
func aProxy(release string, change func(*facts.Pod, *kube.Container)) *facts.Container {
	spec := &kube.Container{Name: istioProxy, Image: "docker.io/istio/proxyv2:" + release, Args: []string{"proxy", "sidecar"}}
	p := &facts.Pod{Pod: &kube.Pod{}}
	p.Spec.RestartPolicy = "Never"
	if change != nil {
		change(p, spec)
	}
	c := &facts.Container{Pod: p, Name: istioProxy, Spec: spec, Placement: facts.Ordinary, Role: facts.Sidecar,
		Helper: &facts.Helper{ID: istioProxy, Product: "Istio", Mesh: true, ByName: true},
		Status: &kube.ContainerStatus{Name: istioProxy, State: kube.ContainerState{Running: &kube.Running{}}}}
	p.Containers = []*facts.Container{c}
	return c
}

// TestCallIsAnswered: by release, by the status port wherever it is set, and by what the image holds (facts/istio.md §7).
func TestCallIsAnswered(t *testing.T) {
	annotated := func(port string) func(*facts.Pod, *kube.Container) {
		return func(p *facts.Pod, _ *kube.Container) {
			p.Meta.Annotations = kube.Pairs{{Key: statusPortAnnotation, Value: port}}
		}
	}
	flag := func(args ...string) func(*facts.Pod, *kube.Container) {
		return func(_ *facts.Pod, c *kube.Container) { c.Args = append(c.Args, args...) }
	}
	for _, tt := range []struct {
		name, release string
		change        func(*facts.Pod, *kube.Container)
		can           version.Answer
		port          string
		offers, not   string
	}{
		{"the agent has no call yet", "1.2.10", nil, version.No, "", "kill -TERM 1", "quitquitquit"},
		{"the agent's own call", "1.3.8", nil, version.Yes, "15020", "http://localhost:15020/quitquitquit", "pilot-agent request"},
		{"on another port", "1.3.8", annotated("16020"), version.Yes, "16020", "http://localhost:16020/quitquitquit", ":15020"},
		{"switched off by annotation", "1.3.8", annotated("0"), version.No, "", "kill -TERM 1", "quitquitquit"},
		{"switched off by flag", "1.3.8", flag("--statusPort", "0"), version.No, "", "kill -TERM 1", "quitquitquit"},
		{"switched off by flag in one word", "1.3.8", flag("--statusPort=0"), version.No, "", "kill -TERM 1", "quitquitquit"},
		{"switched off in the proxy's configuration", "1.3.8", func(_ *facts.Pod, c *kube.Container) {
			c.Env = []kube.EnvVar{{Name: "PROXY_CONFIG", Value: `{"statusPort":0}`}}
		}, version.No, "", "kill -TERM 1", "quitquitquit"},
		{"another port of Envoy's", "1.26.2", func(_ *facts.Pod, c *kube.Container) {
			c.Env = []kube.EnvVar{{Name: "PROXY_CONFIG", Value: `{"proxyAdminPort":15500}`}}
		}, version.Yes, "15020", "http://localhost:15020/quitquitquit", "pilot-agent request"},
		{"the agent of proxyless gRPC has no Envoy to ask", "1.26.2", func(_ *facts.Pod, c *kube.Container) {
			c.Env = []kube.EnvVar{{Name: "DISABLE_ENVOY", Value: "true"}}
		}, version.Yes, "15020", "http://localhost:15020/quitquitquit", "pilot-agent request"},
		{"nor one by its template", "1.26.2", func(p *facts.Pod, _ *kube.Container) {
			p.Meta.Annotations = kube.Pairs{{Key: facts.TemplatesAnnotation, Value: "grpc-agent"}}
		}, version.Yes, "15020", "http://localhost:15020/quitquitquit", "pilot-agent request"},
		{"no curl in the image", "1.3.8-distroless", nil, version.Yes, "15020", "has no shell", "curl -sS"},
		{"Envoy's call needs no status port", "1.4.0", annotated("0"), version.Yes, "15000", "pilot-agent request POST quitquitquit", "15020"},
		{"nor curl", "1.26.2-distroless", nil, version.Yes, "15000", "pilot-agent request POST quitquitquit", "curl"},
		{"a masked port is the default one", "1.3.8", annotated("REDACTED"), version.Yes, "15020", "http://localhost:15020/quitquitquit", "kill"},
		{"a tag that tells nothing", "latest", nil, version.Maybe, "15000", "from Istio 1.4.0 on, which its image does not tell", "curl"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := aProxy(tt.release, tt.change)
			if call := callOf(base(t), c); call.can != tt.can || call.port != tt.port {
				t.Errorf("%v on port %q: %s", call.can, call.port, call.why)
			}
			text := endOne(passOf(t, c), c).text().String()
			if !strings.Contains(text, tt.offers) || strings.Contains(text, tt.not) {
				t.Errorf("%s", text)
			}
		})
	}
}

// TestCallHasToBeSwitchedOn: the quit calls of other products are answered only where the pod asks for them, and what is
// masked or not shown proves nothing.
func TestCallHasToBeSwitchedOn(t *testing.T) {
	of := func(id, image string, args []string, notes kube.Pairs) *facts.Container {
		c := aProxy("1.0", nil)
		c.Name, c.Helper = id, &facts.Helper{ID: id, ByName: true}
		c.Spec = &kube.Container{Name: id, Image: image, Args: args}
		c.Pod.Meta.Annotations = notes
		return c
	}
	sql := "gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.8.0"
	vault := kube.Pairs{{Key: "vault.hashicorp.com/agent-inject", Value: "true"}}
	quit := kube.Pairs{{Key: "vault.hashicorp.com/agent-enable-quit", Value: "true"}, {Key: "vault.hashicorp.com/agent-inject", Value: "true"}}
	for _, tt := range []struct {
		name string
		c    *facts.Container
		can  version.Answer
	}{
		{"with the flag", of("cloud-sql-proxy", sql, []string{"--quitquitquit", "p:r:i"}, nil), version.Maybe},
		{"in a shell's script", of("cloud-sql-proxy", sql, []string{"-c", "exec /cloud-sql-proxy --quitquitquit p:r:i"}, nil), version.Maybe},
		{"without it", of("cloud-sql-proxy", sql, []string{"p:r:i"}, nil), version.No},
		{"masked", of("cloud-sql-proxy", sql, []string{"REDACTED"}, nil), version.Maybe},
		{"annotation", of("vault-agent", "hashicorp/vault:1.15", nil, quit), version.Maybe},
		{"no annotation", of("vault-agent", "hashicorp/vault:1.15", nil, vault), version.No},
		{"no annotations at all in the bundle", of("vault-agent", "hashicorp/vault:1.15", nil, nil), version.Maybe},
		{"needs no switch", of("daprd", "daprio/daprd:1.12", nil, nil), version.Maybe},
		{"has none", of("fluentd", "fluent/fluentd:v1.16", nil, nil), version.No},
	} {
		if call := callOf(base(t), tt.c); call.can != tt.can {
			t.Errorf("%s: %v, %s", tt.name, call.can, call.why)
		}
	}
}

// TestBadEndByPolicy: what an exit code other than 0 does is up to restartPolicy.
func TestBadEndByPolicy(t *testing.T) {
	for policy, says := range map[string]string{"Never": "fails the pod, though", "OnFailure": "the kubelet starts it again (restartPolicy OnFailure)", "": "under restartPolicy Never, and"} {
		c := aProxy("1.2.10", nil)
		c.Pod.Spec.RestartPolicy = policy
		if text := endingBadly([]string{"x"}, c.Pod).String(); !strings.Contains(text, says) {
			t.Errorf("%q: %s", policy, text)
		}
		shared := true
		c.Pod.Spec.ShareProcessNamespace = &shared
		if text := endOne(passOf(t, c), c).text().String(); strings.Contains(text, "kill -TERM 1") || !strings.Contains(text, "ps -ef") {
			t.Errorf("process 1 is another's: %s", text)
		}
	}
}

// TestNowWithoutACall: a sidecar that no call ends leaves no step without an action, and nothing is waited for after the
// Job is gone.
func TestNowWithoutACall(t *testing.T) {
	text := nowOf(t, HeldBySidecar, nil, "cases", "16-fluentd-cron-active-grows")
	inOrder(t, text, "end fluentd, or delete the Job", "suspend CronJob", "-cronjob.yaml", "--timestamps", "no call is known that ends fluentd", "-c fluentd -- sh -c 'kill -TERM 1'",
		"see whether that was enough", "kubectl wait", "only where that is refused", "kubectl delete job", "starts it again (restartPolicy OnFailure)")
	if i, j := strings.LastIndex(text, "kubectl wait"), strings.Index(text, "kubectl delete job"); i > j {
		t.Errorf("a Job that is gone never completes:\n%s", text)
	}
	if strings.Contains(text, "fails the pod") {
		t.Errorf("under OnFailure it does not:\n%s", text)
	}
}

// TestNowOfAPodThatFails: another container has failed already, so that the end of what holds the pod makes it Failed
// (facts/kubernetes.md §3.1).
func TestNowOfAPodThatFails(t *testing.T) {
	exit := func(code int64, policy string) func(*facts.Workload) {
		return func(w *facts.Workload) {
			for _, p := range w.Pods {
				p.Spec.RestartPolicy = policy
				bad := &facts.Container{Pod: p, Name: "fluent-bit", Placement: facts.Ordinary, Role: facts.Sidecar, Spec: &kube.Container{Name: "fluent-bit"},
					Status: &kube.ContainerStatus{Name: "fluent-bit", State: kube.ContainerState{Terminated: &kube.Terminated{ExitCode: code}}}}
				p.Containers = append(p.Containers, bad)
			}
		}
	}
	held := []string{"bundles", "ordinary-sidecar-holding-job"}
	text := nowOf(t, HeldBySidecar, exit(1, "Never"), held...)
	inOrder(t, text, "fluent-bit exited 1 beside it, so that the pod ends Failed", "may run the program again", "know what follows: fluent-bit exited 1", "runs the program again",
		"kubectl exec", "the pod's phase is Failed", "kubectl delete job")
	if strings.Contains(text, "the Job completes") || strings.Contains(text, "kubectl wait") {
		t.Errorf("it does not complete:\n%s", text)
	}
	if text := nowOf(t, HeldBySidecar, exit(0, "Never"), held...); !strings.Contains(text, "the Job completes without running the program again") {
		t.Errorf("nothing fails this pod:\n%s", text)
	}
}

// TestNowWhereTheCallMayHaveFailed: an exit code of a command that also makes a quit call is nobody's for certain.
func TestNowWhereTheCallMayHaveFailed(t *testing.T) {
	text := nowOf(t, FailureHiddenBySidecar, nil, "cases", "78-status-port-zero-quit-call-fails")
	inOrder(t, text, "cleanup exited 7 and nobody counts it; whether its work failed, or only its call", "or delete the Job", "the status port is 0 here")
	if strings.Contains(text, "the program has failed") || strings.Contains(text, "quitquitquit") {
		t.Errorf("neither is known:\n%s", text)
	}
}

// TestPullOfALateSidecar: the image alone lets nothing end that a sidecar holds from then on.
func TestPullOfALateSidecar(t *testing.T) {
	text := nowOf(t, ImagePullFailing, nil, "cases", "70-imagepull-of-second-sidecar")
	inOrder(t, text, "manifest for registry.example.com", "once the image can be had opa-istio starts", "does not let the Job end", "once it runs: no call is known that ends opa-istio",
		"istio-proxy of pod", "so that the next run is not held: run opa-istio as a native sidecar")
	if strings.Contains(text, "the pod begins") {
		t.Errorf("its program has ended:\n%s", text)
	}
}

// TestOneWayToSave: a report and a plan write the same files of the same pods.
func TestOneWayToSave(t *testing.T) {
	c := fixtureCluster(t, "bundles", "cronjob-holding")
	w := c.Workloads[0]
	var plan []string
	for _, s := range Fix(c, base(t), w, nil).Steps {
		if strings.HasPrefix(s.Title.String(), "save the evidence") {
			plan = s.Commands
		}
	}
	inOrder(t, nowOf(t, HeldBySidecar, nil, "bundles", "cronjob-holding"), strings.Join(plan, "\n"))
	for _, cmd := range append(saveCommands(w, nil), plan...) {
		if strings.Contains(cmd, "kubectl logs") && (!strings.Contains(cmd, "--timestamps") || strings.Contains(cmd, " -l ") && !strings.Contains(cmd, "--tail=-1")) {
			t.Errorf("%s", cmd)
		}
	}
}

// passOf is a look at the workload of a container alone.
func passOf(t *testing.T, c *facts.Container) *analyze.Pass {
	t.Helper()
	return &analyze.Pass{Know: base(t), Workload: &facts.Workload{Ref: evidence.Ref{Kind: "Job", Namespace: "team-app", Name: "report"}, Pods: []*facts.Pod{c.Pod}}}
}
