// Package bundle turns the bytes of a ticket's attachment into kube objects: it opens tarballs, zips, compressed files,
// directories, single files and standard input, knows where each collecting tool puts what, and hands every file that
// may hold Kubernetes objects to the content reader.
//
// Everything it reads comes from a stranger. Nothing is ever written, no link is followed, every count and size is
// bounded, and what is broken costs itself alone: it becomes a Problem, and the rest of the bundle is read.
//
// It is NOT for judging: it does not join two copies of one object, derive a state or know a version (package facts
// and the rules do). It is NOT an extractor: there is no way to get a file out of it, only objects, and for redacted
// copies the pieces of text in which it recognised something.
package bundle
