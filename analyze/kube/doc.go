// Package kube holds the few fields of the few Kubernetes kinds that this project reads, each object with the place it
// was read from. The structs are filled from kubectl's YAML and JSON and from describe text alike, so that every
// later package sees one kind of object.
//
// YAML goes one of two ways. A strict reader (token*.go, decode_yaml.go) walks the subset that kubectl prints straight
// into the structs and refuses everything else; what it refuses goes, item by item, to sigs.k8s.io/yaml and from there
// as JSON to the JSON reader (decode_json.go), which also reads JSON files. The library is the definition of what a
// file means: the strict reader gives the same values or refuses, which the tests hold against it. Both readers go by
// plans made from the structs' json tags (plan.go), so a new field needs nothing but its tag.
//
// Objects are never changed once they are decoded: what pods repeat they share.
//
// It is no Kubernetes client and no API library: types of k8s.io/api older than 0.28 lose
// initContainers[].restartPolicy, the field that everything here depends on, and newer ones carry a hundred fields
// that a bundle reader must pay for and never uses.
package kube
