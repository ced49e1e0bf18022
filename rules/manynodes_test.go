package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures"
)

// TestManyNodes: what each of many workloads says of many nodes is bounded, or a report would be as long as their product.
func TestManyNodes(t *testing.T) {
	const nodes, most = 200, 20
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(fixtures.Root(t), "rules", "AutoBlockedByNode", "fires-one-of-three"))); err != nil {
		t.Fatal(err)
	}
	var more strings.Builder
	for i := range nodes {
		fmt.Fprintf(&more, "apiVersion: v1\nkind: Node\nmetadata:\n  name: more-%d\n  uid: more-%d\nstatus:\n  nodeInfo:\n    kubeletVersion: v1.%d.%d\n---\n", i, i, 25+i%5, i)
	}
	if err := os.WriteFile(filepath.Join(dir, "more.yaml"), []byte(more.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	r := Engine().Run(clusterIn(t, dir), base(t), analyze.Options{})
	blocked := false
	for _, f := range r.Findings {
		blocked = blocked || f.Code == "AutoBlockedByNode" && f.Status == analyze.Fired
		if len(f.Evidence) > most || strings.Count(f.Message, "more-") > 3*most {
			t.Errorf("%s has %d pieces of evidence, and says %.200s", f.Code, len(f.Evidence), f.Message)
		}
	}
	if !blocked {
		t.Error("the nodes block nothing: the test tests nothing")
	}
}
