package kube

import "regexp"

// looseEvent is a row whose cells do not stand under their titles: pages and people move them.
var looseEvent = regexp.MustCompile(`^ {0,4}(Normal|Warning) +([A-Z][A-Za-z0-9]*) +((?:\d\S*|<unknown>|<invalid>)(?: \(x\d+ over \S+\))?) +([^\s,]+(?:, \S+)?) +(\S.*)$`)

// CutEvent gives the five cells of a row in the table of events of kubectl describe: type, reason, age, from and message.
// loose says that they were told by their words, for they do not stand under their titles. Of any other line it gives none.
func (cols Columns) CutEvent(line string) (cells []string, loose bool) {
	cells, ok := cols.Cut(line)
	if ok && len(cells) == 5 && len(line) > 2 && line[:2] == "  " && line[2] != ' ' && cells[0] != "" && cells[1] != "" && cells[2] != "" {
		return cells, false
	}
	if m := looseEvent.FindStringSubmatch(line); m != nil {
		return m[1:], true
	}
	return nil, false
}
