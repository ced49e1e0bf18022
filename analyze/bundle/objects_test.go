package bundle

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// Objects without end, each of which costs a few bytes in an archive, end at a limit, with a word.
func TestTooManyObjects(t *testing.T) {
	const all, most = 200_000, 1000
	for name, item := range map[string]string{
		"documents": "---\napiVersion: v1\nkind: Pod\nmetadata: {name: x}\n",
		"services": "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n  namespace: n\n  ownerReferences:\n  - kind: ReplicaSet\n    name: y\n  uid: z\n" +
			"spec:\n  containers:\n  - name: c\n  restartPolicy: Always\n",
	} {
		b, err := Read(context.Background(), "-", strings.NewReader(strings.Repeat(item, all)), Options{Reduce: true, maxObjects: most})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(b.Set.Pods) + len(b.Set.Services); n < most || n > all/2 {
			t.Errorf("%s: %d objects", name, n)
		}
		if said := fmt.Sprint(b.Problems); !strings.Contains(said, "the limit of objects is reached (1000)") {
			t.Errorf("%s: %s", name, said)
		}
	}
}
