package podgen_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube/podgen"
)

const enough = 200 // pods that have every branch of the templates

func text(t *testing.T, write func(io.Writer, int) error, n int) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, n); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func read(t *testing.T, n int) *bundle.Bundle {
	t.Helper()
	archive := text(t, podgen.Archive, n)
	b, err := bundle.Read(context.Background(), "-", strings.NewReader(archive), bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// kubectl prints what this library makes of a list; so what is made up must come out of it the same to the byte.
func TestAsKubectlPrintsIt(t *testing.T) {
	for name, write := range map[string]func(io.Writer, int) error{"pods": podgen.Pods, "jobs": podgen.Jobs, "nodes": podgen.Nodes} {
		got := text(t, write, enough)
		var list any
		if err := yaml.UnmarshalStrict([]byte(got), &list); err != nil {
			t.Fatal(err)
		}
		want, err := yaml.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		is, should := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range min(len(is), len(should)) {
			if is[i] != should[i] {
				t.Fatalf("%s, line %d: %q, the library has %q", name, i+1, is[i], should[i])
			}
		}
		if len(is) != len(should) {
			t.Errorf("%s: %d lines, the library has %d", name, len(is), len(should))
		}
	}
}

// The archive reads without a problem, and every Job and node that its pods name is there.
func TestArchiveReads(t *testing.T) {
	b := read(t, enough)
	if len(b.Problems) > 0 {
		t.Error(b.Problems)
	}
	set := b.Set
	if len(set.Pods) != enough || len(set.Nodes) != enough/50 || set.Jobs == nil {
		t.Fatal(len(set.Pods), len(set.Jobs), len(set.Nodes))
	}
	known := map[string]bool{}
	for _, j := range set.Jobs {
		known["Job/"+j.Meta.Namespace+"/"+j.Meta.Name+"/"+j.Meta.UID] = true
	}
	for _, n := range set.Nodes {
		known["Node/"+n.Meta.Name] = true
	}
	seen := map[string]bool{}
	for _, p := range set.Pods {
		m := p.Meta
		if seen[m.UID] || seen[m.Namespace+"/"+m.Name] {
			t.Errorf("pod %s/%s is there twice", m.Namespace, m.Name)
		}
		seen[m.UID], seen[m.Namespace+"/"+m.Name] = true, true
		if o := m.Owners[0]; o.Kind == "Job" && !known["Job/"+m.Namespace+"/"+o.Name+"/"+o.UID] {
			t.Errorf("pod %s is owned by a Job that is not written: %v", m.Name, o)
		}
		if !known["Node/"+p.Spec.NodeName] {
			t.Errorf("pod %s runs on a node that is not written: %s", m.Name, p.Spec.NodeName)
		}
	}
}

// The shares that the package comment names.
func TestMixture(t *testing.T) {
	const n = 2000
	count := map[string]int{}
	for _, p := range read(t, n).Set.Pods {
		owner, kind := p.Meta.Owners[0].Kind, "none"
		for _, c := range p.Spec.InitContainers {
			if c.Name == "istio-proxy" {
				kind = "native"
			}
		}
		if stateOf(p, "istio-proxy") != nil {
			kind = "classic"
		}
		count[owner+" "+kind]++
		if own := stateOf(p, p.Meta.Labels.Get("app.kubernetes.io/name")); owner == "Job" && kind == "classic" &&
			own.Terminated != nil && stateOf(p, "istio-proxy").Running != nil {
			count["stuck"]++
		}
	}
	for what, share := range map[string]float64{"ReplicaSet classic": 0.50, "StatefulSet classic": 0.08, "Job classic": 0.14, "Job native": 0.04,
		"ReplicaSet native": 0.04, "Job none": 0.04, "ReplicaSet none": 0.09, "stuck": 0.6 * 0.14} {
		if got := float64(count[what]) / n; got < share*0.75 || got > share*1.25 {
			t.Errorf("%s: %.3f of the pods, want about %.3f", what, got, share)
		}
	}
}

// stateOf gives the state of a container that is no init container.
func stateOf(p *kube.Pod, name string) *kube.ContainerState {
	for i := range p.Status.ContainerStatuses {
		if c := &p.Status.ContainerStatuses[i]; c.Name == name {
			return &c.State
		}
	}
	return nil
}

// The bytes are the same on every machine, and those of a longer list begin like those of a shorter one. A change of
// what is made up changes what benchmarks measure: numbers from before it are then of another cluster.
func TestSameBytes(t *testing.T) {
	sum := sha256.New()
	for _, write := range []func(io.Writer, int) error{podgen.Pods, podgen.Jobs, podgen.Nodes} {
		short, long := text(t, write, 100), text(t, write, 150)
		if body := short[:strings.LastIndex(short, "\nkind: List")]; !strings.HasPrefix(long, body) {
			t.Error("a longer list begins differently")
		}
		sum.Write([]byte(short))
	}
	if got, want := fmt.Sprintf("%x", sum.Sum(nil)[:8]), "e13105bb279b799f"; got != want {
		t.Errorf("%s, was %s", got, want)
	}
	if once, again := text(t, podgen.Archive, 20), text(t, podgen.Archive, 20); once != again {
		t.Error("an archive differs from one time to the next")
	}
}

// What is left out of a list is what a longer one begins with.
func TestPodsFrom(t *testing.T) {
	from := text(t, func(w io.Writer, n int) error { return podgen.PodsFrom(w, 7, n) }, 5)
	if all := text(t, podgen.Pods, 12); !strings.HasSuffix(all, from[strings.Index(from, "- "):]) {
		t.Error("other pods")
	}
}
