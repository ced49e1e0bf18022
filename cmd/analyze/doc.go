// Command analyze says why a Kubernetes Job does not end, from a bundle of files and without a cluster.
//
// This package is the command line and nothing else: flags, streams, the clock, exit statuses, files. It is NOT for
// judging or for wording a report; it hands a bundle down the chain (engine.go) and the finished report to package
// render. os.Exit, standard streams and the wall clock occur here only.
package main
