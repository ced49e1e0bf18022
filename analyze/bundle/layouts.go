package bundle

// layout says where one tool puts what. A layout is recognised from the set of paths of a bundle, at any depth, and
// decides for each file whether it is worth reading. A file that no rule names is read, if it is text: bundles are
// edited by people.
type layout struct {
	// id is what --layout takes, name what the report says.
	id, name string
	// signs are the marks that a root must have for the layout to be recognised, each alternative a set of marks.
	signs []mark
	rules []rule
}

// rule says what the files are whose path matches.
type rule struct {
	path string
	// mark is what the presence of such a file says about its root.
	mark mark
	// skip is why such files are not read, empty when they are. A tarball is read in one pass, so this is decided before
	// the layout is known: a path that is skipped must be unmistakable.
	skip string
}

// mark is a set of observations about a root.
type mark uint8

const (
	markTree mark = 1 << iota
	markStamp
	markOwn
	markMesh
)

// Reasons for not reading a file, as the report counts them.
const (
	skipLogs    = "container and node logs"
	skipSecret  = "secrets"
	skipKind    = "kinds that say nothing about a workload"
	skipRuntime = "dumps of proxies, networks and hosts"
	skipReport  = "reports of other tools"
)

// layouts are tried in this order; of two that fit one root the first is meant. The exact trees and where they were read
// stand in docs/layouts.md.
func layouts() []layout {
	return []layout{
		ownLayout(), istioMustGather(), mustGather(), supportBundle(), crustGather(), bugReport(), supportBundleKit(),
		clusterInfoDump(), kubectlFiles(),
	}
}

// LayoutIDs gives the names that Options.Layout takes.
func LayoutIDs() []string {
	var ids []string
	for _, l := range layouts() {
		ids = append(ids, l.id)
	}
	return ids
}

// looseID is the layout of everything that is in no recognised tree.
const looseID = "kubectl-files"

func kubectlFiles() layout { return layout{id: looseID, name: "kubectl files"} }

// ownLayout is that of collect/collect.sh: must-gather shaped, with a manifest.
func ownLayout() layout {
	return layout{id: "sidecar-must-gather", name: "sidecar-must-gather", signs: []mark{markOwn},
		rules: append([]rule{
			{path: "collection.json", mark: markOwn},
		}, inspectRules()...)}
}

// mustGather is OpenShift's must-gather and oc adm inspect.
func mustGather() layout {
	return layout{id: "must-gather", name: "must-gather", signs: []mark{markTree},
		rules: append(inspectRules(), []rule{
			{path: "event-filter.html", skip: skipReport},
			{path: "must-gather.logs", skip: skipLogs},
			{path: "gather.logs", skip: skipLogs},
			{path: "timestamp", mark: markStamp, skip: skipReport},
			{path: "host_service_logs/**", skip: skipLogs},
			{path: "audit_logs/**", skip: skipLogs},
			{path: "network_logs/**", skip: skipRuntime},
			{path: "etcd_info/**", skip: skipRuntime},
			{path: "pod_network_connectivity_check/**", skip: skipRuntime},
		}...)}
}

// istioMustGather is the same tree with dumps of the mesh in it: the old one of Maistra at its root, the new one below
// istio/ in OpenShift's.
func istioMustGather() layout {
	return layout{id: "istio-must-gather", name: "istio must-gather", signs: []mark{markTree | markMesh},
		rules: append([]rule{
			{path: "istio/^namespaces/**", mark: markMesh},
			{path: "istio/^cluster-scoped-resources/**", mark: markMesh},
			{path: "namespaces/*/debug-syncz.json", mark: markMesh, skip: skipRuntime},
			{path: "namespaces/*/*/debug-syncz.json", mark: markMesh, skip: skipRuntime},
			{path: "namespaces/*/pods/*/config_dump_istiod.json", mark: markMesh, skip: skipRuntime},
			{path: "namespaces/*/pods/*/config_dump_proxy.json", mark: markMesh, skip: skipRuntime},
			{path: "namespaces/*/pods/*/proxy_stats", mark: markMesh, skip: skipRuntime},
		}, inspectRules()...)}
}

