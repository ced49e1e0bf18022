package podgen

import (
	"bytes"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

type object struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name            string `json:"name"`
		Namespace       string `json:"namespace"`
		UID             string `json:"uid"`
		OwnerReferences []struct{ Kind, Name, UID string }
	} `json:"metadata"`
	Spec struct {
		NodeName string `json:"nodeName"`
	} `json:"spec"`
}

func parsed(t *testing.T, write func(*bytes.Buffer) error) []object {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	var list struct {
		Kind  string   `json:"kind"`
		Items []object `json:"items"`
	}
	if err := yaml.UnmarshalStrict(b.Bytes(), &struct{}{}); err != nil && !strings.Contains(err.Error(), "unknown field") {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(b.Bytes(), &list); err != nil || list.Kind != "List" {
		t.Fatal(list.Kind, err)
	}
	return list.Items
}

// Pods have names and uids of their own, and every Job and node that they name is written.
func TestLists(t *testing.T) {
	const n = 67
	pods := parsed(t, func(b *bytes.Buffer) error { return Pods(b, n) })
	jobs := parsed(t, func(b *bytes.Buffer) error { return Jobs(b, n) })
	nodes := parsed(t, func(b *bytes.Buffer) error { return Nodes(b) })
	if len(pods) != n || len(jobs) < n/4 || len(nodes) == 0 {
		t.Fatal(len(pods), len(jobs), len(nodes))
	}
	known := map[string]bool{}
	for _, j := range jobs {
		known["Job/"+j.Metadata.Namespace+"/"+j.Metadata.Name+"/"+j.Metadata.UID] = true
	}
	for _, node := range nodes {
		known["Node/"+node.Metadata.Name] = true
	}
	seen := map[string]bool{}
	for _, p := range pods {
		m := p.Metadata
		if seen[m.UID] || seen[m.Namespace+"/"+m.Name] {
			t.Errorf("pod %s/%s is there twice", m.Namespace, m.Name)
		}
		seen[m.UID], seen[m.Namespace+"/"+m.Name] = true, true
		if o := m.OwnerReferences[0]; o.Kind == "Job" && !known["Job/"+m.Namespace+"/"+o.Name+"/"+o.UID] {
			t.Errorf("pod %s is owned by a Job that is not written: %v", m.Name, o)
		}
		if p.Spec.NodeName != "" && !known["Node/"+p.Spec.NodeName] {
			t.Errorf("pod %s runs on a node that is not written: %s", m.Name, p.Spec.NodeName)
		}
	}
}

func TestSameBytes(t *testing.T) {
	var a, b bytes.Buffer
	_ = Pods(&a, 25)
	_ = Pods(&b, 25)
	if !bytes.Equal(a.Bytes(), b.Bytes()) || a.Len() < 25*9000 {
		t.Errorf("%d and %d bytes", a.Len(), b.Len())
	}
}
