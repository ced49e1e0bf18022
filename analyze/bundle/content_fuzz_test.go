package bundle

import (
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

func FuzzContent(f *testing.F) {
	for _, text := range []string{
		podYAML, "---\n" + podYAML + "---\n" + podYAML, "apiVersion: v1\nitems:\n" + indented(podYAML, "- ", "  ") + "kind: List\n",
		noiseLines + podYAML + noiseLines, "[x@y ~]$ kubectl get pods -n a\nNAME   READY   STATUS    RESTARTS   AGE\np      1/2     Running   0          5m\n[x@y ~]$ kubectl logs p\n{\n",
		`{"kind":"List","items":[{"kind":"Pod","metadata":{"name":"a"}},{"kind":"Pod"}]}`, "{\n \"kind\": \"PodList\",\n \"items\": [\n {\"metadata\": {\"name\": \"a\"}}\n", "\xff\xfea\x00p\x00",
		"LAST SEEN   TYPE     REASON   OBJECT   MESSAGE\n5m (x3 over 9m)   Normal   Killing   pod/x   Stopping\n", "Name:         a\nNamespace:    b\nStatus:  Running\nContainers:\n  c:\n    State:  Running\n",
	} {
		f.Add(text, "")
	}
	f.Add(`[{"metadata":{"name":"a"}}]`, "Pod")
	f.Fuzz(func(t *testing.T, text, hint string) {
		set := &kube.Set{}
		problems := readContent("f", strings.NewReader(text), set, contentLimits{KindHint: hint})
		lines := 1 + strings.Count(text, "\n") + strings.Count(text, "\r")
		if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") || strings.Contains(text, "\x00") {
			lines = len(text) + 1 // UTF-16
		}
		for _, p := range problems {
			if p.Line < 0 || p.Line > lines || p.Message == "" || p.File != "f" {
				t.Errorf("problem %+v of a text of %d lines", p, lines)
			}
		}
		for _, p := range set.Pods {
			if p.Origin.Line < 1 || p.Origin.Line > lines || p.Origin.LineOf("status.phase") > lines {
				t.Errorf("%s in line %d of %d", p.Ref(), p.Origin.Line, lines)
			}
		}
		for _, r := range set.Rows {
			if r.Line < 2 || r.Line > lines {
				t.Errorf("row in line %d of %d", r.Line, lines)
			}
		}
	})
}

func FuzzTable(f *testing.F) {
	f.Add("NAME   READY   STATUS    RESTARTS       AGE", "a      1/2     Running   3 (5m ago)     9m")
	f.Add("NAMESPACE   NAME   STATUS", "            node/x   Ready")
	f.Add("NAME\tREADY", "a\t1/1")
	f.Fuzz(func(t *testing.T, head, row string) {
		if strings.ContainsAny(head+row, "\r\n") {
			t.Skip()
		}
		cells, ok := newTable(head).cut(row)
		if !ok {
			return
		}
		for _, c := range cells {
			if c != strings.TrimSpace(c) || !strings.Contains(row, c) {
				t.Errorf("cell %q of %q", c, row)
			}
		}
	})
}
