package bundle

import (
	"bytes"
	"errors"
	"io"
	"sync/atomic"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// contentLimits bound what reading one file may cost.
type contentLimits struct {
	// MaxBytes is the size from which on a file is cut off; 0 means no limit. Memory does not follow it.
	MaxBytes int64
	// KindHint is the kind to assume for objects that name none, as the path tells it (pods.json: Pod).
	KindHint string
	// versions says that lines of kubectl version or istioctl version are to be expected.
	versions bool
	// reduce is Options.Reduce.
	reduce bool
	// kept counts the objects of the bundle; may be nil.
	kept *atomic.Int64
	// copy takes the pieces of the file; nil when no copy is made.
	copy FileCopy
}

// readContent reads one file of any notation that kubectl prints into dst: YAML, JSON, describe text, tables and
// refusals, alone or as they follow one another in a pasted terminal session. What cannot be read is a problem, and
// costs itself alone.
func readContent(name string, r io.Reader, dst *kube.Set, lim contentLimits) []Problem {
	problems, _ := readCounting(name, r, dst, lim)
	return problems
}

// readCounting is readContent, and counts the objects that were read and not kept because a copy is made.
func readCounting(name string, r io.Reader, dst *kube.Set, lim contentLimits) (problems []Problem, found int) {
	c := newContent(name, r, dst, lim)
	defer c.dec.Close()
	if c.w.fill(); looksBinary(c.w.rest()) {
		c.report(0, errBinary.Error())
		c.problems[0].unrecognised = true
		return c.problems, 0
	}
	c.read()
	c.forget()
	if err := c.w.err; err != nil {
		c.report(c.w.line, "reading stopped here: "+err.Error())
	} else if !c.recognised && len(c.problems) == 0 {
		c.report(0, c.nothingFound())
		c.problems[0].unrecognised = true
	} else if c.w.cleaned {
		c.report(1, cleanedText)
	}
	return c.problems, c.found
}

func newContent(name string, r io.Reader, dst *kube.Set, lim contentLimits) *content {
	c := &content{name: name, dst: dst, lim: lim, hint: lim.KindHint, w: newWindow(r, lim.MaxBytes)}
	c.dec = &kube.Decoder{File: name, Set: dst, Report: c.report, Reduce: lim.reduce, Kept: lim.kept}
	return c
}

func (c *content) nothingFound() string {
	switch {
	case c.audit:
		return "an audit record, which is not read; what it says of who changed a pod (patch.webhook.admission.k8s.io) is for you to read"
	case c.w.offset == 0:
		return "empty"
	}
	return "nothing of kubectl's output was recognised in it: no YAML or JSON of objects, no describe text, no table"
}

// What tells a record of an audit log, the API server's own or that of a cloud.
var (
	webhookPatches = []byte("patch.webhook.admission.k8s.io/")
	auditGroup     = []byte("audit.k8s.io/")
)

// content is the state of reading one file.
type content struct {
	name     string
	dst      *kube.Set
	lim      contentLimits
	hint     string
	w        *window
	dec      *kube.Decoder
	problems []Problem
	// recognised says that something of kubectl's was found, be it an empty list.
	recognised bool
	// audit is set once a record of an audit log was seen.
	audit bool
	// badJSON counts values without an end.
	badJSON int
	// session is set once a prompt was seen: from there on, prompts divide the text.
	session bool
	// client is the line in which kubectl version, or istioctl version, named itself; 0 before.
	client int
	// margins is how many margins what is read here stands behind.
	margins int
	// doubtful is the offset up to which the text may be a container's message rather than kubectl's output.
	doubtful int64
	// namespace is what the last command of a session asked for with -n.
	namespace string
	// inList is set while items of a list are copied; found counts objects that were copied and not kept.
	inList bool
	found  int
}

func (c *content) report(line int, message string) {
	c.problems = append(c.problems, Problem{File: c.name, Line: line, Message: message})
}

// object hands a text to the decoder. A mapping that is no object of Kubernetes is nothing to complain of; what is no
// mapping is, as an item of a list.
func (c *content) object(t kube.Text, what, hint string) {
	c.strength()
	err := c.dec.Object(t, hint)
	c.emitObject(t, hint, err)
	switch {
	case err == nil:
		c.recognised = true
	case errors.Is(err, kube.ErrNoObject):
		c.audit = c.audit || bytes.Contains(t.Raw, webhookPatches) || bytes.Contains(t.Raw, auditGroup)
	case what == "":
		c.report(t.Line, err.Error())
	default:
		c.report(t.Line, what+": "+err.Error())
	}
}

// strength says how far what stands here may be trusted.
func (c *content) strength() {
	c.dec.Strength = evidence.Stored
	if c.w.offset <= c.doubtful && c.doubtful > 0 {
		c.dec.Strength = evidence.Text
	}
}

// lineHead is how much of a line is looked at to tell what begins with it.
const lineHead = 4 << 10

// read walks the text from segment to segment. What begins none is skipped, line by line: logs, prose, blank lines.
func (c *content) read() {
	for !c.w.done() {
		line := c.w.head(lineHead)
		command, prompted := prompt(line)
		switch {
		case len(line) == 0:
			c.w.skipLine()
		case prompted:
			c.readCommand(command)
		case startsJSON(line):
			c.readJSON()
		case startsYAML(line):
			c.readYAML()
		case c.startsDescribe(line, nil):
			c.readDescribe()
		case startsTable(line):
			c.readTable()
		case startsNote(line):
			c.readNote()
		case clientVersion(line):
			c.client = c.w.line
			c.w.skipLine()
		case bytes.Contains(line, versionWord) && c.saysVersion(string(line)):
			c.readVersion(string(line))
		default:
			if m := c.behindMargin(line); m != nil {
				c.readMargin(m)
				continue
			}
			c.audit = c.audit || !c.recognised && bytes.Contains(line, webhookPatches)
			c.skipped()
		}
	}
}
