package describe

import (
	"regexp"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// eventPath is the field path that kubectl 1.35 and later print before an event's message.
var eventPath = regexp.MustCompile(`^(spec\.(?:initContainers|containers|ephemeralContainers)\{[^}]*\}): `)

// events reads the Events section, the last of an object. Its table has ages instead of times. An event's message may
// run over several lines; a row that follows such a one may be part of it, and is marked.
func (d *Decoder) eventTable(c *cursor, about kube.ObjectRef) {
	c.i++
	if !c.more() || !strings.HasPrefix(strings.TrimSpace(c.cur().text), "Type ") {
		return
	}
	cols := kube.NewColumns(c.cur().text)
	c.i++
	var last *kube.Event
	for ; c.more(); c.i++ {
		l := c.cur()
		if strings.TrimSpace(l.text) == "" || strings.HasPrefix(l.text, "  ----") {
			continue
		}
		cells, loose := cols.CutEvent(l.text)
		switch {
		case cells == nil || loose && d.spilled:
			if last != nil {
				last.Message += "\n" + l.text
				d.spilled = true
			}
		case loose:
			doubt := last != nil // it may be the second line of the message above
			last = d.event(cells, l, about)
			last.Origin.Forgeable = last.Origin.Forgeable || doubt
		default:
			last = d.event(cells, l, about)
		}
	}
}

func (d *Decoder) event(cells []string, l line, about kube.ObjectRef) *kube.Event {
	e := &kube.Event{Type: cells[0], Reason: cells[1], Age: cells[2], Message: strings.TrimSpace(cells[4]), Involved: about, Count: kube.AgeCount(cells[2])}
	e.Kind, e.APIVersion = "Event", "v1"
	e.Meta.Namespace = about.Namespace
	e.Source.Component = cells[3]
	if m := eventPath.FindStringSubmatch(e.Message); m != nil {
		e.Involved.FieldPath = m[1]
		e.Message = e.Message[len(m[0]):]
	}
	e.Origin = kube.Origin{File: d.File, Line: l.number, Strength: evidence.Described, Forgeable: d.doubt || d.spilled}
	d.Set.Events = append(d.Set.Events, e)
	return e
}
