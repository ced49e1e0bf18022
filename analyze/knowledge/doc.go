// Package knowledge holds what the world says about versions: which release of Kubernetes or Istio does what, how known
// helper containers are recognised and stopped, which published bugs exist, and where each owner kind keeps its pod
// template. All of it is loaded from the YAML tables of rules/data, each datum with its source.
//
// It is NOT for looking into a bundle: no function here sees an object, and nothing here says what a cluster shows.
// Callers hand in versions, settings and names as values; rules are the only place where facts and knowledge meet.
// There is no version number in this package's code: a new release is a change of data.
package knowledge
