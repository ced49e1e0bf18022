package bundle

import (
	"bytes"
	"io"
	"regexp"
)

// Pages indent what was printed: as code, in lists, as a quotation. What stands behind such a margin is read as if it
// stood at column 0, as far as the margin goes.

// maxMargins bounds margins within margins.
const maxMargins = 4

// margin gives the blanks, tabs and marks of quotation that a line begins with.
func margin(line []byte) []byte {
	n := 0
	for n < len(line) && (line[n] == ' ' || line[n] == '\t' || line[n] == '>') {
		n++
	}
	return line[:n]
}

// behindMargin gives a copy of the margin of the line here, if something that is read begins behind it; empty otherwise. Within an
// object that could not be read to its end nothing does: its parts have kinds of their own, but only an object has an
// apiVersion or kind first.
func (c *content) behindMargin(line []byte) []byte {
	n := len(margin(line))
	if n == 0 || n == len(line) || c.margins >= maxMargins {
		return nil
	}
	line = bytes.Clone(line) // the window may move its text to read on
	m, rest := line[:n], line[n:]
	if _, prompted := prompt(rest); prompted || startsNote(rest) || startsTable(rest) || objectYAML.Match(rest) || c.startsDescribe(line, m) || startsJSON(rest) && c.startsObject() {
		return m
	}
	return nil
}

// objectYAML is the first line of the YAML of an object or a list, as kubectl prints it or people write it.
var objectYAML = regexp.MustCompile(`^(?:- )?(?:apiVersion: ["']?[\w./]+["']?|kind: ["']?[A-Z][A-Za-z]+["']?|items:)\s*$`)

// objectJSON is how the JSON of an object begins, or of a list of them, behind a margin too. Programs log all other kinds.
var objectJSON = regexp.MustCompile(`^[\s>\[{]*"(?:apiVersion|kind|items|metadata)"\s*:`)

// startsObject says whether the JSON that begins here is of Kubernetes.
func (c *content) startsObject() bool {
	_, next, _ := c.w.lineAt(0)
	for range 2 {
		_, next, _ = c.w.lineAt(next)
	}
	text := c.w.rest()
	return objectJSON.Match(text[:min(next, len(text), lineHead)])
}

// readMargin reads what stands behind a margin.
func (c *content) readMargin(m []byte) {
	line, doubtful := c.w.line, max(0, c.doubtful-c.w.offset) // before the reader reads ahead
	inner := newContent(c.name, &marginReader{w: c.w, margin: m}, c.dst, c.lim)
	inner.w.line, inner.doubtful = line, doubtful
	inner.margins, inner.session, inner.namespace, inner.client = c.margins+1, c.session, c.namespace, c.client
	inner.hint = "" // of a file whose objects stand where they should
	defer inner.dec.Close()
	inner.read()
	c.problems = append(c.problems, inner.problems...)
	c.recognised = c.recognised || inner.recognised
	c.audit = c.audit || inner.audit
	c.session, c.namespace, c.client = inner.session, inner.namespace, inner.client
	c.found += inner.found
}

// marginReader gives the lines of a text without their margin, up to the first that has another.
type marginReader struct {
	w      *window
	margin []byte
	rest   []byte // of the line that is being given
	ended  bool
}

// Read implements io.Reader.
func (r *marginReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.ended {
			return 0, io.EOF
		}
		line, next, ok := r.w.lineAt(0)
		inner, within := bytes.CutPrefix(line, r.margin)
		blank := bytes.Equal(bytes.TrimRight(line, " \t"), bytes.TrimRight(r.margin, " \t"))
		if !ok || !within && len(line) > 0 && !blank {
			r.ended = true
			continue
		}
		if !within {
			inner = nil
		}
		r.rest = append(bytes.Clone(inner), '\n')
		r.w.advance(next)
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
