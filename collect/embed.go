// Package collect holds the collector, a POSIX shell script, so that one binary carries everything into an air gap. It
// does not run it: this program never talks to a cluster.
package collect

import _ "embed"

// Script is collect.sh.
//
//go:embed collect.sh
var Script string
