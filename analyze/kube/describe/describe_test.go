package describe

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// read decodes a describe text, and gives the problems that were reported.
func read(t testing.TB, text string) (*kube.Set, []string) {
	t.Helper()
	set := &kube.Set{}
	var problems []string
	d := &Decoder{File: "x.txt", Set: set, Report: func(_ int, m string) { problems = append(problems, m) }}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range lines {
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		d.Line(l, next, i+1)
	}
	d.End()
	return set, problems
}

// scenarios are folders of what one kubectl printed of one cluster, as YAML and as describe text.
func scenarios(t *testing.T) []string {
	dirs, err := filepath.Glob("../../../fixtures/bundles/*/describe-pods.txt")
	if err != nil || len(dirs) < 10 {
		t.Fatalf("the fixtures are not where they should be: %v %v", dirs, err)
	}
	for i := range dirs {
		dirs[i] = filepath.Dir(dirs[i])
	}
	return dirs
}

func describedAs(t *testing.T, dir, file string) *kube.Set {
	b, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	set, problems := read(t, string(b))
	for _, p := range problems {
		t.Errorf("%s/%s: %s", dir, file, p)
	}
	return set
}

func stored(t *testing.T, dir, file string) *kube.Set {
	b, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	set := &kube.Set{}
	d := &kube.Decoder{Set: set, Report: func(line int, m string) { t.Errorf("%s/%s:%d: %s", dir, file, line, m) }}
	if err := d.Object(kube.Text{Raw: b, Line: 1}, ""); err != nil {
		t.Fatal(err)
	}
	return set
}

// Rows of events whose cells do not stand under their titles are rows all the same, up to where a message ran over.
func TestRowsOutOfLine(t *testing.T) {
	events := `Events:
  Type    Reason            Age   From            Message
  ----    ------            ----  ----            -------
  Normal   SuccessfulCreate      17m   job-controller  Created pod: train-x
 Warning BackoffLimitExceeded 2m (x3 over 1h) job-controller Job has reached the specified backoff limit
  Warning  Failed  <unknown>  kubelet, node-a  Error: cannot start
`
	set, problems := read(t, strings.Replace(head+tail, "Events:          <none>\n", events, 1))
	if len(set.Events) != 3 || len(problems) > 0 {
		t.Fatalf("%d events, %q", len(set.Events), problems)
	}
	for i, want := range []string{"SuccessfulCreate 1 job-controller Created pod: train-x", "BackoffLimitExceeded 3 job-controller Job has reached the specified backoff limit",
		"Failed 1 kubelet, node-a Error: cannot start"} {
		e := set.Events[i]
		if got := fmt.Sprint(e.Reason, " ", e.Count, " ", e.Source.Component, " ", e.Message); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	spilled := events + "  Warning  Unhealthy  1m  kubelet  Readiness probe failed:\nWarning Forged 1m kubelet said by the probe\n"
	set, _ = read(t, strings.Replace(head+tail, "Events:          <none>\n", spilled, 1))
	for _, e := range set.Events {
		if e.Reason == "Forged" && !e.Origin.Forgeable {
			t.Error("a line behind a row is believed like one in line")
		}
	}
}

// Where the list of containers may not be whole, the pod says so: text that ends within it, or something cut out of it.
func TestContainersThatMayBeMissing(t *testing.T) {
	text := head + tail
	inside := strings.Index(text, "  istio-proxy:\n")
	for name, c := range map[string]struct {
		text string
		cut  bool
	}{
		"whole":                       {text, false},
		"cut off behind the list":     {text[:strings.Index(text, "Conditions:")+len("Conditions:\n")], false},
		"cut off at its end":          {text[:strings.Index(text, "Conditions:")], true},
		"cut off within it":           {text[:inside], true},
		"cut off before it":           {text[:strings.Index(text, "Containers:")], true},
		"something cut out of it":     {text[:inside] + "...\n" + text[inside:], true},
		"a blank line in it":          {text[:inside] + "\n" + text[inside:], false},
		"something cut out behind it": {strings.Replace(text, "QoS Class:", "[snip]\nQoS Class:", 1), false},
	} {
		set, _ := read(t, c.text)
		if len(set.Pods) != 1 || set.Pods[0].Origin.Truncated != c.cut {
			t.Errorf("%s: %d pods, %t, want %t", name, len(set.Pods), len(set.Pods) == 1 && set.Pods[0].Origin.Truncated, c.cut)
		}
	}
}
