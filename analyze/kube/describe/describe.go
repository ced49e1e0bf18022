package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// Decoder reads describe text line by line into a Set.
type Decoder struct {
	// File is the path within the bundle, for origins.
	File string
	// Set receives the objects and the events of their Events sections.
	Set *kube.Set
	// Report receives what could not be read or must not be believed.
	Report func(line int, message string)
	// Object receives the lines of each object, with its kind if that is read; may be nil.
	Object func(kind string, lines []string)

	current
	// spilled is set once an event's message ran over several lines: what follows it may be its own.
	spilled bool
	last    *kube.Object
}

// current is what is known of the object whose lines are being taken.
type current struct {
	lines  []line
	size   int             // their bytes
	first  int             // line of the file that it begins in
	blanks int             // blank lines at its end
	keys   map[string]bool // at column 0, as far as they tell kinds
	kind   string          // that they tell, empty for one that is not read
	data   bool            // its Data section has begun
	raw    bool            // which holds text of anybody at column 0, and goes on
	typed  bool            // it has a Type: of a Secret's data only sizes are printed
	events bool            // its Events section has begun
	rows   bool            // and has rows
	// zone is how many bytes a termination message may still reach from here; codes counts the Exit Code lines in it.
	zone, codes int
	// doubt is set when it may have been written by a workload, wholly or in part.
	doubt bool
	// before is the object in which the zone began, when it is not this one.
	before *kube.Object
}

// Starts says whether an object's text begins with two lines: kubectl prints Name first, and behind it Namespace, or
// Roles or Labels for what has no namespace. Where people leave the namespace out, what kubectl prints behind it for pods
// and Jobs follows.
func Starts(first, second string) bool {
	if !strings.HasPrefix(first, "Name:  ") && !strings.HasPrefix(first, "Name:\t") {
		return false
	}
	l := parseLine(second, 0)
	return l.indent == 0 && slices.Contains([]string{"Namespace", "Roles", "Labels", "Priority", "Service Account", "Node", "Selector"}, l.key)
}

// maxEvent is how long the message of an event may be: the kubelet keeps 10 KiB of what a probe answers.
const maxEvent = 10 << 10

// maxObject bounds the text of one object, in bytes, maxName that of a line with its name.
const (
	maxObject = 16 << 20
	maxName   = kube.LongestName
)

// Line takes the next line of the text, given the one after it. kubectl prints objects two blank lines apart, but what is
// pasted may be cut off anywhere and stand closer.
func (d *Decoder) Line(text, next string, number int) {
	l := parseLine(text, number)
	if d.size > 0 && !d.raw && (d.blanks >= 2 || !d.data) && Starts(text, next) && (d.zone == 0 || d.codes > 0) {
		zone, codes, near := d.zone, d.codes, d.rows && d.blanks < 2 // right behind a row it may be the row's message
		d.End()
		d.zone, d.codes, d.doubt, d.before = zone, codes, d.spilled || near, d.last
	}
	if len(text) > maxName && (l.is(0, "Name") || l.is(0, "Namespace")) {
		d.Report(number, fmt.Sprintf("a name of %d bytes, more than it can have; it was cut", len(text)))
		l = parseLine(strings.ToValidUTF8(strings.Clone(text[:maxName]), ""), number)
		text = l.text
	}
	d.follow(l)
	if d.size == 0 {
		d.first = number
	}
	if d.size += len(text) + 1; d.size > maxObject {
		return
	}
	d.lines = append(d.lines, l)
	if d.blanks++; strings.TrimSpace(text) != "" {
		d.blanks = 0
	}
}

// follow keeps track of how far a termination message may reach. The message itself can hold the line that ends it, and
// more text like kubectl's; but then the Exit Code that kubectl did print stands within its reach as well. So two of
// them raise a doubt, on all that stands between.
func (d *Decoder) follow(l line) {
	d.rows = d.rows || d.events && l.indent == 2
	d.events = d.events || l.is(0, "Events")
	d.typed = d.typed || l.is(0, "Type")
	switch {
	case d.kind == "" && l.text == "====" && !d.data:
		d.data, d.raw = true, !d.typed
	case d.events || d.raw && l.text == "BinaryData":
		d.raw = false
	}
	if d.kind == "" && !d.data && l.indent == 0 && l.key != "" {
		d.tell(l.key)
	}
	switch {
	case l.is(6, "Message") && (d.zone == 0 || d.codes > 0):
		d.zone, d.codes, d.before = maxMessage, 0, nil
	case d.zone > 0:
		d.zone = max(0, d.zone-len(l.text)-1)
		if !exitCode.MatchString(l.text) {
			return
		}
		if d.codes++; d.codes > 1 {
			d.doubt = true
			if d.before != nil {
				d.before.Origin.Forgeable = true
			}
		}
	}
}

// MayEnd says that the text of the current object may end before the next line: nobody's words stand at column 0 here.
// Of a kind that is not read that is sure in its last section alone. What follows within reach more bytes may yet be part
// of a message.
func (d *Decoder) MayEnd() (reach int, ok bool) {
	if d.rows {
		reach = maxEvent
	}
	return max(d.zone, reach), (d.events || d.kind != "") && d.Interruptible()
}

// Interruptible says that it may end where a shell's prompt or a page's mark stands, though it be in the midst.
func (d *Decoder) Interruptible() bool { return (!d.data || d.events) && (d.zone == 0 || d.codes > 0) }

// End decodes the object whose lines were taken, if it is of a kind that is read.
func (d *Decoder) End() {
	c := &cursor{lines: d.lines}
	d.last = nil
	if d.Object != nil && len(d.lines) > 0 {
		d.Object(d.kind, c.texts())
	}
	switch d.kind {
	case "Pod":
		d.pod(c)
	case "Job":
		d.job(c)
	case "CronJob":
		d.cronJob(c)
	case "Node":
		d.node(c)
	}
	if d.size > maxObject {
		d.Report(d.first, "describe text of one object that is longer than 16 MiB; its end was not read")
	}
	d.current = current{}
}

// tell takes in a key at column 0. Some keys only kubectl's text of one kind has there, and the first that are together
// tell it.
func (d *Decoder) tell(key string) {
	if d.keys == nil {
		d.keys = map[string]bool{}
	}
	for _, k := range kindKeys {
		if !slices.Contains(k.keys, key) {
			continue
		}
		d.keys[key] = true
		if !slices.ContainsFunc(k.keys, func(other string) bool { return !d.keys[other] }) {
			d.kind = k.kind
			return
		}
	}
}

// kindKeys are the keys that tell each kind that is read.
var kindKeys = []struct {
	kind string
	keys []string
}{
	{"CronJob", []string{"Schedule", "Concurrency Policy"}},
	{"Job", []string{"Pods Statuses", "Parallelism"}},
	{"Node", []string{"Roles", "Taints"}},
	{"Pod", []string{"Containers", "Status"}},
	{"Pod", []string{"Node", "Start Time"}}, // cut off before its containers
	{"Pod", []string{"Node", "Service Account"}},
}
