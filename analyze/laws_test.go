package analyze_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The laws of ARCHITECTURE.md, checked on what the Go toolchain says is linked. An entry that is to be added here is a
// decision: it needs its reason beside it.

const module = "github.com/sidecar-must-gather/sidecar-must-gather"

// may says what a package of ours imports directly, besides the standard library. Reasons stand beside the entries.
type may struct {
	ours   []string
	others []string
}

var allowed = map[string]may{
	// The vocabulary of proof depends on nothing, so that everything can use it.
	"analyze/evidence": {},
	// What people read, before it is given in one language: below everything that says something.
	"analyze/sentence": {},
	// Version strings: semver compares what we have normalised ourselves.
	"analyze/version": {others: []string{"github.com/Masterminds/semver/v3"}},
	// Decoding of YAML; the Kubernetes types are our own, see the package comment.
	"analyze/kube": {ours: []string{"analyze/evidence"}, others: []string{"sigs.k8s.io/yaml"}},
	// Made-up lists of any length for benchmarks; nothing of ours that is linked imports it.
	"analyze/kube/podgen":   {},
	"analyze/kube/describe": {ours: []string{"analyze/evidence", "analyze/kube"}},
	// The only package that opens files of strangers, hence the only one with decompression.
	"analyze/bundle": {ours: []string{"analyze/evidence", "analyze/kube", "analyze/kube/describe"},
		others: []string{"github.com/klauspost/compress", "github.com/ulikunitz/xz", "golang.org/x/text/transform", "sigs.k8s.io/yaml"}},
	// A copy of what the reader recognises, hence both; it packs, and unpacks only what it has packed itself.
	"analyze/redact": {ours: []string{"analyze/bundle", "analyze/kube"},
		others: []string{"github.com/klauspost/compress", "sigs.k8s.io/yaml"}},
	// What the bundle says: no version table may reach in here, so no package knowledge.
	"analyze/facts": {ours: []string{"analyze/evidence", "analyze/sentence", "analyze/version", "analyze/kube"}},
	// What the world says: no object may reach in here, so no packages kube and facts.
	"analyze/knowledge": {ours: []string{"analyze/evidence", "analyze/sentence", "analyze/version"}, others: []string{"sigs.k8s.io/yaml"}},
	// The vocabulary of rules names both sides; the rules themselves join them.
	"analyze": {ours: []string{"analyze/evidence", "analyze/sentence", "analyze/version", "analyze/facts", "analyze/knowledge", "analyze/kube"}},
	// Schedules of CronJobs are read with the library that the CronJob controller uses.
	"rules": {ours: []string{"analyze", "analyze/evidence", "analyze/sentence", "analyze/version", "analyze/facts", "analyze/knowledge",
		"analyze/kube"}, others: []string{"github.com/robfig/cron/v3"}},
	// The pages of rules and verdicts: text only.
	"rules/docs": {},
	// The sentences of rules in other languages: text only, so that a sentence can be changed without touching a judgement.
	"rules/lang": {},
	// Data only.
	"rules/data": {},
	"collect":    {},
	// A renderer sees the finished report and nothing it was made from.
	"analyze/render": {ours: []string{"analyze", "analyze/evidence", "analyze/render/columns"},
		others: []string{"sigs.k8s.io/yaml"}},
	// Tables and widths, apart from what stands in them: the only place that knows the table library.
	"analyze/render/columns": {others: []string{"github.com/olekukonko/tablewriter"}},
	// Part of the binary: the embedded bundle, and nothing of the test harness beside it.
	"fixtures/demo": {},
	// Test harness: reads the report as a user's script would.
	"fixtures": {ours: []string{"analyze"}, others: []string{"github.com/dlclark/regexp2", "sigs.k8s.io/yaml"}},
	// Packs a release; a program of its own, of which the analyzer links nothing.
	"scripts/pack": {},
	// Measures; a program of its own too. It compares our decoding with the library's.
	"scripts/measure": {ours: []string{"analyze/kube", "analyze/kube/podgen"}, others: []string{"sigs.k8s.io/yaml"}},
	// The command line assembles all of it.
	"cmd/analyze": {ours: []string{"..."}, others: []string{"github.com/spf13/cobra", "github.com/cheggaaa/pb/v3",
		"golang.org/x/term", "sigs.k8s.io/yaml"}},
}

// neverLinked may not be reachable from the analyzer by any path: that is how "no cluster access" is proved. (Package
// net itself is linked: cobra's flag library can parse IP addresses. It is nowhere called to connect.)
var neverLinked = map[string]string{
	"net/http":                      "the analyzer speaks to no server",
	"crypto/tls":                    "the analyzer speaks to no server",
	"os/exec":                       "the analyzer starts no program",
	"plugin":                        "the analyzer loads no code",
	"k8s.io/client-go":              "the analyzer has no way to reach a cluster",
	"k8s.io/apimachinery":           "our own few fields are read instead, see analyze/kube",
	"k8s.io/api":                    "types older than 0.28 lose initContainers[].restartPolicy",
	"testing":                       "test helpers have no place in the binary",
	module + "/analyze/kube/podgen": "made-up pods are for benchmarks",
	module + "/fixtures":            "test helpers have no place in the binary",
	"golang.org/x/net":              "the analyzer speaks to no server",
	"google.golang.org":             "the analyzer speaks to no server",
}

type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
}

func goList(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Standard,Imports"}, args...)...)
	cmd.Dir = ".."
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, errOut.String())
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestImportGraph(t *testing.T) {
	for _, p := range goList(t, "./...") {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		law, ok := allowed[name]
		if !ok {
			t.Errorf("%s: no entry in the table of allowed imports (analyze/laws_test.go and ARCHITECTURE.md)", name)
			continue
		}
		for _, imported := range p.Imports {
			if !strings.Contains(imported, ".") {
				continue // the standard library; what of it is never linked is tested below
			}
			if our, isOurs := strings.CutPrefix(imported, module+"/"); isOurs {
				if !slices.Contains(law.ours, our) && !slices.Contains(law.ours, "...") {
					t.Errorf("%s imports %s: the order of the house is against it", name, our)
				}
			} else if !slices.ContainsFunc(law.others, func(o string) bool { return below(imported, o) }) {
				t.Errorf("%s imports %s: not among its allowed libraries", name, imported)
			}
		}
	}
}

func TestNothingReachesOut(t *testing.T) {
	for _, p := range goList(t, "-deps", "./cmd/analyze") {
		for banned, why := range neverLinked {
			if p.ImportPath == banned || !strings.HasPrefix(banned, module) && below(p.ImportPath, banned) {
				t.Errorf("the analyzer links %s: %s", p.ImportPath, why)
			}
		}
	}
}

// below says that path is pkg or a package under it. Internal halves of a standard package (crypto/tls/internal/...)
// are no way to use it.
func below(path, pkg string) bool {
	return path == pkg || strings.HasPrefix(path, pkg+"/") && !strings.Contains(path, "/internal/")
}
