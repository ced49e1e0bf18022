package main

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules/data"
)

// TestReducingChangesNothing: the report is the same to the byte whether pods of services are read whole or reduced.
func TestReducingChangesNothing(t *testing.T) {
	base, err := knowledge.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	reduced := 0
	for _, in := range storedInputs(t) {
		whole, _ := reportReading(t, base, in.dir, false)
		small, n := reportReading(t, base, in.dir, true)
		reduced += n
		if whole != small {
			t.Errorf("%s: with pods of services reduced the report is another one", in.name)
		}
	}
	if reduced == 0 {
		t.Error("no pod was reduced")
	}
}

// reportReading gives the report on a folder as JSON, and how many pods were reduced.
func reportReading(t *testing.T, base *knowledge.Base, dir string, reduce bool) (report string, reduced int) {
	t.Helper()
	read, err := bundle.Read(context.Background(), dir, nil, bundle.Options{Reduce: reduce})
	if err != nil {
		return "", 0
	}
	a := &app{IO: IO{Version: "v0.0.0-test"}}
	e := &engine{app: a, base: base}
	c := facts.Build(read.Set, e.factOptions(read))
	r := rules.Engine().Run(c, base, e.reportOptions())
	r.Bundle = bundleOf(nil, read, c)
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), len(read.Set.Services)
}
