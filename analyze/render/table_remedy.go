package render

import (
	"fmt"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// list prints a titled list, or nothing.
func (t *table) list(title, bullet string, items []string) {
	if len(items) == 0 {
		return
	}
	t.para(t.say(title))
	t.in(func() {
		for i, s := range items {
			label := bullet
			if bullet == "" {
				label = fmt.Sprintf("%d. ", i+1)
			}
			t.item(plainText, label, s)
		}
	})
}

// remedy prints what to change, as a finding or the verdict on a workload has it. The same remedy under a second one is
// only pointed at.
func (t *table) remedy(r *analyze.Remedy, of analyze.Code) {
	if r == nil {
		return
	}
	key := remedyKey(r)
	if code, ok := t.remedies[key]; ok {
		t.para(t.say("remedy.same", code))
		return
	}
	t.remedies[key] = of
	t.item(bold, t.lead(t.say("remedy")), r.Summary)
	t.in(func() {
		t.list("remedy.steps", "", r.Steps)
		if r.Patch != "" {
			t.para(t.say("remedy.patch"))
			t.patch(r.Patch)
		}
		t.list("remedy.verify", "- ", r.Verify)
		t.list("remedy.rollback", "- ", r.Rollback)
		t.list("remedy.avoid", "- ", r.Avoid)
	})
}

// remedyKey is equal for remedies that say the same.
func remedyKey(r *analyze.Remedy) string {
	return fmt.Sprintf("%q", []any{r.Summary, r.Steps, r.Patch, r.Verify, r.Rollback, r.Avoid})
}

// patch is never wrapped: it is there to be copied.
func (t *table) patch(s string) {
	t.in(func() {
		t.in(func() {
			for _, l := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
				t.raw(strings.TrimRight(l, " "))
			}
		})
	})
}
