package rules

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// suspendFirst keeps a CronJob from making the next run of the same template while this one is dealt with.
func suspendFirst(p *analyze.Pass) []act {
	ref, ok := cronRef(p.Workload)
	if !ok || suspended(p.Workload.CronJob) {
		return nil
	}
	cmd := suspendCommand(ref)
	policy, _ := policyOf(p.Workload.CronJob)
	if byHand(p.Workload) {
		policy = "" // its CronJob neither waits for it nor deletes it
	}
	native := p.Next != nil && p.Next.Placement == knowledge.Native
	fate := say("may be held again")
	if p.Next != nil && p.Next.Placement == knowledge.Ordinary {
		fate = say("is held again")
	}
	switch {
	case native && policy == forbid:
		return []act{do(say("suspend CronJob %s until this moment suits a run: once this run is over the controller starts the newest missed one at once, %s", ref.Name, dueStill(p.Workload.CronJob)), cmd)}
	case native:
		return nil
	case policy == forbid:
		return []act{do(say("suspend CronJob %s before anything else: once this run is over the controller starts the newest missed one at once, %s, and that run is made from the same template and %s", ref.Name, dueStill(p.Workload.CronJob), fate), cmd)}
	case policy == replace:
		return []act{do(say("suspend CronJob %s before anything else: its next run deletes this one, with its pod and its logs", ref.Name), cmd)}
	}
	return []act{do(say("suspend CronJob %s before anything else: each further run is made from the same template and %s", ref.Name, fate), cmd)}
}

// resumeLater ends what suspendFirst began.
func resumeLater(p *analyze.Pass) act {
	ref, _ := cronRef(p.Workload)
	if p.Next != nil && p.Next.Placement == knowledge.Native {
		return do(say("resume the CronJob when a run suits"), resumeCommand(ref))
	}
	for _, run := range []func(*analyze.Pass) analyze.Outcome{runCronJobBlocked, runCronJobReplaced, runCronJobPileUp} {
		o := run(p)
		if o.Status == analyze.Fired && o.Remedy != nil && slices.ContainsFunc(o.Remedy.Steps, func(t analyze.Text) bool { return strings.Contains(t.String(), resumeCommand(ref)) }) {
			return do(say("leave the CronJob suspended: it is resumed behind the change for the next run, see below"))
		}
	}
	return do(say("leave the CronJob suspended until the change for the next run is made, see below; then resume it"), resumeCommand(ref))
}
