package render

import (
	"strconv"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// costTexts is what a held workload has cost, in at most two sentences: pod time with what stayed reserved, and the
// runs of its CronJob. named says that the text stands for one of several workloads and names it.
func costTexts(c catalogue, w analyze.Workload, named bool) []string {
	k := w.Cost
	if k == nil || k.PodHours == 0 && k.PodTime == "" && k.Runs == nil {
		return nil
	}
	label := c.say("cost")
	if named {
		label = c.say("cost.of", w.Name)
	}
	var out []string
	if k.PodHours > 0 || k.PodTime != "" {
		out = append(out, label+c.say("colon")+timeText(c, k)+c.say("stop"))
	}
	if k.Runs != nil && w.Parent != nil {
		out = append(out, runsText(c, k.Runs, w.Parent.Name)+c.say("stop"))
	}
	return out
}

// timeText says how long pods were held and what that kept reserved. Reports of older versions have the hours alone.
func timeText(c catalogue, k *analyze.Cost) string {
	id, said := "cost.time", k.PodTime
	if said == "" {
		id, said = "cost.hours", strconv.FormatFloat(k.PodHours, 'f', -1, 64)
	}
	if k.AtLeast {
		said = c.say("atLeast", said)
	}
	s := c.count(id, k.Pods, said)
	switch {
	case k.CPU == "" && k.Memory == "":
	case zero(k.CPU) && zero(k.Memory):
		s += c.say("cost.unrequested")
	default:
		s += c.say("cost.reserved", orElse(k.CPU, "?"), orElse(k.Memory, "?"))
	}
	if k.UnreadPods > 0 {
		s += c.count("cost.unread", k.UnreadPods)
	}
	return s
}

// zero says that a quantity is none.
func zero(quantity string) bool { return quantity == "0" || quantity == "0Mi" }

// runsText says which runs of the CronJob were lost.
func runsText(c catalogue, r *analyze.CronRuns, cronJob string) string {
	if r.Skipped == 0 {
		return c.count("cost.piledUp", r.PiledUp, cronJob)
	}
	n := itoa(r.Skipped)
	if r.AtLeast {
		n = c.say("atLeast", n)
	}
	s := c.count("cost.skipped", r.Skipped, cronJob, n)
	switch {
	case r.First == "":
		return s
	case r.Last == "" || r.Last == r.First:
		s += c.say("cost.skipped.first", r.First)
	default:
		s += c.say("cost.skipped.span", r.First, r.Last)
	}
	if r.Schedule == "" {
		return s
	}
	zone := r.TimeZone
	if r.TimeZoneAssumed {
		zone = c.say("cost.zone.assumed", zone)
	}
	return s + c.say("cost.schedule", strconv.Quote(r.Schedule), zone)
}
