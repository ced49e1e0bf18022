package rules

import (
	"errors"
	"strings"
	"time"

	// The zone data is linked in: an analyst's machine, or a minimal container, may have none, and spec.timeZone is then
	// unreadable.
	_ "time/tzdata"

	"github.com/robfig/cron/v3"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// timetable is a CronJob's schedule. It is read with the library that the CronJob controller itself uses, so that a
// schedule means here what it means there (steps, ranges, names, @daily, changes to daylight saving time).
type timetable struct {
	cron.Schedule
	zone string
	// assumed says that the CronJob names no zone: the controller then takes its own, which no bundle shows and which is
	// UTC in nearly every cluster.
	assumed bool
}

// mostRuns bounds how many runs are counted; beyond it the number says no more than "very many".
const mostRuns = 10000

// timetableOf reads the schedule of a CronJob. The error says what cannot be read.
func timetableOf(cj *kube.CronJob) (timetable, error) {
	t := timetable{zone: cj.Spec.TimeZone}
	spec := strings.TrimSpace(cj.Spec.Schedule)
	if rest, ok := cutZone(spec); ok {
		zone, fields, ok := strings.Cut(rest, " ")
		if !ok {
			return t, errors.New("a time zone without a schedule behind it")
		}
		// The controller hands a schedule with a zone in it to the library as it is, whatever spec.timeZone says.
		spec, t.zone = strings.TrimSpace(fields), zone
	}
	if t.zone == "" {
		t.zone, t.assumed = "UTC", true
	}
	if spec == "" || strings.ContainsAny(t.zone, " \t") {
		return t, errors.New("no schedule that can be read")
	}
	s, err := cron.ParseStandard("CRON_TZ=" + t.zone + " " + spec)
	if err != nil {
		return t, err
	}
	t.Schedule = s
	return t, nil
}

// cutZone takes the zone prefix off, which the API server refuses in new CronJobs and which old ones may still have.
func cutZone(spec string) (string, bool) {
	for _, prefix := range []string{"CRON_TZ=", "TZ="} {
		if rest, ok := strings.CutPrefix(spec, prefix); ok {
			return rest, true
		}
	}
	return "", false
}

// runs are the times at which a schedule was due after one moment, up to and with another.
type runs struct {
	n           int
	first, last time.Time
	// more says that counting was given up at n.
	more bool
}

// runsSince counts the runs of a CronJob that were due after a moment, up to the bundle's time. It is asked for each of the
// Jobs that a CronJob lists as active, and the answer is mostly the same.
func runsSince(c *facts.Cluster, cj *kube.CronJob, table timetable, after time.Time) runs {
	type question struct {
		cj    *kube.CronJob
		after time.Time
	}
	return facts.OnceFor(c, "runs-since", question{cj, after}, func() runs { return table.between(after, c.At.V) })
}

// between counts the runs that were due. A schedule that never comes (30 February) has none.
func (t timetable) between(after, until time.Time) runs {
	var r runs
	for at := t.Next(after); !at.IsZero() && !at.After(until); at = t.Next(at) {
		if r.n == mostRuns {
			r.more = true
			return r
		}
		if r.n == 0 {
			r.first = at
		}
		r.n, r.last = r.n+1, at
	}
	return r
}
