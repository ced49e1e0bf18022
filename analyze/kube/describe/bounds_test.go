package describe

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// A line that is longer than an object may be, wherever it stands, costs the object's end or its name, and a word.
func TestOverlongLines(t *testing.T) {
	for name, lines := range map[string][]string{
		"first": {"Name:  " + strings.Repeat("a", maxObject+1), "Namespace:  x", "Status:  Running", "Containers:"},
		"other": {"Name:  a", "Namespace:  " + strings.Repeat("x", maxObject+1), "Status:  Running", "Containers:"},
		"alone": {strings.Repeat("a", maxObject+1)},
		"last":  {"Name:  a", "Namespace:  x", "Status:  Running", "Containers:", "Message:  " + strings.Repeat("m", maxObject)},
	} {
		var problems []string
		set := &kube.Set{}
		d := &Decoder{Set: set, Report: func(line int, m string) { problems = append(problems, m) }}
		for i, l := range lines {
			next := ""
			if i+1 < len(lines) {
				next = lines[i+1]
			}
			d.Line(l, next, i+1)
		}
		d.End()
		if len(problems) == 0 {
			t.Errorf("%s: nothing is said", name)
		}
		for _, p := range set.Pods {
			if len(p.Meta.Name) > maxName || len(p.Meta.Namespace) > maxName {
				t.Errorf("%s: a name of %d bytes in a namespace of %d", name, len(p.Meta.Name), len(p.Meta.Namespace))
			}
		}
		if len(set.Pods) == 0 && name != "alone" {
			t.Errorf("%s: the pod is lost", name)
		}
	}
}
