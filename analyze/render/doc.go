// Package render turns finished reports into text: for people (table, wide, markdown, html) and for programs (json,
// yaml, ndjson, junit). It sees the report document and nothing else, so that a report read back from JSON renders to
// the same bytes as a fresh one.
//
// It is NOT for judging, re-ordering causes or computing facts: whatever a reader may need is in the report already.
// It knows no terminal and no environment either: width and colour are handed in.
package render
