package render

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

func writeYAML(buf *bytes.Buffer, reports []*analyze.Report, _ Options) error {
	marked := make([]*analyze.Report, 0, len(reports))
	for _, r := range reports {
		marked = append(marked, rewrite(r, rewriter{line: mark, block: mark}))
	}
	b, err := yaml.Marshal(document(marked))
	if err != nil {
		return err
	}
	buf.Write(markPattern.ReplaceAllFunc(b, unmark))
	return nil
}

// The YAML library writes invisible and reordering characters as they are. So each of them goes through it as its
// number between two \x01, which makes the library choose a double-quoted string, and becomes an escape afterwards. A
// backslash that would look like such a mark is marked too, so that the text read back is the text that was written.
var markPattern = regexp.MustCompile(`\\x01[0-9a-f]{8}\\x01`)

func mark(s string) string {
	if !strings.Contains(s, `\x01`) && !strings.ContainsFunc(s, needsMark) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if needsMark(r) || r == '\\' && strings.HasPrefix(s[i:], `\x01`) {
			fmt.Fprintf(&b, "\x01%08x\x01", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func needsMark(r rune) bool { return r != '\n' && r != '\t' && unsafeRune(r) }

// unmark turns the mark of U+202E into the escape \U0000202e of a double-quoted YAML string.
func unmark(m []byte) []byte { return []byte(`\U` + string(m[4:12])) }
