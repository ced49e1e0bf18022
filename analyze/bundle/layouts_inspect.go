package bundle

// ownLayout is that of collect/collect.sh: must-gather shaped, with a manifest.
func ownLayout() layout {
	return layout{id: "sidecar-must-gather", name: "sidecar-must-gather", signs: []mark{markOwn},
		rules: append([]rule{
			{path: "collection.json", mark: markOwn, as: asManifest},
		}, inspectRules()...)}
}

// mustGather is OpenShift's must-gather and oc adm inspect.
func mustGather() layout {
	return layout{id: "must-gather", name: "must-gather", signs: []mark{markTree},
		rules: append(inspectRules(), []rule{
			{path: "event-filter.html", skip: skipReport},
			{path: "must-gather.logs", skip: skipLogs},
			{path: "gather.logs", skip: skipLogs},
			{path: "timestamp", mark: markStamp, skip: skipStamp},
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

// inspectRules are the tree that oc adm inspect writes, which others took over. A zero-byte pods.yaml happens; the files
// of the single pods stand for it then.
func inspectRules() []rule {
	return []rule{
		{path: "namespaces/*/pods/*/*/*/logs/**", mark: markTree, skip: skipLogs},
		{path: "namespaces/*/{group}/secrets.yaml", mark: markTree, skip: skipSecret},
		{path: "namespaces/*/core/secrets/**", mark: markTree, skip: skipSecret},
		{path: "namespaces/*/{group}/{dull}.yaml", mark: markTree, skip: skipKind},
		{path: "namespaces/*/{group}/{dull}/*.yaml", mark: markTree, skip: skipKind},
		{path: "cluster-scoped-resources/{group}/{dull}.yaml", mark: markTree, skip: skipKind},
		{path: "cluster-scoped-resources/{group}/{dull}/*.yaml", mark: markTree, skip: skipKind},
		{path: "namespaces/*/core/{plural}.yaml", mark: markTree},
		{path: "namespaces/*/core/{plural}/*.yaml", mark: markTree},
		{path: "namespaces/*/pods/*/{same}.yaml", mark: markTree},
		{path: "namespaces/*/{same}.yaml", mark: markTree},
		{path: "namespaces/*/{group}/{plural}.yaml"},
		{path: "namespaces/*/{group}/{plural}/*.yaml"},
		{path: "cluster-scoped-resources/{group}/{plural}.yaml", mark: markTree},
		{path: "cluster-scoped-resources/{group}/{plural}/*.yaml", mark: markTree},
	}
}
