package redact

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// annotations takes "Annotations:  a: b" and the lines below. A long value stands below its key, further in, and is cut.
func (d *described) annotations() {
	base, col := d.cur().indent, d.cur().at
	var open *note
	finish := func() {
		if open != nil {
			d.annotation(open)
		}
		open = nil
	}
	for first := true; first || d.cur().indent >= base+4 && !d.cur().blank(); first = false {
		l := d.cur()
		lead := l.text[:l.indent]
		text := l.text[l.indent:]
		if first {
			lead, text = l.text[:l.at], l.text[l.at:]
		}
		key, value, ok := strings.Cut(text, ":")
		switch {
		case !first && l.indent > col && open != nil:
			open.lines, open.values = append(open.lines, l.text), append(open.values, strings.TrimSpace(text))
			d.i++
		case ok && (value == "" || value[0] == ' '):
			finish()
			open = &note{lead: lead, key: key, lines: []string{l.text}}
			if value = strings.TrimSpace(value); value != "" {
				open.values = []string{value}
			}
			d.i++
		default:
			finish()
			if strings.TrimSpace(text) == "<none>" {
				d.put(l.text)
			} else {
				d.out = append(d.out, lead+Mark)
				d.f.count(ofDescribed)
				d.i++
			}
		}
	}
	finish()
}

// note is one annotation with its lines.
type note struct {
	lead, key     string
	lines, values []string
}

// annotation writes one annotation: as it stood when its value stays, else the key with what is left of the value.
func (d *described) annotation(n *note) {
	value := strings.Join(n.values, "\n")
	kept := d.f.annotation(n.key, value)
	if kept == value {
		d.out = append(d.out, n.lines...)
		return
	}
	d.out = append(d.out, n.lead+n.key+":")
	for i, line := range strings.Split(strings.TrimRight(kept, "\n"), "\n") {
		if i == 0 {
			d.out[len(d.out)-1] += " " + line
		} else {
			d.out = append(d.out, strings.Repeat(" ", len(n.lead)+2)+line)
		}
	}
}

// template takes the pod template of a Job: titles at column 2, containers below them.
func (d *described) template() {
	d.keep()
	for d.i < len(d.lines) && d.cur().indent >= 2 && !d.cur().blank() {
		l := d.cur()
		if l.indent != 2 {
			d.mark()
			continue
		}
		switch l.key {
		case "Labels":
			d.labels()
		case "Annotations":
			d.annotations()
		case "Init Containers", "Containers":
			d.containers()
		case "Volumes":
			d.volumesBelow()
		case "Service Account", "Priority Class Name", "Node-Selectors", "Tolerations":
			d.keep()
			for d.i < len(d.lines) && d.cur().indent > 4 {
				d.keep()
			}
		default:
			d.mark()
		}
	}
}

// volumesBelow keeps the names of the volumes of a template.
func (d *described) volumesBelow() {
	d.keep()
	for d.i < len(d.lines) && d.cur().indent > 2 {
		l := d.cur()
		if l.indent == 3 && l.key != "" && l.value() == "" || l.indent == 4 && l.key == "Type" {
			d.keep()
		} else {
			d.mark()
		}
	}
}

// events takes the Events section, the last of an object. A row that the reader takes for one is kept, its message scrubbed;
// what follows on further lines may be a message's, or anything, and so may a row behind it whose cells do not stand under
// their titles.
func (d *described) events() {
	if none := d.cur().value(); none != "" && none != "<none>" {
		d.mark()
		return
	}
	d.put(d.cur().text)
	if strings.Join(strings.Fields(d.cur().text), " ") != "Type Reason Age From Message" {
		return
	}
	columns := kube.NewColumns(d.cur().text)
	d.put(d.cur().text)
	rows, spilled := false, false
	for d.i < len(d.lines) {
		l := d.cur()
		cells, loose := columns.CutEvent(l.text)
		switch {
		case strings.HasPrefix(l.text, "  ----") && strings.Trim(l.text, "- ") == "":
			d.put(l.text)
		case cells == nil || loose && spilled:
			spilled = spilled || rows && !l.blank()
			d.mark()
		default:
			rows = true
			at := strings.LastIndex(l.text, cells[4])
			before := l.text[:at]
			if loose {
				before = d.scrub(before)
			}
			d.put(before + d.scrub(cells[4]))
		}
	}
}
