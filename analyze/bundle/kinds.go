package bundle

import "strings"

// kindHint gives the kind of a plural as in pods.json, or of a lower-case kind as in pod/x.yaml; empty when it is not
// among the kinds that are kept. It is a hint for items that do not name their kind themselves.
func kindHint(name string) string {
	switch strings.ToLower(name) {
	case "pods", "pod":
		return "Pod"
	case "jobs", "job":
		return "Job"
	case "cronjobs", "cronjob":
		return "CronJob"
	case "nodes", "node":
		return "Node"
	case "events", "event":
		return "Event"
	case "namespaces", "namespace":
		return "Namespace"
	case "deployments", "deployment":
		return "Deployment"
	case "replicasets", "replicaset":
		return "ReplicaSet"
	case "daemonsets", "daemonset":
		return "DaemonSet"
	case "statefulsets", "statefulset":
		return "StatefulSet"
	case "configmaps", "configmap":
		return "ConfigMap"
	case "leases", "lease":
		return "Lease"
	case "mutatingwebhookconfigurations", "mutatingwebhookconfiguration":
		return "MutatingWebhookConfiguration"
	}
	return ""
}

// isDull recognises kinds of which bundles are full, and that no verdict or rule asks for: as plurals, as the lower-case
// kinds of crust-gather, and by the names that troubleshoot made up.
func isDull(name string) bool {
	switch strings.ToLower(name) {
	case "endpoints", "endpointslices", "endpointslice", "services", "service", "serviceaccounts", "serviceaccount",
		"persistentvolumeclaims", "persistentvolumeclaim", "persistentvolumes", "persistentvolume", "pvcs", "pvs",
		"roles", "role", "rolebindings", "rolebinding", "clusterroles", "clusterrole", "clusterrolebindings",
		"clusterrolebinding", "customresourcedefinitions", "customresourcedefinition", "custom-resource-definitions",
		"apiservices", "apiservice", "networkpolicies", "networkpolicy", "network-policy", "poddisruptionbudgets",
		"poddisruptionbudget", "pod-disruption-budgets", "storageclasses", "storageclass", "storage-classes",
		"volumeattachments", "csinodes", "csidrivers", "csistoragecapacities", "controllerrevisions",
		"controllerrevision", "ingress", "auth-cani-list", "image-pull-secrets",
		"resources", "groups", "routes", "images", "imagestreams", "imagestreamtags", "packagemanifests", "catalogsources",
		"operatorgroups", "prometheusrules", "servicemonitors", "podmonitors", "oauths", "identities", "users",
		"machineconfigs":
		return true
	}
	return false
}
