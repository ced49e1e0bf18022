// Package kube holds the few fields of the few Kubernetes kinds that this project reads, each object with the place it
// was read from. The structs are filled from kubectl's YAML and JSON and from describe text alike, so that every
// later package sees one kind of object.
//
// It is no Kubernetes client and no API library: types of k8s.io/api older than 0.28 lose
// initContainers[].restartPolicy, the field that everything here depends on, and newer ones carry a hundred fields
// that a bundle reader must pay for and never uses.
package kube
