package kube

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// A pod of a service is reduced to the same by the fast reader, which reads no more of it than that takes, by the
// library, and from the whole pod.
func TestReducedPodsAreTheSameEitherWay(t *testing.T) {
	var texts []string
	for _, path := range fixtureFiles(t, ".yaml") {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, yamlObjects(string(b))...)
	}
	texts = append(texts, yamlObjects(string(podList(t, 200)))...)
	reduced := 0
	for _, raw := range texts {
		read := func(careful, reduce bool) *Set {
			set := &Set{}
			d := &Decoder{Set: set, careful: careful, Reduce: reduce, Report: func(int, string) {}}
			_ = d.Object(Text{Raw: []byte(raw), Line: 7}, "")
			return set
		}
		fast, slow, whole := read(false, true), read(true, true), read(false, false)
		if !reflect.DeepEqual(fast.Services, slow.Services) {
			t.Fatalf("reduced to %+v, by the library to %+v:\n%s", fast.Services, slow.Services, raw)
		}
		if len(fast.Pods)+len(fast.Services) != len(whole.Pods) || len(fast.Pods) != len(slow.Pods) {
			t.Fatalf("%d pods and %d reduced ones of %d:\n%s", len(fast.Pods), len(fast.Services), len(whole.Pods), raw)
		}
		reduced += len(fast.Services)
		for i, s := range fast.Services {
			p := whole.Pods[i]
			if s.Ref() != p.Ref() || s.UID != p.Meta.UID || s.Node != p.Spec.NodeName || s.Phase != p.Status.Phase || s.Line != p.Origin.LineOf("metadata.uid") {
				t.Errorf("%+v is what is left of %s", s, raw)
			}
			if path, at := p.newest(Time{}); s.Newest == nil || !s.Newest.Time.Equal(at.Time) || s.Newest.Evidence != p.Ev(path, at.String()) {
				t.Errorf("newest time %+v, want %s at %s", s.Newest, at, path)
			}
		}
	}
	if reduced < 100 {
		t.Errorf("only %d pods were reduced", reduced)
	}
}

// What an answer may ask for keeps a pod whole.
func TestNotReduced(t *testing.T) {
	const ordinary = `apiVersion: v1
kind: Pod
metadata:
  name: web-1
  namespace: shop
  ownerReferences:
  - apiVersion: apps/v1
    controller: true
    kind: ReplicaSet
    name: web
    uid: b
  uid: a
spec:
  containers:
  - name: web
  restartPolicy: Always
status:
  phase: Running
`
	for _, c := range []struct {
		name, old, new string
		reduced        bool
	}{
		{name: "ordinary", reduced: true},
		{"of a Job", "kind: ReplicaSet", "kind: Job", false},
		{"of a static pod's node", "kind: ReplicaSet", "kind: Node", false},
		{"without owner", "controller: true\n    kind: ReplicaSet\n    name: web\n    uid: b", "name: web", false},
		{"that ends", "restartPolicy: Always", "restartPolicy: Never", false},
		{"of kube-system", "namespace: shop", "namespace: kube-system", false},
		{"of istiod", "name: web\n  restartPolicy", "name: discovery\n  restartPolicy", false},
		{"labelled istiod", "  name: web-1", "  labels:\n    app: istiod\n  name: web-1", false},
		{"with a host port", "- name: web\n", "- name: web\n    ports:\n    - containerPort: 80\n      hostPort: 80\n", false},
		{"with a native sidecar", "  restartPolicy: Always", "  initContainers:\n  - name: p\n    restartPolicy: Always\n  restartPolicy: Always", false},
		{"with an init container", "  restartPolicy: Always", "  initContainers:\n  - name: p\n  restartPolicy: Always", true},
		{"without uid", "\n  uid: a", "", false},
	} {
		text := ordinary
		if c.old != "" {
			if text = replaceOnce(t, text, c.old, c.new); text == ordinary {
				t.Fatal(c.name)
			}
		}
		for _, careful := range []bool{false, true} {
			set := &Set{}
			d := &Decoder{Set: set, careful: careful, Reduce: true, Report: func(int, string) {}}
			if err := d.Object(Text{Raw: []byte(text), Line: 1}, ""); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if got := len(set.Services) == 1; got != c.reduced || len(set.Pods)+len(set.Services) != 1 {
				t.Errorf("a pod %s: reduced %t (by the library: %t)", c.name, got, careful)
			}
			if len(set.Pods) == 1 && len(set.Pods[0].Spec.Containers) != 1 {
				t.Errorf("a pod %s was kept in part", c.name)
			}
		}
	}
}

func replaceOnce(t *testing.T, text, old, with string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q is in the text %d times", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, with, 1)
}
