package describe

import (
	"regexp"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// podsStatuses is "1 Active (0 Ready) / 0 Succeeded / 0 Failed"; old kubectl says Running for Active.
var podsStatuses = regexp.MustCompile(`^(\d+) (?:Active|Running)(?: \((\d+) Ready\))? / (\d+) Succeeded / (\d+) Failed$`)

func (d *Decoder) job(c *cursor) {
	job := &kube.Job{}
	lines := d.object(&job.Object, "Job", "batch/v1", c)
	for c.more() {
		l := c.cur()
		switch {
		case c.meta(&job.Meta, lines):
			continue
		case l.is(0, "Pod Template"):
			d.template(c, &job.Spec.Template, lines, "spec.template")
			continue
		case l.is(0, "Events"):
			d.eventTable(c, kube.ObjectRef{Kind: "Job", Namespace: job.Meta.Namespace, Name: job.Meta.Name})
			continue
		case l.indent == 0:
			jobField(job, lines, l)
		}
		c.i++
	}
	d.Set.Jobs = append(d.Set.Jobs, job)
}

func jobField(job *kube.Job, lines kube.LineMap, l line) {
	spec, st := &job.Spec, &job.Status
	set := func(path string, into **int64) { *into, lines[path] = number(l.value), l.number }
	switch l.key {
	case "Selector":
		// The API server selects a Job's pods by the Job's own uid.
		if _, uid, ok := strings.Cut(l.value, "controller-uid="); ok {
			job.Meta.UID, _, _ = strings.Cut(uid, ",")
			lines["metadata.uid"] = l.number
		}
	case "Parallelism":
		set("spec.parallelism", &spec.Parallelism)
	case "Completions":
		set("spec.completions", &spec.Completions)
	case "Completion Mode":
		spec.CompletionMode, lines["spec.completionMode"] = l.value, l.number
	case "Suspend":
		spec.Suspend, lines["spec.suspend"] = boolean(l.value), l.number
	case "Backoff Limit":
		set("spec.backoffLimit", &spec.BackoffLimit)
	case "TTL Seconds After Finished":
		set("spec.ttlSecondsAfterFinished", &spec.TTLSecondsAfterFinished)
	case "Active Deadline Seconds":
		set("spec.activeDeadlineSeconds", &spec.ActiveDeadlineSeconds)
	case "Start Time":
		st.StartTime, lines["status.startTime"] = kube.ParseTime(l.value), l.number
	case "Completed At":
		st.CompletionTime, lines["status.completionTime"] = kube.ParseTime(l.value), l.number
	case "Completed Indexes":
		st.CompletedIndexes, lines["status.completedIndexes"] = text(l.value), l.number
	case "Pods Statuses":
		if m := podsStatuses.FindStringSubmatch(l.value); m != nil {
			st.Active, st.Ready, st.Succeeded, st.Failed = number(m[1]), number(m[2]), number(m[3]), number(m[4])
		}
		for _, p := range []string{"active", "ready", "succeeded", "failed"} {
			lines["status."+p] = l.number
		}
	}
}

func boolean(s string) *bool {
	yes := strings.EqualFold(s, "true")
	if !yes && !strings.EqualFold(s, "false") {
		return nil
	}
	return &yes
}

func (d *Decoder) cronJob(c *cursor) {
	cj := &kube.CronJob{}
	lines := d.object(&cj.Object, "CronJob", "batch/v1", c)
	for c.more() {
		l := c.cur()
		switch {
		case c.meta(&cj.Meta, lines):
			continue
		case l.is(0, "Pod Template"):
			d.template(c, &cj.Spec.JobTemplate.Spec.Template, lines, "spec.jobTemplate.spec.template")
			continue
		case l.is(0, "Events"):
			d.eventTable(c, kube.ObjectRef{Kind: "CronJob", Namespace: cj.Meta.Namespace, Name: cj.Meta.Name})
			continue
		case l.indent == 0:
			cronJobField(cj, lines, l)
		}
		c.i++
	}
	d.Set.CronJobs = append(d.Set.CronJobs, cj)
}

func cronJobField(cj *kube.CronJob, lines kube.LineMap, l line) {
	spec, st := &cj.Spec, &cj.Status
	set := func(path string, into **int64) { *into, lines[path] = number(l.value), l.number }
	switch l.key {
	case "Schedule":
		spec.Schedule, lines["spec.schedule"] = l.value, l.number
	case "Time Zone":
		spec.TimeZone, lines["spec.timeZone"] = text(l.value), l.number
	case "Concurrency Policy":
		spec.ConcurrencyPolicy, lines["spec.concurrencyPolicy"] = l.value, l.number
	case "Suspend":
		spec.Suspend, lines["spec.suspend"] = boolean(l.value), l.number
	case "Starting Deadline Seconds":
		set("spec.startingDeadlineSeconds", &spec.StartingDeadlineSeconds)
	case "Successful Job History Limit":
		set("spec.successfulJobsHistoryLimit", &spec.SuccessfulJobsHistoryLimit)
	case "Failed Job History Limit":
		set("spec.failedJobsHistoryLimit", &spec.FailedJobsHistoryLimit)
	case "Parallelism":
		set("spec.jobTemplate.spec.parallelism", &spec.JobTemplate.Spec.Parallelism)
	case "Completions":
		set("spec.jobTemplate.spec.completions", &spec.JobTemplate.Spec.Completions)
	case "Last Schedule Time":
		st.LastScheduleTime, lines["status.lastScheduleTime"] = kube.ParseTime(text(l.value)), l.number
	case "Active Jobs":
		lines["status.active"] = l.number
		for _, name := range strings.Split(text(l.value), ",") {
			if name = strings.TrimSpace(name); name != "" {
				st.Active = append(st.Active, kube.ActiveJob{Name: name, Namespace: cj.Meta.Namespace})
			}
		}
	}
}

// template reads the pod template of a Job: titles at column 2, container names at column 3, fields at column 4.
func (d *Decoder) template(c *cursor, t *kube.PodTemplate, lines kube.LineMap, path string) {
	lines[path] = c.cur().number
	c.i++
	p := &podText{cursor: c, d: d, pod: &kube.Pod{}, where: lines}
	for c.more() && c.cur().indent >= 2 {
		l := c.cur()
		switch {
		case l.is(2, "Labels"):
			t.Meta.Labels = kube.PairsOf(c.labels(lines, path+".metadata.labels", 2))
			continue
		case l.is(2, "Annotations"):
			t.Meta.Annotations = kube.PairsOf(c.annotations(lines, path+".metadata.annotations", 2))
			continue
		case l.is(2, "Init Containers"):
			p.templateContainers(path+".spec.initContainers", &t.Spec.InitContainers)
			continue
		case l.is(2, "Containers"):
			p.templateContainers(path+".spec.containers", &t.Spec.Containers)
			continue
		case l.is(2, "Service Account"):
			t.Spec.ServiceAccountName, lines[path+".spec.serviceAccountName"] = l.value, l.number
		}
		c.i++
	}
}

func (p *podText) templateContainers(path string, specs *[]kube.Container) {
	p.where[path] = p.cur().number
	p.i++
	for p.more() && p.cur().indent == 3 {
		l := p.cur()
		p.i++
		if l.value != "" || !containerName.MatchString(l.key) {
			continue
		}
		ct := &containerText{podText: p, name: l.key, spec: path + "[name=" + l.key + "]", status: "none"}
		p.where[ct.spec] = l.number
		ct.c.Name = l.key
		ct.read()
		*specs = append(*specs, ct.c)
	}
}
