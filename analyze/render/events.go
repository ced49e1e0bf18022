package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// eventTable gives events as a table: when, of which type, about what (for events of a workload, which may be about its
// Job or its CronJob), why, and the message with how often it came.
func eventTable(es []analyze.Event) (ids []string, rows [][]string) {
	about := slices.ContainsFunc(es, func(e analyze.Event) bool { return e.Object != "" })
	ids = []string{"col.time", "col.type", "col.reason", "col.message"}
	if about {
		ids = slices.Insert(ids, 2, "col.about")
	}
	for _, e := range es {
		row := []string{orDash(orElse(e.Time, e.Age)), orDash(e.Type), e.Reason, countedMessage(e)}
		if about {
			kind, _, _ := strings.Cut(e.Object, "/")
			row = slices.Insert(row, 2, orDash(kind))
		}
		rows = append(rows, row)
	}
	return ids, rows
}

// countedMessage adds how often an event came, unless its age says so already: 5m (x11 over 59m).
func countedMessage(e analyze.Event) string {
	if e.Count < 2 || e.Time == "" && strings.Contains(e.Age, "(x") {
		return e.Message
	}
	return fmt.Sprintf("%s (x%d)", e.Message, e.Count)
}
