package bundle

// supportBundle is Replicated's troubleshoot. Bundles of 2021 hold bare arrays: there the path alone tells the kind.
func supportBundle() layout {
	return layout{id: "support-bundle", name: "troubleshoot support bundle", signs: []mark{markTree}, rules: []rule{
		{path: "cluster-resources/pods/logs/**", mark: markTree, skip: skipLogs},
		{path: "cluster-resources/*-errors.json", mark: markTree, as: asRefusals},
		{path: "cluster-resources/custom-resources/*-errors.json", mark: markTree, as: asRefusals},
		{path: "cluster-resources/{dull}.json", mark: markTree, skip: skipKind},
		{path: "cluster-resources/{dull}/*.json", mark: markTree, skip: skipKind},
		{path: "cluster-resources/{plural}.json", mark: markTree},
		{path: "cluster-resources/{plural}/*.json", mark: markTree},
	}}
}

// crustGather writes one file per object.
func crustGather() layout {
	return layout{id: "crust-gather", name: "crust-gather", signs: []mark{markTree}, rules: []rule{
		{path: "namespaces/*/v1/pod/*/*/current.log", mark: markTree, skip: skipLogs},
		{path: "namespaces/*/v1/pod/*/*/previous.log", mark: markTree, skip: skipLogs},
		{path: "namespaces/*/v1/secret/*.yaml", mark: markTree, skip: skipSecret},
		{path: "namespaces/*/{gv}/{dull}/*.yaml", mark: markTree, skip: skipKind},
		{path: "cluster/{gv}/{dull}/*.yaml", mark: markTree, skip: skipKind},
		{path: "namespaces/*/{gv}/{kind}/*.yaml", mark: markTree},
		{path: "cluster/{gv}/{kind}/*.yaml", mark: markTree},
	}}
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
	return layout{id: "support-bundle-kit", name: "rancher support bundle", signs: []mark{markTree}, rules: []rule{
		{path: "yamls/namespaced/*/v1/secrets.yaml", mark: markTree, skip: skipSecret},
		{path: "logs/*/*/*.log", skip: skipLogs},
		{path: "logs/*/*/*.log.1", skip: skipLogs},
		{path: "nodes/*.zip", skip: skipLogs},
		{path: "bundleGenerationError.log", skip: skipReport},
		{path: "yamls/cluster/*/{dull}.yaml", mark: markTree, skip: skipKind},
		{path: "yamls/cluster/*/*/{dull}.yaml", mark: markTree, skip: skipKind},
		{path: "yamls/namespaced/*/*/{dull}.yaml", mark: markTree, skip: skipKind},
		{path: "yamls/namespaced/*/*/*/{dull}.yaml", mark: markTree, skip: skipKind},
		{path: "yamls/cluster/*/{plural}.yaml", mark: markTree},
		{path: "yamls/cluster/*/*/{plural}.yaml", mark: markTree},
		{path: "yamls/namespaced/*/*/{plural}.yaml", mark: markTree},
		{path: "yamls/namespaced/*/*/*/{plural}.yaml", mark: markTree},
	}}
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
