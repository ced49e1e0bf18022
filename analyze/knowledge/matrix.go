package knowledge

import (
	"fmt"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Matrix is the table of Kubernetes and Istio releases that rules go by: where the proxy of a Job's pod goes in a
// cluster whose API server and nodes are all of one release, with gates at their defaults.
type Matrix struct {
	Kubernetes []string      `json:"kubernetes"` // columns, minor versions
	Istio      []string      `json:"istio"`      // rows, minor versions
	Tables     []MatrixTable `json:"tables"`
	Notes      []string      `json:"notes"`
	Sources    []string      `json:"sources"`
}

// MatrixTable is the matrix for one setting. Cells has a row for each Istio release.
type MatrixTable struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Cells [][]Cell `json:"cells"`
}

// Cell is one combination.
type Cell struct {
	Placement string `json:"placement"` // native | ordinary | broken | unknown
	Broken    string `json:"broken,omitempty"`
	Reason    string `json:"reason"`
	Supported bool   `json:"supported"` // the Istio release names the Kubernetes release as supported
}

// Matrix computes the table with Decide, the same code that answers for a bundle.
func (b *Base) Matrix() Matrix {
	m := Matrix{
		Kubernetes: minors(version.Parse(b.t.kubernetes.MatrixFrom), b.kubernetes.checked),
		Istio:      minors(version.Parse(b.t.istio.MatrixFrom), b.istio.newest()),
	}
	unset := Unset("")
	settings := []struct {
		id, title  string
		env, notes Setting
	}{
		{"default", "nothing set", unset, unset},
		{"annotation-true", fmt.Sprintf("annotation %s: \"true\" on the pod template", b.AnnotationKey()), unset, Given("true", "")},
		{"env-true", fmt.Sprintf("%s=true on istiod", b.EnvName()), Given("true", ""), unset},
	}
	var basis Basis
	for _, s := range settings {
		t := MatrixTable{ID: s.id, Title: s.title}
		for _, i := range m.Istio {
			var row []Cell
			for _, k := range m.Kubernetes {
				cell, why := b.cell(i, k, s.env, s.notes)
				row = append(row, cell)
				basis = basis.Merge(why)
			}
			t.Cells = append(t.Cells, row)
		}
		m.Tables = append(m.Tables, t)
	}
	m.Notes, m.Sources = b.matrixNotes(), basis.Sources
	return m
}

func (b *Base) cell(istio, kubernetes string, env, annotation Setting) (Cell, Basis) {
	i, k := version.Parse(istio), version.Parse(kubernetes)
	d := b.Decide(Inputs{
		Istio: i, Env: env, Annotation: annotation, APIServer: k, Gate: Unset(""),
		Kubelets: []Kubelet{{Node: "every node", Raw: kubernetes}}, NodesKnown: true,
	})
	c := Cell{Placement: d.Placement, Broken: d.Broken, Reason: d.Reason}
	if p, ok, _ := b.Istio(i); ok && p.KubernetesMin != "" {
		c.Supported = k.AtLeast(version.Parse(p.KubernetesMin+".0")) == version.Yes && (kubernetes == p.KubernetesMax || version.Parse(p.KubernetesMax).AtLeast(version.Parse(kubernetes+".0")) == version.Yes)
	}
	return c, d.Basis
}

func (c component) newest() version.Version {
	if c.previewed.Known() {
		return c.previewed
	}
	return c.checked
}

// minors lists the minor versions from one release to another.
func minors(from, to version.Version) []string {
	var list []string
	for m := from.Minor; m <= to.Minor; m++ {
		list = append(list, fmt.Sprintf("%d.%d", to.Major, m))
	}
	return list
}

func (b *Base) matrixNotes() []string {
	notes := []string{
		"native: istio-proxy is an init container with restartPolicy Always and does not hold a Job. ordinary: it is a regular container and holds it.",
		"refused: native is emitted, the API server drops the field and refuses the pod. No pod is created.",
		"~ the Istio release does not name this Kubernetes release as supported.",
		"In automatic mode every node of the cluster counts: one older kubelet, or one version that cannot be read, makes the default ordinary.",
		"Nodes may be older than the API server: a kubelet that does not know native sidecars hangs such a pod in Init, one with the gate off rejects it.",
		"Existing pods never change: only pods created after the change are placed anew.",
		"A compatibility profile of an old release sets the variable to false in charts that ship it; it then counts like a value set by hand.",
		fmt.Sprintf("Checked through Kubernetes %s and Istio %s.", b.t.kubernetes.CheckedThrough, b.t.istio.CheckedThrough),
	}
	if b.istio.previewed.Known() {
		notes = append(notes, fmt.Sprintf("Istio %s was read from its development branch only.", b.istio.previewed.MinorString()))
	}
	return notes
}
