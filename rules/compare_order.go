package rules

import (
	"regexp"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
)

// noLaterRun says why AFTER tells nothing about a fix of what BEFORE shows: it is another workload, or it came first.
func noLaterRun(before, after *Side) (analyze.Text, []evidence.Evidence) {
	if before == nil {
		return analyze.Text{}, nil
	}
	if !(before.Named && after.Named) && !sameWorkload(before.Workload, after.Workload) {
		return say("nothing was compared, %s and %s are not known to be runs of one workload: name both with --before-job and --after-job if they are, as with a test Job under another name",
			before.Workload.Ref.String(), after.Workload.Ref.String()), nil
	}
	now := runOf(after)
	if now == nil || now.Meta.Created.IsZero() {
		return analyze.Text{}, nil
	}
	made := now.Meta.Created.Time
	if then := runOf(before); then != nil {
		if at := then.Meta.Created.Time; !at.IsZero() && !made.After(at) {
			return say("nothing was compared, pod %s of AFTER was created at %s and pod %s of BEFORE at %s: a fix shows in a pod that was created after it; were the bundles given in the wrong order?",
				now.Meta.Name, stamp(made), then.Meta.Name, stamp(at)), createdOf(then, now)
		}
		return analyze.Text{}, nil
	}
	if at := startOf(before.Workload); !at.IsZero() && made.Before(at) {
		return say("nothing was compared, pod %s of AFTER was created at %s, before %s of BEFORE at %s: were the bundles given in the wrong order?",
			now.Meta.Name, stamp(made), before.Workload.Ref.String(), stamp(at)), createdOf(now)
	}
	return analyze.Text{}, nil
}

func createdOf(pods ...*facts.Pod) []evidence.Evidence {
	var out []evidence.Evidence
	for _, p := range pods {
		out = append(out, p.Ev("metadata.creationTimestamp", p.Meta.Created.UTC().Format(time.RFC3339)))
	}
	return out
}

// sameWorkload says that two runs are of one Job, or were made by one object above them.
func sameWorkload(a, b *facts.Workload) bool {
	if a.Ref.Namespace != b.Ref.Namespace || a.Ref.Kind != b.Ref.Kind {
		return false
	}
	if a.Ref.Name == b.Ref.Name {
		return true
	}
	if a.ParentName != "" && b.ParentName != "" {
		return a.ParentName == b.ParentName && a.ParentKind == b.ParentKind && a.ParentGroup == b.ParentGroup
	}
	return a.IsJob() && cronName(a) != "" && cronName(a) == cronName(b)
}

var runName = regexp.MustCompile(`^(.+)-[0-9]{8}$`)

// cronName names the CronJob of a Job. Where the owner references of the Job are not in the bundle its name tells: the
// CronJob controller appends the minute for which the run was scheduled, counted from 1970.
func cronName(w *facts.Workload) string {
	if w.ParentName != "" {
		if w.ParentKind == "CronJob" {
			return w.ParentName
		}
		return ""
	}
	if j := w.Live(); j != nil && !j.Described() {
		return ""
	}
	if m := runName.FindStringSubmatch(w.Ref.Name); m != nil {
		return m[1]
	}
	return ""
}
