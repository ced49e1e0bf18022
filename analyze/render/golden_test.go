package render

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

var update = flag.Bool("update", os.Getenv("UPDATE_GOLDEN") != "", "rewrite the golden files")

// golden is one committed output: how testdata/<case>/<file> is made.
type golden struct {
	file, format string
	opt          Options
}

func goldens() []golden {
	return []golden{
		{"table.txt", "table", Options{Width: 100}},
		{"table-color.txt", "table", Options{Width: 100, Color: true}},
		{"table-narrow.txt", "table", Options{Width: 60}},
		{"quiet.txt", "table", Options{Width: 100, Quiet: true}},
		{"wide.txt", "wide", Options{}},
		{"table-zh.txt", "table", Options{Width: 100, Language: "zh"}},
		{"report.json", "json", Options{}},
		{"out.yaml", "yaml", Options{}},
		{"report.ndjson", "ndjson", Options{}},
		{"report.md", "markdown", Options{}},
		{"report.html", "html", Options{}},
		{"junit.xml", "junit", Options{}},
	}
}

// cases are the report files; each may show several bundles at once.
func cases() map[string][]string {
	return map[string][]string{
		"held":    {"held"},
		"healthy": {"healthy"},
		"many":    {"many"},
		"hostile": {"hostile"},
		"nothing": {"nothing"},
		"other":   {"other"},
		"bundles": {"held", "healthy", "nothing"},
	}
}

// load reads a hand-written report; unknown fields are mistakes.
func load(t *testing.T, name string) *analyze.Report {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name, "report.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var r analyze.Report
	if err := yaml.Unmarshal(b, &r, yaml.DisallowUnknownFields); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return &r
}

func loadCase(t *testing.T, name string) []*analyze.Report {
	t.Helper()
	var rs []*analyze.Report
	for _, n := range cases()[name] {
		rs = append(rs, load(t, n))
	}
	return rs
}

func render(t *testing.T, format string, rs []*analyze.Report, opt Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, rs, opt); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.Bytes()
}

func TestGolden(t *testing.T) {
	for name := range cases() {
		rs := loadCase(t, name)
		for _, g := range goldens() {
			if *update {
				writeFile(t, filepath.Join("testdata", name, g.file), render(t, g.format, rs, g.opt))
			}
			t.Run(name+"/"+g.file, func(t *testing.T) {
				want, err := os.ReadFile(filepath.Join("testdata", name, g.file))
				if err != nil {
					t.Fatal(err)
				}
				diff(t, want, render(t, g.format, rs, g.opt))
			})
		}
	}
}

func writeFile(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// diff shows the first line that differs.
func diff(t *testing.T, want, got []byte) {
	t.Helper()
	if bytes.Equal(want, got) {
		return
	}
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := 0; i < len(w) || i < len(g); i++ {
		a, b := at(w, i), at(g, i)
		if a != b {
			t.Fatalf("line %d\nwant %q\ngot  %q\n(go test ./analyze/render -update rewrites the golden files)", i+1, a, b)
		}
	}
}

func at(ls []string, i int) string {
	if i < len(ls) {
		return ls[i]
	}
	return "(no line)"
}
