package bundle

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// maxRefusals bounds a file of refusals.
const maxRefusals = 1 << 20

// refusals reads what troubleshoot writes beside the lists, pods-errors.json and so on: the answers of the API server,
// by namespace or one after another. Without them "not allowed" would look like "none".
func (w *walker) refusals(it item, r io.Reader) error {
	raw, err := io.ReadAll(io.LimitReader(r, maxRefusals))
	var texts []string
	var byNamespace map[string]string
	switch {
	case json.Unmarshal(raw, &texts) == nil:
	case json.Unmarshal(raw, &byNamespace) == nil:
		for _, text := range byNamespace {
			texts = append(texts, text)
		}
		slices.Sort(texts)
	default:
		w.problem(it, "the errors listed in it could not be read as JSON")
		return err
	}
	var set kube.Set
	for _, text := range texts {
		set.Notes = append(set.Notes, kube.Note{Class: refusalClass(text), Text: clip(text, 2000), File: it.name(),
			Line: lineHolding(raw, text)})
	}
	w.pipe.found(set)
	w.copyWhole(it, PieceRefusals, string(raw))
	return err
}

// refusalClass tells the classes of kube.Note apart, by the words of the API server.
func refusalClass(text string) string {
	switch {
	case strings.Contains(text, " is forbidden: "), strings.Contains(text, "Unauthorized"):
		return "forbidden"
	case strings.Contains(text, "could not find the requested resource"), strings.HasSuffix(text, "not found"):
		return "notFound"
	case strings.Contains(text, "connection refused"), strings.Contains(text, "timeout"),
		strings.Contains(text, "deadline exceeded"), strings.Contains(text, "unable to handle the request"):
		return "unreachable"
	}
	return "other"
}

// lineHolding finds the line of a JSON text that holds a string.
func lineHolding(raw []byte, text string) int {
	quoted, err := json.Marshal(text)
	if err != nil {
		return 0
	}
	at := strings.Index(string(raw), string(quoted))
	if at < 0 {
		return 0
	}
	return 1 + strings.Count(string(raw[:at]), "\n")
}
