package bundle

import (
	"fmt"
	"io"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// contentLimits bound what reading one file may cost.
type contentLimits struct {
	// MaxBytes is the size from which on a file is cut off; 0 means the default of 64 MiB for text that must be held
	// whole.
	MaxBytes int64
	// KindHint is the kind to assume for objects that name none, as the path tells it (pods.json: Pod).
	KindHint string
}

const defaultMaxBytes = 64 << 20

// readContent reads one file of any of the known notations into dst: YAML and JSON of kubectl, and text with such
// objects in it.
func readContent(name string, r io.Reader, dst *kube.Set, lim contentLimits) []Problem {
	c := &content{name: name, dst: dst, lim: lim}
	c.dec = &kube.Decoder{File: name, Set: dst, Report: c.report}
	limit := lim.MaxBytes
	if limit <= 0 {
		limit = defaultMaxBytes
	}
	raw, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		c.report(0, fmt.Sprintf("reading stopped after %d bytes: %v", len(raw), err))
	}
	if int64(len(raw)) > limit {
		raw = raw[:limit]
		c.report(0, fmt.Sprintf("longer than %d bytes; the rest was not read", limit))
	}
	text, err := plainText(raw)
	if err != nil {
		c.report(0, err.Error())
		return c.problems
	}
	c.read(text)
	return c.problems
}

// content is the state of reading one file.
type content struct {
	name     string
	dst      *kube.Set
	lim      contentLimits
	dec      *kube.Decoder
	problems []Problem
}

func (c *content) report(line int, message string) {
	c.problems = append(c.problems, Problem{File: c.name, Line: line, Message: message})
}
