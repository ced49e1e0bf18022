package kube

import "github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"

// Set is everything read from a bundle, in the order it was read. The same object may stand in it more than once
// (a must-gather holds every pod twice, describe text repeats YAML); package facts joins them.
type Set struct {
	Pods []*Pod
	// Services are pods that were reduced to this (Decoder.Reduce), and are not among Pods.
	Services    []ServicePod
	Jobs        []*Job
	CronJobs    []*CronJob
	Nodes       []*Node
	Leases      []*Lease
	Events      []*Event
	Namespaces  []*Namespace
	Controllers []*Controller
	ConfigMaps  []*ConfigMap
	Webhooks    []*WebhookConfiguration
	// Others are objects of kinds without a struct here (Workflow, SparkApplication, IstioRevision, ...).
	Others []*Object
	// Servers are the versions that API servers reported of themselves.
	Servers []ServerVersion
	// Istiods are the versions that istioctl version had from istiods.
	Istiods []IstiodVersion
	// Rows are rows of kubectl get tables: they may support a statement, never prove one.
	Rows []Row
	// Notes are messages of kubectl or of the API server found as text: refusals and errors.
	Notes []Note
}

// ServerVersion is what `kubectl version` or /version said of the API server.
type ServerVersion struct {
	GitVersion string
	Evidence   evidence.Evidence
}

// IstiodVersion is what istioctl version said of an istiod.
type IstiodVersion struct {
	// Revision is empty where it was not said, as in text.
	Revision string
	Version  string
	Evidence evidence.Evidence
}

// Row is one row of a kubectl get table, cells by column title in upper case (NAME, READY, STATUS, ...).
type Row struct {
	// Kind is Pod, Job, Node, CronJob, ... as told by the columns or by a kind/name prefix; empty when unknown.
	Kind  string
	Cells map[string]string
	File  string
	Line  int
	// Table is the line of the titles above it.
	Table int
	// Earlier counts the rows about the same object that stand above this one in its text and were left for it.
	Earlier int
}

// Note is a message found as text.
type Note struct {
	// Class is "forbidden", "notFound", "invalid" (the API server refused an object), "unreachable" or "other".
	Class string
	Text  string
	File  string
	Line  int
}
