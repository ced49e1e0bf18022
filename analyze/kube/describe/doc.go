// Package describe reads the text of `kubectl describe` for pods, jobs, cronjobs and nodes into the structs of package
// kube, marked evidence.Described. It knows the forms of kubectl 1.19 to 1.37.
//
// Describe text is written for people: it never prints a restartPolicy of pod or container, whether a container has
// started, a Job's conditions or finalizers, and it cuts annotations. And it can be forged: the second line of a
// container's termination message starts at column 0, so a workload can write lines that look like kubectl's. So the
// reader is strict: it wants every line at its exact indentation and in kubectl's order, believes a line after such a
// message only where kubectl must have written it, and marks the object (Origin.Forgeable) when it cannot be sure.
//
// It is NOT a witness of the first rank: where YAML of the same object exists, that is to be believed.
package describe
