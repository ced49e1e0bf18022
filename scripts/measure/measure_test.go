//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube/podgen"
)

// Every way reads every pod.
func TestWays(t *testing.T) {
	for name := range ways {
		var out bytes.Buffer
		if err := run([]string{"decode", name, "20"}, &out); err != nil {
			t.Fatal(name, err)
		}
		var c cost
		if err := json.Unmarshal(out.Bytes(), &c); err != nil || c.Allocs < 20 || c.Bytes < 20*9000 {
			t.Errorf("%s: %s %v", name, out.String(), err)
		}
	}
}

// What the fast reader refuses is read too.
func TestOursReadsEverything(t *testing.T) {
	var b bytes.Buffer
	if err := podgen.Pods(&b, 5); err != nil {
		t.Fatal(err)
	}
	odd := strings.Replace(b.String(), "    enableServiceLinks: true\n", "    enableServiceLinks:   true\n", 3)
	if n, err := ours([]byte(odd)); n != 5 || err != nil {
		t.Error(n, err)
	}
}

// The floor sees every line of an archive.
func TestFloor(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "a.tar.gz")
	var out, pods bytes.Buffer
	if err := run([]string{"archive", "10", archive}, nil); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"floor", archive}, &out); err != nil {
		t.Fatal(err)
	}
	_ = podgen.Pods(&pods, 10)
	_ = podgen.Jobs(&pods, 10)
	_ = podgen.Nodes(&pods, 10)
	var lines int
	if err := json.Unmarshal(out.Bytes(), &lines); err != nil || lines != bytes.Count(pods.Bytes(), []byte("\n")) {
		t.Error(lines, err)
	}
}

func TestTable(t *testing.T) {
	m := &meter{sizes: []int{1000, 10000}, rounds: 3, decoding: map[string]*result{}, floors: map[int]*result{}, reports: map[int]*result{}}
	for way := range ways {
		m.decoding[way] = &result{cost: cost{CPU: 600 * time.Millisecond, Allocs: 7e6}, peak: 400 << 20}
	}
	for _, n := range m.sizes {
		m.floors[n] = &result{cost: cost{CPU: time.Duration(n) * 30 * time.Microsecond}, peak: 8 << 20}
		m.reports[n] = &result{cost: cost{CPU: time.Duration(n) * 60 * time.Microsecond}, peak: 90 << 20}
	}
	var out bytes.Buffer
	if err := m.print(&out); err != nil {
		t.Fatal(err)
	}
	var cells []string
	for _, c := range strings.Split(out.String()[strings.LastIndex(out.String(), "\n| "):], "|") {
		cells = append(cells, strings.TrimSpace(c))
	}
	if got, want := strings.Join(cells, "|"), "|whole analysis, .tar.gz to report|10000|600 ms|60.0 ms|2.0|10|90 MB||"; got != want {
		t.Errorf("%s, want %s\n%s", got, want, out.String())
	}
}

func TestArguments(t *testing.T) {
	for _, args := range [][]string{{}, {"no"}, {"decode", "no", "1"}, {"decode", "ours", "-1"}, {"table", "a", "b"}, {"floor", "/nowhere"}} {
		if err := run(args, &bytes.Buffer{}); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
