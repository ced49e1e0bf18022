package bundle

import (
	"encoding/json"
	"io"
	"path"
	"slices"
	"strings"
)

// redactionFile is the manifest of a copy from which values were taken out (analyze redact).
const redactionFile = "redaction.json"

// redaction takes over what could not be read when the copy was made. The copy itself is whole; without this a list
// that was cut off would look complete in it.
func (w *walker) redaction(it item, r io.Reader) error {
	raw, err := io.ReadAll(io.LimitReader(r, maxManifest+1))
	var m struct {
		Tool     string `json:"tool"`
		Problems []struct {
			File    string `json:"file"`
			Line    int    `json:"line"`
			Message string `json:"message"`
		} `json:"problems"`
	}
	if bad := json.Unmarshal(raw, &m); bad != nil || m.Tool != ownTool {
		w.problem(it, "not readable as the manifest of a redacted copy: what could not be read when it was made is not known")
		return err
	}
	for _, p := range m.Problems {
		file := ""
		if p.File != "" {
			file = it.inFolder(p.File)
		}
		w.pipe.note(Problem{File: file, Line: p.Line, Message: p.Message, carried: true})
	}
	return err
}

// inFolder gives a path relative to the folder of the item as a path within the bundle.
func (it item) inFolder(rel string) string { return it.base + path.Join(path.Dir(it.rel), rel) }

// withoutRepeated drops problems that were taken over from a copy's manifest and found again in the copy. The manifest
// does not quote values, so only what stands before one is compared.
func withoutRepeated(list []Problem) []Problem {
	type key struct{ file, message string }
	of := func(p Problem) key {
		before, _, _ := strings.Cut(p.Message, " is ")
		return key{p.File, before}
	}
	found := map[key]bool{}
	for _, p := range list {
		if !p.carried {
			found[of(p)] = true
		}
	}
	return slices.DeleteFunc(list, func(p Problem) bool { return p.carried && found[of(p)] })
}
