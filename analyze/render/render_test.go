package render

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// TestFromJSONAlone: a report read back from JSON renders to the same bytes in every format.
func TestFromJSONAlone(t *testing.T) {
	for name := range cases() {
		rs := loadCase(t, name)
		if name == "hostile" {
			rs[0].Workloads[0].Summary += " not UTF-8: \xff\xfe"
			rs[0].Bundle.Objects["\xff"] = 1
			rs[0].Findings = nil
		}
		back, err := Read(bytes.NewReader(render(t, "json", rs, Options{})))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, f := range Formats() {
			for _, opt := range []Options{{}, {Width: 80, Color: true}} {
				if a, b := render(t, f, rs, opt), render(t, f, back, opt); !bytes.Equal(a, b) {
					t.Errorf("%s as %s differs after a trip through JSON", name, f)
					diff(t, a, b)
				}
			}
		}
	}
}

// TestWriteLeavesTheReportAlone: the caller's report is not cleaned in place.
func TestWriteLeavesTheReportAlone(t *testing.T) {
	r := load(t, "hostile")
	before := render(t, "json", []*analyze.Report{r}, Options{})
	for _, f := range Formats() {
		render(t, f, []*analyze.Report{r}, Options{})
	}
	diff(t, before, render(t, "json", []*analyze.Report{r}, Options{}))
}

// TestNothingInvisible: no format prints a character of the bundle that acts on a terminal or hides.
func TestNothingInvisible(t *testing.T) {
	rs := loadCase(t, "hostile")
	for _, f := range Formats() {
		for i, l := range strings.Split(string(render(t, f, rs, Options{})), "\n") {
			if at := strings.IndexFunc(l, func(r rune) bool {
				return r != '\t' && (!unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r))
			}); at >= 0 {
				t.Errorf("%s, line %d: invisible character in %q", f, i+1, l)
			}
		}
	}
}

// TestYAMLSaysWhatJSONSays compares the two documents value by value.
func TestYAMLSaysWhatJSONSays(t *testing.T) {
	for name := range cases() {
		rs := loadCase(t, name)
		rs[0].Tool.Version = `\x010000202e\x01` + "\x010000202e\x01\U000e0041"
		got, err := yaml.YAMLToJSON(render(t, "yaml", rs, Options{}))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		back, err := Read(bytes.NewReader(got))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		diff(t, render(t, "json", rs, Options{}), render(t, "json", back, Options{}))
	}
}

func TestWriteErrors(t *testing.T) {
	r := load(t, "healthy")
	for _, c := range []struct {
		format, want string
		reports      []*analyze.Report
		opt          Options
	}{
		{"xml", `unknown output format "xml": use one of table, wide, json`, []*analyze.Report{r}, Options{}},
		{"json", "there is none", []*analyze.Report{nil}, Options{}},
		{"table", `unknown language "tlh"`, []*analyze.Report{r}, Options{Language: "tlh"}},
	} {
		err := Write(&bytes.Buffer{}, c.format, c.reports, c.opt)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.format, err, c.want)
		}
	}
	if err := Write(full{}, "json", []*analyze.Report{r}, Options{}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a writer's error is lost: %v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestReadErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                    "expected what -o json prints",
		`{"apiVersion":"v1"}`: `apiVersion is "v1"`,
		`{"apiVersion":"sidecar-must-gather/v1","kind":"Pod"}`:                    `kind is "Pod"`,
		`{"apiVersion":"sidecar-must-gather/v1","kind":"Report","workloads":"x"}`: "reading report 1",
	} {
		if _, err := Read(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%q): %v, want %s", in, err, want)
		}
	}
}

// TestEverySentenceIsUsed: the table of sentences and the code name the same ids.
func TestEverySentenceIsUsed(t *testing.T) {
	var source strings.Builder
	for _, pattern := range []string{"*.go", "assets/*"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if f == "messages.go" || strings.HasSuffix(f, "_test.go") {
				continue
			}
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(b)
		}
	}
	var ids []string
	for _, s := range sentences() {
		if slices.Contains(ids, s.id) {
			t.Errorf("id %s stands twice", s.id)
		}
		ids = append(ids, s.id)
		if s.en == "" || s.zh == "" {
			t.Errorf("id %s says nothing in one language", s.id)
		}
		verbs := regexp.MustCompile(`%\[\d\][sd]`)
		if a, b := verbs.FindAllString(s.en, -1), verbs.FindAllString(s.zh, -1); len(a) != len(b) {
			t.Errorf("id %s has the arguments %v in one language and %v in the other", s.id, a, b)
		}
		id := strings.TrimSuffix(strings.TrimSuffix(s.id, ".one"), ".many")
		prefix, _, _ := strings.Cut(id, ".")
		if !strings.Contains(source.String(), `"`+id+`"`) && !strings.Contains(source.String(), `"`+prefix+`."`) &&
			!slices.Contains([]string{"label"}, prefix) {
			t.Errorf("id %s is not used", s.id)
		}
	}
	for _, m := range regexp.MustCompile(`\b(say|count|heading) "([a-zA-Z.]+)"|\.(say|count)\("([a-zA-Z.]+)"[,)]`).FindAllStringSubmatch(source.String(), -1) {
		id := m[2] + m[4]
		if m[1]+m[3] == "count" {
			id += ".one"
		}
		if !slices.Contains(ids, id) {
			t.Errorf("id %s is used and not in the table", id)
		}
	}
}

// TestUnknownValues: a newer tool's severities, placements, roles and strengths still render.
func TestUnknownValues(t *testing.T) {
	r := load(t, "held")
	r.Workloads[0].Severity = "fatal"
	r.Workloads[0].NextPod.Placement = "sideways"
	r.Workloads[0].Evidence[0].Strength = "hearsay"
	r.Workloads[0].Pods[0].Containers[0].Role = "guest"
	r.Findings[0].Severity = "dire"
	r.Findings[0].Status = "suspected"
	for _, f := range []string{"table", "wide", "markdown", "html"} {
		out := string(render(t, f, []*analyze.Report{r}, Options{}))
		for _, want := range []string{"FATAL", "sideways", "hearsay", "guest", "DIRE", "AutoBlockedByNode"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s does not show %s", f, want)
			}
		}
	}
}
