package kube

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Texts that are longer than the API server stores are cut in every notation, with a word about each.
func TestOverlongTextsAreCut(t *testing.T) {
	long := func(n int) string { return strings.Repeat("a", n) }
	object := fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{"k":%q,%q:"v"},"name":%q,"namespace":%q,"uid":"u"},
"spec":{"containers":[{"args":[%q],"image":%q,"name":"c"}]},"status":{"message":%q}}`,
		long(longestText+5), long(LongestName+1), long(LongestName+7), long(50<<10), long(longestText+1), long(longestWord+9), long(longestWord))
	var block strings.Builder
	block.WriteString("apiVersion: v1\nkind: Pod\nmetadata:\n  annotations:\n    k: " + long(longestText+5) + "\n    ? " + long(LongestName+1) + "\n    : v\n  name: " + long(LongestName+7) +
		"\n  namespace: " + long(50<<10) + "\n  uid: u\nspec:\n  containers:\n  - args:\n    - " + long(longestText+1) + "\n    image: " + long(longestWord+9) +
		"\n    name: c\nstatus:\n  message: " + long(longestWord) + "\n")
	if !json.Valid([]byte(object)) {
		t.Fatal("the test's own JSON is none")
	}
	for name, text := range map[string]Text{"JSON": {Format: JSON, Raw: []byte(object), Line: 1}, "YAML": {Raw: []byte(block.String()), Line: 1}} {
		var problems []string
		set := &Set{}
		d := &Decoder{Set: set, Report: func(line int, m string) { problems = append(problems, fmt.Sprintf("%d %s", line, m)) }}
		if err := d.Object(text, ""); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p := set.Pods[0]
		for _, c := range []struct {
			what      string
			got, most int
		}{{"name", len(p.Meta.Name), LongestName}, {"namespace", len(p.Meta.Namespace), LongestName}, {"annotation", len(p.Meta.Annotations.Get("k")), longestText},
			{"argument", len(p.Spec.Containers[0].Args[0]), longestText}, {"image", len(p.Spec.Containers[0].Image), longestWord},
			{"message", len(p.Status.Message), longestWord}} {
			if c.got != c.most {
				t.Errorf("%s: %s has %d bytes, want %d", name, c.what, c.got, c.most)
			}
		}
		if len(p.Meta.Annotations) != 1 || len(problems) != 6 {
			t.Errorf("%s: %d annotations, problems %.200q", name, len(p.Meta.Annotations), problems)
		}
	}
}
