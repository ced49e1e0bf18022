package rules

import (
	"fmt"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// TestManyRunsOfOneCronJob: thousands of held runs, as a schedule of every minute leaves in days, cost in proportion to
// their number, and so do the runs that each of many Jobs in the list of active ones keeps back.
func TestManyRunsOfOneCronJob(t *testing.T) {
	const many = 2500
	for _, policy := range []string{allow, forbid} {
		cron := &kube.CronJob{}
		cron.Kind, cron.Meta.Name, cron.Meta.Namespace = "CronJob", "nightly", "team-app"
		cron.Spec.Schedule, cron.Spec.ConcurrencyPolicy, cron.Spec.TimeZone = "* * * * *", policy, "Europe/Vienna"
		cron.Status.LastScheduleTime = stampOf(began.AddDate(-1, 0, 0))
		set := &kube.Set{CronJobs: []*kube.CronJob{cron}}
		for i := range many {
			job, pod := jobOf(), podOf("Never", "Running", app().exits(0), proxy())
			job.Meta.Name, job.Meta.UID = fmt.Sprint("report-", i), fmt.Sprint("job-", i)
			job.Meta.Owners = []kube.Owner{{APIVersion: "batch/v1", Kind: "CronJob", Name: "nightly", Controller: yesno(true)}}
			pod.Meta.Name, pod.Meta.UID = fmt.Sprint("report-", i, "-x"), fmt.Sprint("pod-", i)
			pod.Meta.Owners[0].Name, pod.Meta.Owners[0].UID = job.Meta.Name, job.Meta.UID
			cron.Status.Active = append(cron.Status.Active, kube.ActiveJob{Name: job.Meta.Name})
			set.Jobs, set.Pods = append(set.Jobs, job), append(set.Pods, pod)
		}
		k := base(t)
		c := facts.Build(set, facts.Options{Helper: HelperOf(k), KnownInit: InitOf(k), CollectedAt: taken})
		start := time.Now()
		report := Engine().Run(c, k, analyze.Options{})
		if took := time.Since(start); took > 60*time.Second || len(report.Workloads) != many {
			t.Errorf("%s: %d workloads in %s", policy, len(report.Workloads), took)
		}
	}
}
