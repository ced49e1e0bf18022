package rules

import "github.com/sidecar-must-gather/sidecar-must-gather/analyze"

// Things that are counted: one of them is said otherwise than several. A test holds that no other sentence has a number
// before a noun of which there may be one.

type number interface{ ~int | ~int64 }

func timesOf[N number](n N) analyze.Text {
	if n == 1 {
		return say("once")
	}
	return say("%d times", n)
}

func restartsOf[N number](n N) analyze.Text {
	if n == 1 {
		return say("1 restart")
	}
	return say("%d restarts", n)
}

func entriesOf(n int) analyze.Text {
	if n == 1 {
		return say("1 entry")
	}
	return say("%d entries", n)
}

func podsOf(n int) analyze.Text {
	if n == 1 {
		return say("1 pod")
	}
	return say("%d pods", n)
}

func jobsOf[N number](n N) analyze.Text {
	if n == 1 {
		return say("1 Job")
	}
	return say("%d Jobs", n)
}

func othersOf(n int) analyze.Text {
	if n == 1 {
		return say("1 other")
	}
	return say("%d others", n)
}

// nodesOf is a number of nodes among all.
func nodesOf(n, all int) analyze.Text {
	if all == 1 {
		return say("%d of 1 node", n)
	}
	return say("%d of %d nodes", n, all)
}

func moreGroups(n int) analyze.Text {
	if n == 1 {
		return say("nodes of one more version or pool")
	}
	return say("nodes of %d more versions or pools", n)
}

func moreWorkloads(n int) analyze.Text {
	if n == 1 {
		return say("what 1 more workload lacks, which is told with it")
	}
	return say("what %d more workloads lack, which is told with each of them", n)
}

func moreObjects(n int) analyze.Text {
	if n == 1 {
		return say("1 more object")
	}
	return say("%d more objects", n)
}

// objectsStand begins a sentence about where objects are found.
func objectsStand(n int) analyze.Text {
	if n == 1 {
		return say("one object stands")
	}
	return say("%d objects stand", n)
}

func unreadParts(summary analyze.Text, n int) analyze.Text {
	if n == 1 {
		return say("%s; one part of the bundle could not be read, and a pod of it may have stood in it", summary)
	}
	return say("%s; %d parts of the bundle could not be read, and a pod of it may have stood in one of them", summary, n)
}
