package analyze

// Cost is what a held workload has cost by the bundle's time: facts and arithmetic, no prices. What the bundle does not
// show is absent.
type Cost struct {
	// HeldSince is when the first of its pods began to be held.
	HeldSince string `json:"heldSince,omitempty"`
	// Pods counts the held ones.
	Pods int `json:"pods"`
	// PodHours adds up how long each of them was held, in hours with two decimals.
	PodHours float64 `json:"podHours,omitempty"`
	// PodTime is the same as people say it: 54s, 3d4h.
	PodTime string `json:"podTime,omitempty"`
	// AtLeast says that the bundle was taken later than the newest time in it, so that hours and runs are a minimum.
	AtLeast bool `json:"atLeast,omitempty"`
	// CPU and Memory are the requests of the held pods, which stay reserved on their nodes, as Kubernetes quantities.
	CPU    string `json:"cpu,omitempty"`
	Memory string `json:"memory,omitempty"`
	// UnreadPods counts held pods whose requests could not be read and are not in CPU and Memory.
	UnreadPods int `json:"unreadPods,omitempty"`
	// Runs is what the CronJob lost; nil where there is none, or nothing is known to be lost.
	Runs *CronRuns `json:"runs,omitempty"`
}

// CronRuns is what a held Job cost its CronJob: runs that were not started, or held Jobs that add up.
type CronRuns struct {
	// Skipped counts runs that were due and not started because the Job was still active; First and Last are when.
	Skipped int    `json:"skipped,omitempty"`
	First   string `json:"first,omitempty"`
	Last    string `json:"last,omitempty"`
	// AtLeast says that there may have been more.
	AtLeast bool `json:"atLeast,omitempty"`
	// Schedule and TimeZone are what the runs were computed with; TimeZoneAssumed says that the CronJob names no zone,
	// and that its controller's own, which no bundle shows, was taken for UTC.
	Schedule        string `json:"schedule,omitempty"`
	TimeZone        string `json:"timeZone,omitempty"`
	TimeZoneAssumed bool   `json:"timeZoneAssumed,omitempty"`
	// PiledUp counts the Jobs of the CronJob that were held at once, this one included.
	PiledUp int `json:"piledUp,omitempty"`
}
