package redact

// The kinds that are read. Of any other only the metadata stays: what its fields hold is not known here, and nothing is
// concluded from them.

var meta = fields{
	"name": name, "generateName": name, "namespace": name, "uid": name, "resourceVersion": name, "generation": plain,
	"creationTimestamp": name, "deletionTimestamp": name, "deletionGracePeriodSeconds": plain, "labels": plain,
	"annotations": annotations, "ownerReferences": plain, "finalizers": plain,
}

var identity = fields{"apiVersion": name, "kind": name, "metadata": meta.of}

var podTemplate = fields{"metadata": meta.of, "spec": podSpec.of}

var jobSpec = fields{
	"parallelism": plain, "completions": plain, "completionMode": name, "backoffLimit": plain, "backoffLimitPerIndex": plain,
	"maxFailedIndexes": plain, "activeDeadlineSeconds": plain, "ttlSecondsAfterFinished": plain, "suspend": plain,
	"managedBy": name, "podFailurePolicy": plain, "successPolicy": plain, "podReplacementPolicy": name,
	"manualSelector": plain, "selector": plain, "template": podTemplate.of,
}

var cronJobSpec = fields{
	"schedule": name, "timeZone": name, "concurrencyPolicy": name, "suspend": plain, "startingDeadlineSeconds": plain,
	"successfulJobsHistoryLimit": plain, "failedJobsHistoryLimit": plain,
	"jobTemplate": fields{"metadata": meta.of, "spec": jobSpec.of}.of,
}

// controllerSpec is that of Deployments, ReplicaSets, DaemonSets and StatefulSets.
var controllerSpec = fields{
	"replicas": plain, "selector": plain, "template": podTemplate.of, "strategy": plain, "updateStrategy": plain,
	"minReadySeconds": plain, "revisionHistoryLimit": plain, "paused": plain, "progressDeadlineSeconds": plain,
	"serviceName": name, "podManagementPolicy": name, "ordinals": plain, "persistentVolumeClaimRetentionPolicy": plain,
	"volumeClaimTemplates": plain,
}

var nodeSpec = fields{"podCIDR": plain, "podCIDRs": plain, "providerID": plain, "taints": plain, "unschedulable": plain}

var event = identity.with(fields{
	"involvedObject": plain, "regarding": plain, "related": plain, "reason": name, "message": message, "note": message,
	"type": name, "count": plain, "firstTimestamp": name, "lastTimestamp": name, "eventTime": name, "source": plain,
	"reportingComponent": name, "reportingController": name, "reportingInstance": name, "series": plain, "action": name,
	"deprecatedSource": plain, "deprecatedFirstTimestamp": name, "deprecatedLastTimestamp": name, "deprecatedCount": plain,
})

// kinds are the objects that are read, by kind.
var kinds = map[string]policy{
	"Pod":                          identity.with(fields{"spec": podSpec.of, "status": plain}).of,
	"Job":                          identity.with(fields{"spec": jobSpec.of, "status": plain}).of,
	"CronJob":                      identity.with(fields{"spec": cronJobSpec.of, "status": plain}).of,
	"Deployment":                   controller.of,
	"ReplicaSet":                   controller.of,
	"DaemonSet":                    controller.of,
	"StatefulSet":                  controller.of,
	"Node":                         identity.with(fields{"spec": nodeSpec.of, "status": plain}).of,
	"Namespace":                    identity.with(fields{"spec": plain, "status": plain}).of,
	"Project":                      identity.with(fields{"spec": plain, "status": plain}).of,
	"Lease":                        identity.with(fields{"spec": plain}).of,
	"Event":                        event.of,
	"ConfigMap":                    configMap,
	"MutatingWebhookConfiguration": identity.with(fields{"webhooks": plain}).of,
}

var controller = identity.with(fields{"spec": controllerSpec.of, "status": plain})

// refusal is what an API server answers instead of an object.
var refusal = fields{"apiVersion": name, "kind": name, "metadata": plain, "status": name, "message": message, "reason": name,
	"details": plain, "code": plain}

// versions is what tells the version of a server: kubectl version, the raw /version, the file of a support bundle.
var versions = versionInfo.with(fields{"clientVersion": versionInfo.of, "serverVersion": versionInfo.of,
	"kustomizeVersion": name, "info": versionInfo.of, "string": name})

var versionInfo = fields{"major": name, "minor": name, "gitVersion": name, "gitCommit": name, "gitTreeState": name,
	"buildDate": name, "goVersion": name, "compiler": name, "platform": name, "emulationMajor": name, "emulationMinor": name,
	"minCompatibilityMajor": name, "minCompatibilityMinor": name}
