package bundle

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// klog is the head of a line of a Kubernetes log: I1130 12:34:56.789012   1234 file.go:12] text.
var klog = regexp.MustCompile(`^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [^ \]]+:\d+\] `)

var serverError = regexp.MustCompile(`^Error from server(?: \(([A-Za-z]+)\))?: `)

// invalid is the API server's refusal of an object, as kubectl prints it.
var invalid = regexp.MustCompile(`^The [A-Za-z.]+ "[^"]*" is invalid: ?`)

// noteClass says what kind of message a line is; ok is false for lines that are none.
func noteClass(line string) (class string, ok bool) {
	if line == "" || strings.IndexByte(noteBytes, line[0]) < 0 {
		return "", false
	}
	// PowerShell puts the program before what it wrote to standard error.
	line = strings.TrimPrefix(strings.TrimPrefix(line, "kubectl : "), "kubectl.exe : ")
	refused := strings.Contains(line, "error when creating") || strings.Contains(line, "error when applying") ||
		strings.Contains(line, "error when replacing") || strings.Contains(line, "error when patching") || strings.Contains(line, "denied the request")
	switch m := serverError.FindStringSubmatch(line); {
	case m != nil && (refused || m[1] == "Invalid" || m[1] == "BadRequest"):
		return "invalid", true
	case m != nil && (m[1] == "Forbidden" || m[1] == "Unauthorized"):
		return "forbidden", true
	case m != nil && (m[1] == "NotFound" || m[1] == "Gone"):
		return "notFound", true
	case m != nil && (m[1] == "ServiceUnavailable" || m[1] == "Timeout" || m[1] == "ServerTimeout" || m[1] == "InternalError"):
		return "unreachable", true
	case m != nil:
		return "other", true
	}
	switch {
	case invalid.MatchString(line), strings.HasPrefix(line, "error: error validating "), strings.HasPrefix(line, "error validating "):
		return "invalid", true
	case strings.HasPrefix(line, "Unable to connect to the server"), strings.HasPrefix(line, "The connection to the server "):
		return "unreachable", true
	case strings.HasPrefix(line, "error: You must be logged in"), strings.HasPrefix(line, "error: the server has asked for the client to provide credentials"):
		return "forbidden", true
	case strings.HasPrefix(line, "error: the server doesn't have a resource type"):
		return "notFound", true
	case strings.HasPrefix(line, "No resources found"):
		return "other", true
	case strings.HasPrefix(line, "error: "), strings.HasPrefix(line, "Warning: "):
		return "other", true
	}
	return "", false
}

// startsNote says whether a line is a message.
func startsNote(line []byte) bool {
	if len(line) == 0 || bytes.IndexByte([]byte(noteBytes), line[0]) < 0 {
		return false
	}
	_, ok := noteClass(string(line))
	return ok
}

// noteBytes are the bytes that messages begin with.
const noteBytes = "ETUNWek"

// noise says whether a line is a message amid kubectl's output, and keeps it when it means something.
func (c *content) noise(line []byte) bool {
	if len(line) == 0 || len(line) > 64<<10 {
		return false
	}
	text := string(line)
	if class, ok := noteClass(text); ok {
		c.note(class, text)
		return true
	}
	return klog.MatchString(text) || strings.HasPrefix(text, "Flag --") || strings.HasPrefix(text, "Defaulted container ")
}

func (c *content) note(class, text string) {
	c.recognised = true
	c.emit(Piece{Kind: PieceNote, What: class, Lines: []string{text}})
	c.dst.Notes = append(c.dst.Notes, kube.Note{Class: class, Text: strings.TrimSpace(text), File: c.name, Line: c.w.line})
}

// readNote reads a message. A refusal lists several reasons in lines of their own.
func (c *content) readNote() {
	line, next, _ := c.w.lineAt(0)
	text := string(line)
	class, _ := noteClass(text)
	c.note(class, text)
	c.w.advance(next)
	if class != "invalid" || !strings.HasSuffix(strings.TrimSpace(text), ":") {
		return
	}
	n := &c.dst.Notes[len(c.dst.Notes)-1]
	for {
		line, next, ok := c.w.lineAt(0)
		if !ok || !strings.HasPrefix(string(line), "* ") {
			return
		}
		n.Text += " " + strings.TrimSpace(string(line[2:])) + ";"
		c.emit(Piece{Kind: PieceNote, What: class, Lines: []string{string(line)}})
		c.w.advance(next)
	}
}
