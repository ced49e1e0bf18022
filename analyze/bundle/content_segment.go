package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// read walks text from segment to segment: a YAML document, a JSON value, or a line of something else.
func (c *content) read(text []byte) {
	line := 1
	for len(text) > 0 {
		n := 0
		switch head := firstLine(text); {
		case startsJSON(head):
			n = c.readJSON(text, line)
		case startsYAML(head):
			n = c.readYAML(text, line)
		default:
			n = min(len(head)+1, len(text))
		}
		line += bytes.Count(text[:n], []byte("\n"))
		text = text[n:]
	}
}

func firstLine(text []byte) []byte {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return text[:i]
	}
	return text
}

func startsJSON(line []byte) bool {
	line = bytes.TrimRight(line, " \t")
	return bytes.HasPrefix(line, []byte("{")) || string(line) == "[" || bytes.HasPrefix(line, []byte("[{")) || string(line) == "[]"
}

// startsYAML says whether a line at column 0 can begin a Kubernetes object or list.
func startsYAML(line []byte) bool {
	key, _, ok := bytes.Cut(bytes.TrimPrefix(line, []byte("- ")), []byte(":"))
	if !ok {
		return false
	}
	switch string(key) {
	case "apiVersion", "kind", "items", "metadata", "spec", "status", "data", "clientVersion", "serverVersion", "kustomizeVersion", "gitVersion":
		return true
	}
	return false
}

// continuesYAML says whether a line belongs to the YAML document before it.
func continuesYAML(line []byte) bool {
	if len(line) == 0 {
		return true
	}
	switch c := line[0]; {
	case c == ' ', c == '\t', c == '#', c == '"', c == '\'':
		return true
	case c == '-':
		return len(line) == 1 || line[1] == ' '
	case c >= 'a' && c <= 'z':
		key, rest, ok := bytes.Cut(line, []byte(":"))
		return ok && bytes.IndexByte(key, ' ') < 0 && (len(rest) == 0 || rest[0] == ' ')
	}
	return false
}

func (c *content) readYAML(text []byte, line int) int {
	n := 0
	for n < len(text) {
		head := firstLine(text[n:])
		if !continuesYAML(head) {
			break
		}
		n = min(n+len(head)+1, len(text))
	}
	if err := c.dec.Decode(kube.YAML, text[:n], line, c.lim.KindHint); err != nil {
		c.report(line, err.Error())
	}
	return n
}

func (c *content) readJSON(text []byte, line int) int {
	dec := json.NewDecoder(bytes.NewReader(text))
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		at := line + bytes.Count(text[:min(int(dec.InputOffset()), len(text))], []byte("\n"))
		c.report(at, fmt.Sprintf("reading JSON: %v", err))
		return min(len(firstLine(text))+1, len(text))
	}
	if err := c.dec.Decode(kube.JSON, raw, line, c.lim.KindHint); err != nil {
		c.report(line, err.Error())
	}
	return int(dec.InputOffset())
}