// inspectRules are the tree that oc adm inspect writes, which others took over.
func inspectRules() []rule {
	rules := []rule{
		{path: "namespaces/*/pods/*/*/*/logs/**", mark: markTree, skip: skipLogs},
		{path: "namespaces/*/{group}/secrets.yaml", mark: markTree, skip: skipSecret},
		{path: "namespaces/*/core/secrets/**", mark: markTree, skip: skipSecret},
	}
	for _, plural := range dullKinds() {
		rules = append(rules,
			rule{path: "namespaces/*/{group}/" + plural + ".yaml", mark: markTree, skip: skipKind},
			rule{path: "namespaces/*/{group}/" + plural + "/*.yaml", mark: markTree, skip: skipKind},
			rule{path: "cluster-scoped-resources/{group}/" + plural + ".yaml", mark: markTree, skip: skipKind},
			rule{path: "cluster-scoped-resources/{group}/" + plural + "/*.yaml", mark: markTree, skip: skipKind})
	}
	return append(rules,
		rule{path: "namespaces/*/core/{plural}.yaml", mark: markTree},
		rule{path: "namespaces/*/core/{plural}/*.yaml", mark: markTree},
		rule{path: "namespaces/*/pods/*/*.yaml", mark: markTree},
		rule{path: "namespaces/*/{group}/{plural}.yaml"},
		rule{path: "namespaces/*/{group}/{plural}/*.yaml"},
		rule{path: "cluster-scoped-resources/{group}/{plural}.yaml", mark: markTree},
		rule{path: "cluster-scoped-resources/{group}/{plural}/*.yaml", mark: markTree})
}

// supportBundle is Replicated's troubleshoot. Bundles of 2021 hold bare arrays: there the path alone tells the kind.
func supportBundle() layout {
	return layout{id: "support-bundle", name: "troubleshoot support bundle", signs: []mark{markTree}, rules: []rule{
		{path: "cluster-resources/pods/logs/**", mark: markTree, skip: skipLogs},
		{path: "cluster-resources/auth-cani-list/**", mark: markTree, skip: skipKind},
		{path: "cluster-resources/custom-resource-definitions.json", mark: markTree, skip: skipKind},
		{path: "cluster-resources/clusterroles.json", mark: markTree, skip: skipKind},
		{path: "cluster-resources/clusterrolebindings.json", mark: markTree, skip: skipKind},
		{path: "cluster-resources/endpoints/*.json", mark: markTree, skip: skipKind},
		{path: "cluster-resources/services/*.json", mark: markTree, skip: skipKind},
		{path: "cluster-resources/{plural}.json", mark: markTree},
		{path: "cluster-resources/{plural}/*.json", mark: markTree},
	}}
}

// crustGather writes one file per object.
func crustGather() layout {
	rules := []rule{
		{path: "namespaces/*/v1/pod/*/*/current.log", mark: markTree, skip: skipLogs},
		{path: "namespaces/*/v1/pod/*/*/previous.log", mark: markTree, skip: skipLogs},
		{path: "namespaces/*/v1/secret/*.yaml", mark: markTree, skip: skipSecret},
	}
	for _, kind := range []string{"customresourcedefinition", "clusterrole", "clusterrolebinding", "role", "rolebinding",
		"serviceaccount", "endpoints", "endpointslice", "service", "apiservice"} {
		rules = append(rules,
			rule{path: "namespaces/*/{gv}/" + kind + "/*.yaml", mark: markTree, skip: skipKind},
			rule{path: "cluster/{gv}/" + kind + "/*.yaml", mark: markTree, skip: skipKind})
	}
	return layout{id: "crust-gather", name: "crust-gather", signs: []mark{markTree}, rules: append(rules,
		rule{path: "namespaces/*/{gv}/{kind}/*.yaml", mark: markTree},
		rule{path: "cluster/{gv}/{kind}/*.yaml", mark: markTree})}
}

