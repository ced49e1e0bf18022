package redact

import (
	"regexp"
	"slices"
	"strings"
)

// What kubectl prints of containers: at column 4, and at column 6 below State and Last State.
var (
	containerLines = []string{"Container ID", "Image", "Image ID", "Port", "Ports", "Host Port", "Host Ports",
		"SeccompProfile", "Ready", "Restart Count"}
	stateLines = []string{"Reason", "Exit Code", "Signal", "Started", "Finished"}
	keyedName  = regexp.MustCompile(`^[a-z0-9*]([-a-z0-9*]{0,61}[a-z0-9*])?$`)
	exitCode   = regexp.MustCompile(`^ {6}Exit Code: +\S+$`)
	probeLine  = regexp.MustCompile(`^([a-z-]+)\b(.*?)( delay=\d+s timeout=\d+s period=\d+s #success=\d+ #failure=\d+)$`)
	fieldRef   = regexp.MustCompile(`\(v1:[a-zA-Z.\[\]'/-]+\)$`)
	keyRef     = regexp.MustCompile(`^<set to the key '[^']*' (in secret|of config map) '[^']*'>( +Optional: (true|false))?$`)
)

// maxMessage is the kubelet's bound for one termination message, in bytes.
const maxMessage = 4096

// containers takes a block of containers: names at column 2 (in the template of a Job at column 3), fields at column 4.
func (d *described) containers() {
	base := d.cur().indent
	d.keep()
	for d.i < len(d.lines) {
		l := d.cur()
		switch {
		case l.blank():
			d.put("")
		case l.indent <= base:
			return
		case l.indent < 4 && l.value() == "" && keyedName.MatchString(l.key):
			d.keep()
			d.after = ""
		case l.indent == 4 && l.key != "":
			d.containerField(l)
		default:
			d.mark()
		}
	}
}

func (d *described) containerField(l textLine) {
	switch l.key {
	case "Command", "Args":
		d.commandLines()
	case "State", "Last State":
		d.state()
	case "Limits", "Requests", "Mounts", "Devices", "Environment Variables from":
		d.keep()
		d.deeper((*described).keep)
	case "Liveness", "Readiness", "Startup":
		d.probe(l)
	case "Environment":
		d.keep()
		d.environment()
	default:
		if slices.Contains(containerLines, l.key) {
			d.keep()
		} else {
			d.mark()
		}
	}
}

// deeper takes the lines at column 6 and beyond; a blank line belongs to the line below it.
func (d *described) deeper(take func(*described)) {
	for {
		at := d.i
		for at < len(d.lines) && d.lines[at].blank() {
			at++
		}
		if at >= len(d.lines) || d.lines[at].indent < 6 {
			return
		}
		for d.i < at {
			d.put("")
		}
		take(d)
	}
}

// commandLines takes Command or Args. Kubectl breaks arguments at their line breaks, so all lines are one: when one of
// them must go, all do, and what in them would stop a proxy is kept.
func (d *described) commandLines() {
	d.keep()
	from, kept := d.i, len(d.out)
	var words []string
	hide := false
	d.deeper(func(d *described) {
		text := d.cur().text[6:]
		var hidden bool
		hidden, d.after = d.f.patterns.hides(text, d.after)
		hide = hide || hidden && !hasMark(text)
		words = append(words, text)
		d.put(d.cur().text)
	})
	if !hide || from == d.i {
		return
	}
	d.f.count(ofArgs)
	d.out = append(d.out[:kept], "      "+d.f.patterns.hiddenArg(strings.Join(words, " ")))
}

// state takes State and Last State with their parts.
func (d *described) state() {
	d.keep()
	for d.i < len(d.lines) && d.cur().indent == 6 && d.cur().key != "" {
		switch l := d.cur(); {
		case l.key == "Message":
			d.terminationMessage(l)
		case slices.Contains(stateLines, l.key):
			d.keep()
		default:
			d.mark()
		}
	}
}

// terminationMessage scrubs a message, which goes on at column 0 up to the exit code behind it.
func (d *described) terminationMessage(first textLine) {
	text, size := []string{first.value()}, len(first.value())
	for i := d.i + 1; i < len(d.lines) && size <= maxMessage; i++ {
		line := d.lines[i].text
		if exitCode.MatchString(line) {
			d.spread(first, text, i)
			return
		}
		text = append(text, line)
		size += len(line) + 1
	}
	d.put(first.text[:first.at] + Mark)
	d.f.count(ofDescribed)
}

// spread writes a text of several lines, the first of which stands behind a key, up to line end of the original.
func (d *described) spread(first textLine, text []string, end int) {
	scrubbed := strings.Split(d.scrub(strings.Join(text, "\n")), "\n")
	scrubbed[0] = first.text[:first.at] + scrubbed[0]
	d.out = append(d.out, scrubbed...)
	d.i = end
}

// podMessage is the pod's own, which goes on up to the address behind it.
func (d *described) podMessage() {
	first := d.cur()
	text := []string{first.value()}
	for i := d.i + 1; i < len(d.lines) && i < d.i+100; i++ {
		if l := d.lines[i]; l.indent == 0 && (l.key == "IP" || l.key == "SeccompProfile") {
			d.spread(first, text, i)
			return
		}
		text = append(text, d.lines[i].text)
	}
	d.keep()
}

// probe keeps the timing of a probe, and what it calls unless that must go.
func (d *described) probe(l textLine) {
	head := l.text[:l.at]
	m := probeLine.FindStringSubmatch(l.value())
	switch {
	case m == nil:
		d.f.count(ofDescribed)
		d.put(head + Mark)
	case d.f.patterns.hidesAny(strings.Fields(strings.Trim(m[2], " []"))):
		d.f.count(ofArgs)
		d.put(head + m[1] + " [" + d.f.patterns.hiddenArg(m[2]) + "]" + m[3])
	default:
		d.keep()
	}
}

// environment takes "NAME:  value" at column 6; further lines of a value are deeper and go.
func (d *described) environment() {
	d.deeper(func(d *described) {
		l := d.cur()
		value := l.value()
		switch {
		case l.indent > 6 || l.key == "":
			d.f.count(ofEnv)
			d.i++ // more of a value that was removed
		case keyRef.MatchString(value):
			d.put(l.text)
		case fieldRef.MatchString(value) && !envNames.MatchString(l.key):
			d.put(l.text[:l.at] + fieldRef.FindString(value))
		case d.moreValue():
			d.put(l.text[:l.at] + Mark)
			d.f.count(ofEnv)
		default:
			d.put(l.text[:l.at] + envValue(d.f, l.key, value).(string))
		}
	})
}

// moreValue says that the value of the present line goes on.
func (d *described) moreValue() bool {
	return d.i+1 < len(d.lines) && d.lines[d.i+1].indent > 6
}
