package rules

import (
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

func cronJob(schedule, zone string) *kube.CronJob {
	cj := &kube.CronJob{}
	cj.Spec.Schedule, cj.Spec.TimeZone = schedule, zone
	return cj
}

func TestTimetableBetween(t *testing.T) {
	for name, c := range map[string]struct {
		schedule, zone, after, until string
		n                            int
		first, last                  string
	}{
		"every ten minutes":         {"*/10 * * * *", "", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", 6, "2026-01-01T00:10:00Z", "2026-01-01T01:00:00Z"},
		"none yet":                  {"0 3 * * *", "", "2026-01-01T03:00:00Z", "2026-01-01T09:00:00Z", 0, "", ""},
		"in another zone":           {"0 3 * * *", "Asia/Tokyo", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", 1, "2026-01-01T18:00:00Z", "2026-01-01T18:00:00Z"},
		"zone in the schedule":      {"TZ=Asia/Tokyo 0 3 * * *", "", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", 1, "2026-01-01T18:00:00Z", "2026-01-01T18:00:00Z"},
		"the hour that is left out": {"30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", "2026-03-30T12:00:00Z", 2, "2026-03-28T01:30:00Z", "2026-03-30T00:30:00Z"},
		"a day that never comes":    {"0 0 30 2 *", "", "2026-01-01T00:00:00Z", "2026-12-31T00:00:00Z", 0, "", ""},
		"by name":                   {"@daily", "", "2026-01-01T12:00:00Z", "2026-01-03T12:00:00Z", 2, "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			table, err := timetableOf(cronJob(c.schedule, c.zone))
			if err != nil {
				t.Fatal(err)
			}
			r := table.between(at(t, c.after), at(t, c.until))
			if r.n != c.n || stampOrNone(r.first) != c.first || stampOrNone(r.last) != c.last {
				t.Errorf("got %d runs from %s to %s", r.n, stampOrNone(r.first), stampOrNone(r.last))
			}
		})
	}
}

func TestTimetableGivesUpCounting(t *testing.T) {
	table, err := timetableOf(cronJob("* * * * *", ""))
	if err != nil {
		t.Fatal(err)
	}
	if r := table.between(at(t, "2024-01-01T00:00:00Z"), at(t, "2026-01-01T00:00:00Z")); r.n != mostRuns || !r.more {
		t.Errorf("got %d, more %v", r.n, r.more)
	}
}

func TestTimetableOfNonsense(t *testing.T) {
	for _, bad := range []string{"", "TZ=", "TZ=0", "TZ=Europe/Berlin", "CRON_TZ= ", "* * * *", "61 * * * *", "TZ=Nowhere/Town 0 0 * * *", "@every", "every day", "********"} {
		if _, err := timetableOf(cronJob(bad, "")); err == nil {
			t.Errorf("schedule %q was read", bad)
		}
	}
	if _, err := timetableOf(cronJob("0 0 * * *", "Nowhere/Town")); err == nil {
		t.Error("an unknown zone was read")
	}
}

func at(t *testing.T, s string) time.Time {
	t.Helper()
	v, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func stampOrNone(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return stamp(t)
}
