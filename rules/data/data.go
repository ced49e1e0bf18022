// Package data carries the YAML tables of what versions do, so that one binary needs no files beside it. It is NOT the
// place that understands them: analyze/knowledge loads, checks and queries them.
package data

import "embed"

// FS holds the tables.
//
//go:embed *.yaml
var FS embed.FS
