package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// startsJSON says whether a line begins a JSON value that may be an object of Kubernetes or a list of them.
func startsJSON(line []byte) bool {
	line = bytes.TrimRight(line, " \t")
	if len(line) == 0 || line[0] != '{' && line[0] != '[' {
		return false
	}
	inner := bytes.TrimLeft(line[1:], " \t")
	if line[0] == '{' {
		return len(inner) == 0 || inner[0] == '"' || inner[0] == '}'
	}
	return len(inner) == 0 || inner[0] == '{' || inner[0] == ']'
}

// readJSON reads one value. Lists are read item by item, so that memory follows the largest item.
func (c *content) readJSON() {
	if c.badJSON > maxBadJSON {
		c.skipped()
		return
	}
	s := c.newScan()
	if head, ok := c.listHead(s); ok {
		c.readJSONList(head)
		return
	}
	end, ok := c.jsonEnd(0, s)
	raw := bytes.Clone(c.w.rest()[:end])
	if !ok || !json.Valid(raw) {
		c.brokenJSON(raw, ok)
		return
	}
	line := c.w.line
	c.w.advance(end)
	c.object(kube.Text{Format: kube.JSON, Raw: raw, Line: line, Checked: true}, "", c.hint)
}

// maxBadJSON bounds how often a value without an end is looked for through the whole text.
const maxBadJSON = 16

// brokenJSON reports a value that is none and goes on with the next line. Logs are full of half values; only what
// seems to be of Kubernetes is a problem.
func (c *content) brokenJSON(raw []byte, ended bool) {
	if bytes.Contains(raw, []byte(`"apiVersion"`)) || bytes.Contains(raw, []byte(`"kind"`)) {
		var syntax *json.SyntaxError
		err := json.Unmarshal(raw, new(json.RawMessage))
		line := c.w.line
		switch {
		case !ended:
			c.report(line, "the JSON that begins here has no end; it was not read")
		case errors.As(err, &syntax):
			line += bytes.Count(raw[:min(int(syntax.Offset), len(raw))], newline)
			c.report(line, fmt.Sprintf("not readable as JSON: %v", err))
		}
	}
	if !ended {
		c.badJSON++
	}
	c.skipped()
}

// jsonList is the head of a list: what stands before its first item.
type jsonList struct {
	body             int // offset behind the bracket
	kind, apiVersion string
	bare             bool // an array without an object around it
}

// listHead looks whether the value here is a list. A List has its items as a member; what stands before it is skipped.
func (c *content) listHead(s jsonScan) (jsonList, bool) {
	var l jsonList
	off := c.jsonSpace(0)
	if b, _ := c.w.at(off); b == '[' {
		next := c.jsonSpace(off + 1)
		b, ok := c.w.at(next)
		return jsonList{body: off + 1, bare: true}, ok && (b == '{' || b == ']')
	}
	off++
	for {
		off = c.jsonSpace(off)
		if b, _ := c.w.at(off); b != '"' {
			return l, false
		}
		end, ok := c.jsonEnd(off, s)
		if !ok {
			return l, false
		}
		key := string(c.w.rest()[off:end])
		off = c.jsonSpace(end)
		if b, _ := c.w.at(off); b != ':' {
			return l, false
		}
		off = c.jsonSpace(off + 1)
		if b, _ := c.w.at(off); b == '[' && key == `"items"` {
			l.body = off + 1
			return l, l.kind == "" || strings.HasSuffix(l.kind, "List")
		}
		if end, ok = c.jsonEnd(off, s); !ok {
			return l, false
		}
		switch key {
		case `"kind"`:
			l.kind = strings.Trim(string(c.w.rest()[off:end]), `"`)
		case `"apiVersion"`:
			l.apiVersion = strings.Trim(string(c.w.rest()[off:end]), `"`)
		}
		off = c.jsonSpace(end)
		if b, _ := c.w.at(off); b != ',' {
			return l, false
		}
		off++
	}
}

// readJSONList reads items until the bracket closes, then skips to the end of the list.
func (c *content) readJSONList(l jsonList) {
	c.recognised = c.recognised || !l.bare
	hint := c.hint
	if kind := strings.TrimSuffix(l.kind, "List"); kind != "" {
		c.hint = kind
	}
	defer func() { c.hint = hint }()
	c.w.advance(l.body)
	c.startJSONList(l)
	defer c.endList(nil)
	for count := 0; ; {
		c.w.advance(c.jsonSpace(0))
		b, ok := c.w.at(0)
		switch {
		case ok && b == ',':
			c.w.advance(1)
			continue
		case ok && b == ']':
			c.w.advance(1)
			c.recognised = c.recognised || count == 0
			if !l.bare {
				c.closeJSONList()
			}
			return
		}
		end, whole := c.jsonEnd(0, jsonScan{})
		if !ok || !whole || end == 0 {
			lost := min(1, end)
			c.report(c.w.line, fmt.Sprintf("the list is cut off within its item %d: %d read, %d lost", count+1, count, lost))
			c.w.advance(len(c.w.rest()))
			return
		}
		count++
		c.jsonItem(bytes.Clone(c.w.rest()[:end]), count)
		c.w.advance(end)
	}
}

func (c *content) jsonItem(raw []byte, count int) {
	c.object(kube.Text{Format: kube.JSON, Raw: raw, Line: c.w.line}, fmt.Sprintf("item %d of the list", count), c.hint)
}

// closeJSONList skips what stands behind the items of a list.
func (c *content) closeJSONList() {
	if end, ok := c.jsonEnd(0, jsonScan{depth: 1}); ok {
		c.w.advance(end)
	}
}
