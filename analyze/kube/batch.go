package kube

import "slices"

// Job is a batch/v1 Job.
type Job struct {
	Object `json:",inline"`
	Spec   JobSpec   `json:"spec"`
	Status JobStatus `json:"status"`
}

// JobSpec is spec of a Job or of a CronJob's jobTemplate.
type JobSpec struct {
	Parallelism             *int64            `json:"parallelism,omitempty"`
	Completions             *int64            `json:"completions,omitempty"`
	CompletionMode          string            `json:"completionMode,omitempty"`
	BackoffLimit            *int64            `json:"backoffLimit,omitempty"`
	BackoffLimitPerIndex    *int64            `json:"backoffLimitPerIndex,omitempty"`
	MaxFailedIndexes        *int64            `json:"maxFailedIndexes,omitempty"`
	ActiveDeadlineSeconds   *int64            `json:"activeDeadlineSeconds,omitempty"`
	TTLSecondsAfterFinished *int64            `json:"ttlSecondsAfterFinished,omitempty"`
	Suspend                 *bool             `json:"suspend,omitempty"`
	ManagedBy               string            `json:"managedBy,omitempty"`
	PodFailurePolicy        *PodFailurePolicy `json:"podFailurePolicy,omitempty"`
	SuccessPolicy           *SuccessPolicy    `json:"successPolicy,omitempty"`
	ManualSelector          *bool             `json:"manualSelector,omitempty"`
	Selector                *struct {
		MatchLabels Pairs `json:"matchLabels,omitempty"`
	} `json:"selector,omitempty"`
	PodReplacementPolicy string      `json:"podReplacementPolicy,omitempty"`
	Template             PodTemplate `json:"template,omitzero"`
}

// PodTemplate is the template of a pod.
type PodTemplate struct {
	Meta Meta    `json:"metadata,omitzero"`
	Spec PodSpec `json:"spec,omitzero"`
}

// PodFailurePolicy is spec.podFailurePolicy.
type PodFailurePolicy struct {
	Rules []PodFailureRule `json:"rules,omitempty"`
}

// SuccessPolicy is kept for how many rules it has.
type SuccessPolicy struct {
	Rules []struct {
		SucceededIndexes string `json:"succeededIndexes,omitempty"`
		SucceededCount   *int64 `json:"succeededCount,omitempty"`
	} `json:"rules,omitempty"`
}

// PodFailureRule is one rule of it.
type PodFailureRule struct {
	Action      string `json:"action,omitempty"`
	OnExitCodes *struct {
		ContainerName string  `json:"containerName,omitempty"`
		Operator      string  `json:"operator,omitempty"`
		Values        []int64 `json:"values,omitempty"`
	} `json:"onExitCodes,omitempty"`
	OnPodConditions []PodConditionPattern `json:"onPodConditions,omitempty"`
}

// PodConditionPattern is one condition of a pod that a rule asks for.
type PodConditionPattern struct {
	Type   string `json:"type,omitempty"`
	Status string `json:"status,omitempty"`
}

// JobStatus is status of a Job. Counters are pointers: absent is not zero in a bundle that was redacted or cut.
type JobStatus struct {
	Active                  *int64      `json:"active,omitempty"`
	Ready                   *int64      `json:"ready,omitempty"`
	Succeeded               *int64      `json:"succeeded,omitempty"`
	Failed                  *int64      `json:"failed,omitempty"`
	Terminating             *int64      `json:"terminating,omitempty"`
	StartTime               Time        `json:"startTime,omitzero"`
	CompletionTime          Time        `json:"completionTime,omitzero"`
	Conditions              []Condition `json:"conditions,omitempty"`
	CompletedIndexes        string      `json:"completedIndexes,omitempty"`
	FailedIndexes           string      `json:"failedIndexes,omitempty"`
	UncountedTerminatedPods *struct {
		Succeeded []string `json:"succeeded,omitempty"`
		Failed    []string `json:"failed,omitempty"`
	} `json:"uncountedTerminatedPods,omitempty"`
}

// CronJob is a batch CronJob of any version.
type CronJob struct {
	Object `json:",inline"`
	Spec   CronJobSpec   `json:"spec"`
	Status CronJobStatus `json:"status"`
}

// CronJobSpec is spec of a CronJob.
type CronJobSpec struct {
	Schedule                   string `json:"schedule,omitempty"`
	TimeZone                   string `json:"timeZone,omitempty"`
	ConcurrencyPolicy          string `json:"concurrencyPolicy,omitempty"`
	Suspend                    *bool  `json:"suspend,omitempty"`
	StartingDeadlineSeconds    *int64 `json:"startingDeadlineSeconds,omitempty"`
	SuccessfulJobsHistoryLimit *int64 `json:"successfulJobsHistoryLimit,omitempty"`
	FailedJobsHistoryLimit     *int64 `json:"failedJobsHistoryLimit,omitempty"`
	JobTemplate                struct {
		Meta Meta    `json:"metadata,omitzero"`
		Spec JobSpec `json:"spec,omitzero"`
	} `json:"jobTemplate,omitzero"`
}

// CronJobStatus is status of a CronJob.
type CronJobStatus struct {
	Active             []ActiveJob `json:"active,omitempty"`
	LastScheduleTime   Time        `json:"lastScheduleTime,omitzero"`
	LastSuccessfulTime Time        `json:"lastSuccessfulTime,omitzero"`
}

// ListsActive says that a CronJob counts a Job among its active ones; none that is not in the bundle does.
func (c *CronJob) ListsActive(job string) bool {
	return c != nil && slices.ContainsFunc(c.Status.Active, func(a ActiveJob) bool { return a.Name == job })
}

// ActiveJob is a reference to a running Job of a CronJob.
type ActiveJob struct {
	Name      string `json:"name,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	UID       string `json:"uid,omitempty"`
}
