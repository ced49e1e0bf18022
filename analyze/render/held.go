package render

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// heldText says by what, since when and for how long.
func heldText(c catalogue, w analyze.Workload) string {
	if w.Since != "" && strings.Contains(w.Summary, w.Since) && strings.Contains(w.Summary, rounded(w.HeldFor)) {
		return "" // the sentence has said it
	}
	by := c.names(w.Culprits)
	held := heldFor(c, w)
	switch {
	case unproven(w) && by != "" && w.Since != "" && w.HeldFor != "":
		return c.say("after.full", by, w.Since, held)
	case unproven(w):
		return "" // the sentence says what is known, and that it is not known what holds it
	case nothingHeld(w) && w.Since != "" && w.HeldFor != "":
		return c.say("since.for", w.Since, held)
	case nothingHeld(w) && w.Since != "":
		return c.say("since", w.Since)
	case nothingHeld(w):
		return ""
	case by != "" && w.Since != "" && w.HeldFor != "" && w.Cost != nil && w.Cost.Pods > 1:
		return c.say("held.first", by, w.Since, held)
	case by != "" && w.Since != "" && w.HeldFor != "":
		return c.say("held.full", by, w.Since, held)
	case by != "" && w.Since != "":
		return c.say("held.since", by, w.Since)
	case by != "" && !slices.ContainsFunc(w.Culprits, func(name string) bool { return !strings.Contains(w.Summary, name) }):
		return "" // the sentence has named them
	case by != "":
		return c.say("held.by", by)
	case w.Since != "" && w.HeldFor != "":
		return c.say("since.for", w.Since, held)
	case w.Since != "":
		return c.say("since", w.Since)
	default:
		return ""
	}
}

// heldFor is how long a workload was held: at least so long where the bundle was taken later than its newest time.
func heldFor(c catalogue, w analyze.Workload) string {
	if w.HeldFor != "" && (w.HeldAtLeast || w.Cost != nil && w.Cost.AtLeast) {
		return c.say("atLeast", w.HeldFor)
	}
	return w.HeldFor
}

// unproven says that the containers that a verdict names still ran, and that it is not known whether they hold the
// workload or do work that it has to wait for.
func unproven(w analyze.Workload) bool { return w.Verdict == "OtherContainerRunning" }

// nothingHeld says that the containers which a verdict names are at work, failed, or end as they should, and hold nothing.
func nothingHeld(w analyze.Workload) bool {
	switch w.Verdict {
	case "AppRunning", "AppFailed", "AppCrashLooping", "NativeSidecarStopping", "Completed", "Failed":
		return true
	}
	return false
}

// heldBy names what holds a workload, in a row: with a question mark where that is not known.
func heldBy(c catalogue, w analyze.Workload, name func(string) string) string {
	if nothingHeld(w) {
		return ""
	}
	var out []string
	for _, n := range w.Culprits {
		if n = name(n); unproven(w) {
			n = c.say("perhaps", n)
		}
		out = append(out, n)
	}
	return c.names(out)
}

var threeUnits = regexp.MustCompile(`^(\d+[a-z]\d+[a-z])\d+[a-z]$`)

// rounded keeps the two largest units of a duration, as sentences give it: 9h10m of 9h10m45s.
func rounded(duration string) string {
	return threeUnits.ReplaceAllString(duration, "$1")
}