// bugReport is istioctl bug-report. Its files have no extension.
func bugReport() layout {
	return layout{id: "bug-report", name: "istioctl bug-report", signs: []mark{markTree}, rules: []rule{
		{path: "cluster/k8s-resources", mark: markTree},
		{path: "cluster/k8s-cluster-resources", mark: markTree},
		{path: "bug-report/^cluster/nodes", mark: markTree},
		{path: "bug-report/^cluster/events", mark: markTree},
		{path: "cluster/secrets", skip: skipSecret},
		{path: "cluster/cluster-context", skip: skipReport},
		{path: "bug-report.log", skip: skipReport},
		{path: "proxies/*/*/*.log", skip: skipLogs},
		{path: "proxies/*/*/netstat", skip: skipRuntime},
		{path: "proxies/*/*/config_dump", skip: skipRuntime},
		{path: "proxies/*/*/clusters", skip: skipRuntime},
		{path: "proxies/*/*/listeners", skip: skipRuntime},
		{path: "proxies/*/*/certs", skip: skipRuntime},
		{path: "proxies/*/*/memory", skip: skipRuntime},
		{path: "proxies/*/*/server_info", skip: skipRuntime},
		{path: "proxies/*/*/runtime", skip: skipRuntime},
		{path: "proxies/*/*/stats/prometheus", skip: skipRuntime},
		{path: "istio/*/*/discovery.log", skip: skipLogs},
		{path: "istio/*/*/debug/**", skip: skipRuntime},
		{path: "cni/*/cni.log", skip: skipLogs},
	}}
}

// supportBundleKit is Rancher's, of Harvester and Longhorn.
func supportBundleKit() layout {
	rules := []rule{
		{path: "yamls/namespaced/*/v1/secrets.yaml", mark: markTree, skip: skipSecret},
		{path: "logs/*/*/*.log", skip: skipLogs},
		{path: "logs/*/*/*.log.1", skip: skipLogs},
		{path: "nodes/*.zip", skip: skipLogs},
		{path: "bundleGenerationError.log", skip: skipReport},
	}
	return layout{id: "support-bundle-kit", name: "rancher support bundle", signs: []mark{markTree}, rules: append(rules,
		rule{path: "yamls/cluster/*/{plural}.yaml", mark: markTree},
		rule{path: "yamls/cluster/*/*/{plural}.yaml", mark: markTree},
		rule{path: "yamls/namespaced/*/*/{plural}.yaml", mark: markTree},
		rule{path: "yamls/namespaced/*/*/*/{plural}.yaml", mark: markTree})}
}

// clusterInfoDump is kubectl cluster-info dump --output-directory. It holds no Jobs.
func clusterInfoDump() layout {
	return layout{id: "cluster-info-dump", name: "kubectl cluster-info dump", signs: []mark{markTree | markStamp},
		rules: []rule{
			{path: "nodes.json", mark: markStamp},
			{path: "nodes.yaml", mark: markStamp},
			{path: "*/replication-controllers.json", mark: markTree},
			{path: "*/replication-controllers.yaml", mark: markTree},
			{path: "*/pods.json"}, {path: "*/pods.yaml"}, {path: "*/events.json"}, {path: "*/events.yaml"},
			{path: "*/*/logs.txt", skip: skipLogs},
		}}
}

// dullKinds are kinds of which a must-gather is full, and that no verdict or rule asks for.
func dullKinds() []string {
	return []string{
		"endpoints", "endpointslices", "services", "serviceaccounts", "persistentvolumeclaims", "persistentvolumes",
		"roles", "rolebindings", "clusterroles", "clusterrolebindings", "customresourcedefinitions", "apiservices",
		"networkpolicies", "poddisruptionbudgets", "storageclasses", "volumeattachments", "csinodes", "csidrivers",
		"csistoragecapacities", "controllerrevisions", "routes", "images", "imagestreams", "imagestreamtags",
		"packagemanifests", "catalogsources", "operatorgroups", "prometheusrules", "servicemonitors", "podmonitors",
		"oauths", "identities", "users", "groups", "machineconfigs",
	}
}
