// Package docs holds the page of every verdict and every rule, CODE.md each. The page is the help text of the code: what
// `analyze rules CODE` prints, and what a ticket links to. It is NOT for logic, and it repeats no message of a rule.
package docs

import "embed"

// FS holds the pages by file name.
//
//go:embed *.md
var FS embed.FS
