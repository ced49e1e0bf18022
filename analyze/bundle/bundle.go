package bundle

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Options bound what is read. The zero value means the defaults of limits.go.
type Options struct {
	// MaxBytes bounds the bytes that come out of decompression, or of the files themselves where nothing is compressed.
	MaxBytes int64
	// MaxFiles bounds the files, directories and links of the bundle, those of archives within it included.
	MaxFiles int
	// Layout forces a layout by name; empty means: recognise.
	Layout string
	// Progress is called now and then from one goroutine; may be nil.
	Progress func(Progress)
	// Reduce keeps of ordinary pods of services no more than that they are there, as kube.ServicePod.
	Reduce bool
	// Copy takes what is recognised, for a copy of it; objects are then counted and not kept in the Set. May be nil.
	Copy Copier
	// maxObjects bounds the objects that are kept; 0 means the bound of limits.go. Tests set it.
	maxObjects int64
}

// Progress is how far reading has come.
type Progress struct {
	// File is the file being read, as in Origin.File.
	File string
	// Files counts the files seen so far, Bytes the unpacked bytes.
	Files int
	Bytes int64
}

// Bundle is what was read. Its order does not depend on scheduling: two reads of the same bytes give equal bundles.
type Bundle struct {
	// Source is the path as given, or "stdin".
	Source string
	// Layout names what was recognised, in words, several joined by ", ".
	Layout string
	// Roots are the folders that were recognised as the root of a layout, ordered by path; loose files come last.
	Roots []Root
	// Files counts the files in the bundle, read or not; of an archive within it, those in there. Bytes is what was
	// unpacked or read.
	Files int
	Bytes int64
	// Ignored says what was not read and why, so that nothing is left out silently.
	Ignored []Ignored
	// Problems are things that should have been readable and were not, in reading order.
	Problems []Problem
	// Set holds the objects, in the order of the bundle.
	Set *kube.Set
	// Manifest is the collection.json of our own collector; nil if there is none. Manifests holds all of them.
	Manifest  *Manifest
	Manifests []*Manifest
}

// Root is one recognised tree. A ticket's zip may hold several.
type Root struct {
	// Path is the folder within the bundle, archives within archives joined by "!"; "." is the top.
	Path string
	// Layout is the name of the layout.
	Layout string
	// Read and Ignored count its files.
	Read    int
	Ignored int
}

// Ignored counts files that were left out for one reason.
type Ignored struct {
	Reason string
	Files  int
	// Example is the first of them.
	Example string
}

// Problem is something that could not be read or used. It cost nothing else.
type Problem struct {
	// File is the path within the bundle; Line counts from 1, 0 when there is none.
	File    string
	Line    int
	Message string
	// unrecognised marks a file in which nothing was recognised at all. That is a problem among loose files, and nothing
	// worth a line in the tree of a known layout, which is full of other things: so it is decided at the end.
	unrecognised bool
	// carried marks a problem that the manifest of a redacted copy tells of.
	carried bool
}
