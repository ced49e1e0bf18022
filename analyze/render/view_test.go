package render

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
)

func TestRunsOfOneCronJobShareAGroup(t *testing.T) {
	v := newView(load(t, "many"))
	var got []string
	for _, g := range v.groups {
		got = append(got, strings.Join(g.refs(), "+"))
	}
	want := []string{
		"Job/team-app/report-task-29934480+Job/team-app/report-task-29934600+Job/team-app/report-task-29934720",
		"Job/team-app/settle-accounts",
		"Pod/ci/build-7-step-test",
		"Job/team-app/data-import",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestUnlikeRunsStandAlone(t *testing.T) {
	r := load(t, "many")
	r.Workloads[1].Culprits = []string{"vault-agent"}
	r.Workloads[2].Findings = nil
	if n := len(newView(r).groups); n != 6 {
		t.Errorf("%d groups, want 6: another culprit or other findings are another story", n)
	}
}

// TestEveryFindingHasOnePlace: none is lost, none is printed twice.
func TestEveryFindingHasOnePlace(t *testing.T) {
	for name := range cases() {
		for _, r := range loadCase(t, name) {
			v := newView(r)
			n := len(v.common) + len(v.undecided)
			for _, g := range v.groups {
				n += len(g.own) + len(g.undecided)
			}
			if n != len(r.Findings) {
				t.Errorf("%s: %d findings placed of %d", name, n, len(r.Findings))
			}
		}
	}
}

func TestFindingsFollowTheirObject(t *testing.T) {
	r := load(t, "many")
	r.Findings = []analyze.Finding{
		{Code: "ByPod", Object: evidence.Ref{Kind: "Pod", Namespace: "team-app", Name: "settle-accounts-28910-9m2kq"}},
		{Code: "ByParent", Object: evidence.Ref{Kind: "CronJob", Namespace: "team-app", Name: "report-task"}},
		{Code: "ByList", Workloads: []string{"Pod/ci/build-7-step-test"}},
		{Code: "ByListOfTwo", Workloads: []string{"Pod/ci/build-7-step-test", "Job/team-app/settle-accounts"}},
		{Code: "ByOneThatIsBad", Workloads: []string{"Job/team-app/data-import", "Pod/ci/build-7-step-test"}},
		{Code: "Cluster"},
	}
	v := newView(r)
	var got []string
	for _, g := range v.groups {
		for _, f := range g.own {
			got = append(got, g.lead.Name+" "+string(f.Code))
		}
	}
	for _, f := range v.common {
		got = append(got, "common "+string(f.Code))
	}
	want := "report-task-29934480 ByParent, settle-accounts ByPod, build-7-step-test ByList, build-7-step-test ByOneThatIsBad, common ByListOfTwo, common Cluster"
	if strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
}

// crowd is a report with n unlike held Jobs.
func crowd(t testing.TB, n int) *analyze.Report {
	t.Helper()
	r := &analyze.Report{APIVersion: analyze.APIVersion, Kind: analyze.Kind}
	r.Bundle = analyze.Bundle{Source: "fleet.tar.gz", CollectedAt: "2026-11-30T08:00:00Z"}
	zero := int64(0)
	for i := range n {
		name := fmt.Sprintf("report-task-%03d", i)
		r.Workloads = append(r.Workloads, analyze.Workload{
			Kind: "Job", Namespace: fmt.Sprintf("team-%d", i%7), Name: name, Verdict: "HeldBySidecar", Severity: analyze.Error,
			Summary: "the app container report ended with exit code 0", Culprits: []string{"istio-proxy"}, Since: "2026-11-29T17:28:04Z", HeldFor: "14h31m",
			Evidence: []evidence.Evidence{{Object: "Pod/team/" + name, Field: "status.phase", Value: "Running", File: "pods.yaml", Line: i + 1}},
			Pods: []analyze.Pod{{Name: name + "-x2x4f", CreatedAt: "2026-11-29T17:25:02Z", Containers: []analyze.Container{
				{Name: "report", Role: "app", State: "terminated:Completed", ExitCode: &zero, StartedAt: "2026-11-29T17:25:12Z", FinishedAt: "2026-11-29T17:28:04Z"},
				{Name: "istio-proxy", Role: "sidecar", Placement: "ordinary", State: "running", StartedAt: "2026-11-29T17:25:11Z"},
			}}},
		})
	}
	return r
}

func TestTableOfThreeHundredIsBounded(t *testing.T) {
	rs := []*analyze.Report{crowd(t, 300)}
	out := string(render(t, "table", rs, Options{Width: 120}))
	if n := strings.Count(out, "\n"); n > 300+detailed*20 {
		t.Errorf("%d lines for 300 workloads", n)
	}
	for _, want := range []string{"275 more rows of the table above", "300 workloads, by verdict: 300 error"} {
		if !strings.Contains(out, want) {
			t.Errorf("the table lacks %q", want)
		}
	}
	if wide := render(t, "wide", rs, Options{}); bytes.Count(wide, []byte("status.phase = Running")) != 300 {
		t.Error("wide leaves evidence out")
	}
}

func BenchmarkFormats(b *testing.B) {
	rs := []*analyze.Report{crowd(b, 300)}
	for _, f := range Formats() {
		b.Run(f, func(b *testing.B) {
			for b.Loop() {
				var buf bytes.Buffer
				if err := Write(&buf, f, rs, Options{Width: 120}); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(buf.Len()))
			}
		})
	}
}
