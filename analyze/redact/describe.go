package redact

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
)

// Describe text is kept line by line where kubectl's layout says what a line is. Any other line becomes a mark at its own
// indentation: it keeps its place, for the reader doubts an object in which lines are out of place, and must go on to.

// textLine is one line: "    Image:   nginx" has indent 4, key "Image", and its value begins at offset at.
type textLine struct {
	text   string
	indent int
	key    string
	at     int
}

func (l textLine) value() string { return strings.TrimSpace(l.text[l.at:]) }

func (l textLine) blank() bool { return strings.TrimSpace(l.text) == "" }

func parseLine(text string) textLine {
	l := textLine{text: text, at: len(text)}
	for l.indent < len(text) && text[l.indent] == ' ' {
		l.indent++
	}
	rest := text[l.indent:]
	i := strings.IndexByte(rest, ':')
	if i <= 0 || i+1 < len(rest) && rest[i+1] != ' ' && rest[i+1] != '\t' {
		return l
	}
	l.key, l.at = rest[:i], l.indent+i+1
	for l.at < len(text) && (text[l.at] == ' ' || text[l.at] == '\t') {
		l.at++
	}
	return l
}

// described is the describe text of one object on its way.
type described struct {
	f     *file
	kind  string
	lines []textLine
	i     int
	out   []string
	// after is what the argument before makes of the next one, see patterns.hides.
	after string
}

func (f *file) describe(p bundle.Piece) {
	if p.What == "" {
		f.counts[ofDescribed] += len(p.Lines)
		return
	}
	d := &described{f: f, kind: p.What, lines: make([]textLine, len(p.Lines))}
	for i, text := range p.Lines {
		d.lines[i] = parseLine(text)
	}
	for d.i < len(d.lines) {
		d.top()
	}
	for len(d.out) > 0 && strings.TrimSpace(d.out[len(d.out)-1]) == "" {
		d.out = d.out[:len(d.out)-1]
	}
	// Objects stand two blank lines apart.
	f.write("\n\n" + strings.Join(d.out, "\n") + "\n")
}

// cur gives the present line; behind the end a blank one.
func (d *described) cur() textLine {
	if d.i < len(d.lines) {
		return d.lines[d.i]
	}
	return textLine{}
}

// keep writes the present line as it is, unless it has the form of a secret, and goes on.
func (d *described) keep() {
	l := d.cur()
	if !d.f.patterns.secret(l.text) {
		d.put(l.text)
		return
	}
	d.f.count(whyTaken(l.text))
	if l.key == "" {
		l.at = l.indent
	}
	d.put(l.text[:l.at] + Mark)
}

// put writes a line in the place of the present one, and goes on.
func (d *described) put(line string) {
	d.out = append(d.out, line)
	d.i++
}

// mark puts a mark in the place of the present line; several such lines become one.
func (d *described) mark() {
	l := d.cur()
	if l.blank() {
		d.put("")
		return
	}
	line := l.text[:l.indent] + Mark
	if n := len(d.out); n > 0 && d.out[n-1] == line {
		d.i++
	} else {
		d.put(line)
	}
	d.f.count(ofDescribed)
}

func (d *described) scrub(text string) string { return d.f.scrubbed(text) }

// topKeys are what kubectl prints at column 0 for each kind, with what stands below them.
var topKeys = map[string]map[string]func(*described){
	"Pod": {"Name": nil, "Namespace": nil, "Priority": nil, "Priority Class Name": nil, "PriorityClassName": nil,
		"Runtime Class Name": nil, "Service Account": nil, "Node": nil, "Start Time": nil, "Status": nil,
		"Termination Grace Period": nil, "Reason": nil, "SeccompProfile": nil, "LocalhostProfile": nil, "IP": nil,
		"IPs": (*described).below, "Controlled By": nil, "NominatedNodeName": nil, "QoS Class": nil,
		"Labels": (*described).labels, "Annotations": (*described).annotations, "Message": (*described).podMessage,
		"Init Containers": (*described).containers, "Containers": (*described).containers,
		"Ephemeral Containers": (*described).containers, "Readiness Gates": (*described).below,
		"Conditions": (*described).below, "Volumes": (*described).volumes, "Node-Selectors": (*described).below,
		"Tolerations": (*described).below, "Topology Spread Constraints": (*described).below, "Resources": (*described).below,
		"Events": (*described).events},
	"Job": jobKeys,
	"CronJob": {"Schedule": nil, "Time Zone": nil, "Concurrency Policy": nil, "Starting Deadline Seconds": nil,
		"Successful Job History Limit": nil, "Failed Job History Limit": nil, "Last Schedule Time": nil, "Active Jobs": nil},
	"Node": {"Name": nil, "Roles": nil, "CreationTimestamp": nil, "Unschedulable": nil, "PodCIDR": nil, "PodCIDRs": nil,
		"ProviderID": nil, "Labels": (*described).labels, "Annotations": (*described).annotations, "Taints": (*described).below,
		"Lease": (*described).below, "Conditions": (*described).below, "Addresses": (*described).below,
		"Capacity": (*described).below, "Allocatable": (*described).below, "System Info": (*described).below,
		"Non-terminated Pods": (*described).below, "Allocated resources": (*described).below, "Events": (*described).events},
}

// jobKeys are those of a Job; a CronJob has them too, and its own.
var jobKeys = map[string]func(*described){
	"Name": nil, "Namespace": nil, "Selector": nil, "Controlled By": nil, "Parallelism": nil, "Completions": nil,
	"Completion Mode": nil, "Suspend": nil, "Backoff Limit": nil, "TTL Seconds After Finished": nil,
	"Active Deadline Seconds": nil, "Pod Replacement Policy": nil, "Managed By": nil, "Start Time": nil, "Completed At": nil,
	"Duration": nil, "Completed Indexes": nil, "Pods Statuses": nil, "Labels": (*described).labels,
	"Annotations": (*described).annotations, "Pod Template": (*described).template, "Events": (*described).events,
}

// top takes a line at column 0 and what stands below it.
func (d *described) top() {
	l := d.cur()
	if l.indent != 0 || l.key == "" {
		d.mark()
		return
	}
	below, known := topKeys[d.kind][l.key]
	if !known && d.kind == "CronJob" {
		below, known = jobKeys[l.key]
	}
	switch {
	case !known:
		d.mark()
	case below == nil:
		d.keep()
	default:
		below(d)
	}
}

// below keeps the present line and those that are indented below it: names, numbers and columns.
func (d *described) below() {
	d.keep()
	for d.i < len(d.lines) && d.cur().indent > 0 && !d.cur().blank() {
		d.keep()
	}
}

// volumes keeps which volumes there are, and of what type.
func (d *described) volumes() {
	d.keep()
	for d.i < len(d.lines) && d.cur().indent > 0 && !d.cur().blank() {
		l := d.cur()
		if l.indent == 2 && l.key != "" && l.value() == "" || l.indent == 4 && l.key == "Type" {
			d.keep()
			continue
		}
		d.mark()
	}
}

// labels keeps "Labels:  a=b" and the lines below, but for values with the form of a secret.
func (d *described) labels() {
	base := d.cur().indent
	for first := true; first || d.cur().indent >= base+4 && !d.cur().blank(); first = false {
		text := d.cur().text
		if key, value, ok := strings.Cut(text, "="); ok && d.f.patterns.secret(value) {
			d.f.count(whyTaken(value))
			text = key + "=" + Mark
		}
		d.put(text)
	}
}
