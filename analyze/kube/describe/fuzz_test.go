package describe

import (
	"os"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

func FuzzDescribe(f *testing.F) {
	for _, name := range []string{"ordinary-sidecar-holding-job/describe-nodes.txt", "cronjob-holding/describe-cronjobs.txt", "main-nonzero/describe-jobs.txt"} {
		b, err := os.ReadFile("../../../fixtures/bundles/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Add(head + "      Message:      x\n" + tail)
	f.Add(head + "      Message:      a\nb\n\n\n" + head + tail + "\n\n" + head + tail)
	f.Fuzz(func(t *testing.T, text string) {
		set, _ := read(t, text)
		lines := strings.Count(text, "\n") + 1
		inside := func(o *kube.Object) {
			if o.Origin.Line < 1 || o.Origin.Line > lines {
				t.Errorf("%s is said to be in line %d of %d", o.Ref(), o.Origin.Line, lines)
			}
			if m, ok := o.Origin.Lines.(kube.LineMap); ok {
				for path, n := range m {
					if n < 1 || n > lines {
						t.Errorf("%s is said to be in line %d of %d", path, n, lines)
					}
				}
			}
		}
		for _, p := range set.Pods {
			inside(&p.Object)
			// Every container must have a line of its own that names it.
			for _, c := range p.Spec.Containers {
				if !strings.Contains(text, "  "+c.Name+":") {
					t.Errorf("container %q is from nowhere", c.Name)
				}
			}
		}
		for _, j := range set.Jobs {
			inside(&j.Object)
		}
		for _, n := range set.Nodes {
			inside(&n.Object)
		}
	})
}
