package redact

import "regexp"

func compiled(texts []string) []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, s := range texts {
		out = append(out, regexp.MustCompile(s))
	}
	return out
}
