package facts

import (
	"strings"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestBundleIsTakenAfterItsEventsWereStored: an event that was stored later than it happened tells of a later moment.
func TestBundleIsTakenAfterItsEventsWereStored(t *testing.T) {
	e := &kube.Event{Reason: "SuccessfulCreate", LastTimestamp: kube.ParseTime("2026-11-30T12:20:17Z")}
	e.Meta.Created = kube.ParseTime("2026-11-30T12:20:21Z")
	e.Source.Component = "job-controller"
	e.Origin.Strength = evidence.Stored
	set := &kube.Set{Events: []*kube.Event{e}}
	at, from := referenceTime(set, Options{})
	if want := time.Date(2026, 11, 30, 12, 20, 21, 0, time.UTC); !at.Known || !at.V.Equal(want) || from != "the newest time in the objects" {
		t.Errorf("got %v, %q; want %v", at, from, want)
	}

	ns, cj := &kube.Namespace{}, &kube.CronJob{}
	ns.Meta.Created, cj.Meta.Created = kube.ParseTime("2026-11-30T12:21:00Z"), kube.ParseTime("2026-11-30T12:22:00Z")
	set.Namespaces, set.CronJobs = []*kube.Namespace{ns}, []*kube.CronJob{cj}
	if at, _ := referenceTime(set, Options{}); !at.V.Equal(cj.Meta.Created.Time) {
		t.Errorf("got %v, want %v", at.V, cj.Meta.Created)
	}

	job := &kube.Job{} // without a grace period: it was deleted at that time
	job.Meta.Deleted = kube.ParseTime("2026-11-30T12:23:00Z")
	set.Jobs = []*kube.Job{job}
	if at, _ := referenceTime(set, Options{}); !at.V.Equal(job.Meta.Deleted.Time) {
		t.Errorf("got %v, want %v", at.V, job.Meta.Deleted)
	}
}

// TestLoneTimeIsNoReference: one object far after everything else has a mistake in it; two agree.
func TestLoneTimeIsNoReference(t *testing.T) {
	far := func(name string) *kube.Event {
		e := &kube.Event{Reason: "SuccessfulCreate", LastTimestamp: kube.ParseTime("2099-01-01T00:00:00Z")}
		e.Meta.Name, e.Meta.Created, e.Source.Component = name, e.LastTimestamp, "job-controller"
		return e
	}
	node, cj := &kube.Node{}, &kube.CronJob{}
	node.Meta.Created, cj.Meta.Created = kube.ParseTime("2026-11-30T12:22:00Z"), kube.ParseTime("2025-12-01T12:22:00Z")
	set := &kube.Set{Nodes: []*kube.Node{node}, CronJobs: []*kube.CronJob{cj}, Events: []*kube.Event{far("a")}}
	if at, from := referenceTime(set, Options{}); !at.V.Equal(node.Meta.Created.Time) || from == "the newest time in the objects" || len(at.From) != 2 {
		t.Errorf("one far event: %v by %q", at, from)
	}
	early, late := Options{At: node.Meta.Created.Time.Add(-time.Second)}, Options{At: node.Meta.Created.Time}
	if at, from := referenceTime(set, early); !at.V.Equal(early.At) || !strings.Contains(from, "before the newest time") || len(at.From) == 0 {
		t.Errorf("a time before what the bundle shows: %v, %s", at, from)
	}
	if at, from := referenceTime(set, late); !at.V.Equal(late.At) || from != "the --at flag" {
		t.Errorf("a time that may be so: %v, %s", at, from)
	}
	set.Events = append(set.Events, far("b"))
	if at, from := referenceTime(set, Options{}); at.V.Year() != 2099 || from != "the newest time in the objects" {
		t.Errorf("two far events: %v by %q", at, from)
	}
	set.Events = nil
	if at, _ := referenceTime(set, Options{}); !at.V.Equal(node.Meta.Created.Time) {
		t.Errorf("within a year: %v", at)
	}
}
