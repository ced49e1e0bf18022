// Command analyze says why a Kubernetes Job does not end, from a bundle of files and without a cluster.
//
// This package is the command line: flags, streams, the clock, exit statuses, files. It is NOT for judging or for
// wording a report; it hands a bundle down the chain (engine.go) and the finished report to package render. Answers that
// are no report (explain, predict, compare, fix, rules, versions) come from package rules as values and are laid out
// here (document.go), as text and as JSON or YAML. os.Exit, standard streams and the wall clock occur here only.
package main
