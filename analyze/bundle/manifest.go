package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Manifest is the collection.json of our own collector: what was asked of the cluster, and what came of it.
type Manifest struct {
	// File is where it was found; the files of Steps are relative to its folder.
	File              string
	Tool              string
	Version           string
	Started, Finished time.Time
	Context           string
	ServerVersion     string
	// Redacted says that values were taken out when the bundle was made. Interrupted says that a signal ended the run, so
	// that the last steps are missing.
	Redacted    bool
	Interrupted bool
	Steps       []Step
	Permissions []Permission
}

// Step is one command of the collector.
type Step struct {
	ID      string
	Command string
	Exit    int
	// Files are the files it wrote, Items the objects in them.
	Files []string
	Items int
	// ErrorClass is "forbidden", "notFound", "timeout", ... or empty. A step that was forbidden leaves a valid EMPTY list
	// behind: it means "not allowed", never "none exist".
	ErrorClass string
	// Note says what was left out of what the command printed; Stderr is what it wrote there.
	Note, Stderr string
	Seconds      float64
	Bytes        int64
}

// Permission is an answer of kubectl auth can-i: Allowed is "yes", "no" or "unknown".
type Permission struct {
	Verb, Resource, Namespace, Allowed string
}

// Forbidden gives the steps that the cluster refused: what they would have shown is unknown, not absent.
func (m *Manifest) Forbidden() []Step {
	if m == nil {
		return nil
	}
	var out []Step
	for _, s := range m.Steps {
		if s.ErrorClass == "forbidden" {
			out = append(out, s)
		}
	}
	return out
}

// Loss says what of the answer is not in the bundle and why, in the words of the collector and of kubectl; empty when all
// of it is, or when what was asked for does not exist.
func (s Step) Loss() string {
	said := strings.TrimSpace(s.Stderr)
	switch {
	case s.Note == "" && (s.ErrorClass == "" || s.ErrorClass == "notFound"):
		return ""
	case s.Note != "" && said != "":
		return s.Note + "; " + said
	case s.Note != "":
		return s.Note
	case said == "":
		return s.ErrorClass
	}
	return said
}

// Namespace gives the one namespace that was asked; empty: all, or the context's own.
func (s Step) Namespace() string {
	words := strings.Fields(s.Command)
	if i := slices.Index(words, "-n"); i >= 0 && i+1 < len(words) {
		return words[i+1]
	}
	return ""
}

// Incomplete gives the steps of whose answers something is not in the bundle, but for those that the cluster refused.
func (m *Manifest) Incomplete() []Step {
	var out []Step
	for _, s := range m.Steps {
		if s.ErrorClass != "forbidden" && s.Loss() != "" {
			out = append(out, s)
		}
	}
	return out
}

// ownTool is how our own collector and redacted copies name themselves.
const ownTool = "sidecar-must-gather"

var errNotOurs = errors.New("not the manifest of a collector that is known here")

// readManifest reads collection.json. Fields of another type than expected are left empty: a later collector may have
// changed them. errNotOurs means that the file is something else.
func readManifest(name string, raw []byte) (*Manifest, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(raw, &top); err != nil {
		if strings.Contains(string(raw[:min(len(raw), 200)]), "sidecar-must-gather") {
			return nil, fmt.Errorf("reading the collector's manifest: %w; which commands were refused is not known", err)
		}
		return nil, errNotOurs
	}
	m := &Manifest{File: name, Tool: soft[string](top, "tool"), Version: soft[string](top, "version"),
		Context: soft[string](top, "context"), ServerVersion: soft[string](top, "serverVersion"),
		Redacted: soft[bool](top, "redaction"), Interrupted: soft[bool](top, "interrupted")}
	if m.Tool != ownTool {
		return nil, errNotOurs
	}
	m.Started, m.Finished = manifestTime(top, "started"), manifestTime(top, "finished")
	for _, s := range soft[[]map[string]json.RawMessage](top, "steps") {
		m.Steps = append(m.Steps, Step{ID: soft[string](s, "id"), Command: soft[string](s, "command"),
			Exit: soft[int](s, "exit"), Files: soft[[]string](s, "files"), Items: soft[int](s, "items"),
			ErrorClass: soft[string](s, "errorClass"), Note: soft[string](s, "note"), Stderr: soft[string](s, "stderr"),
			Seconds: soft[float64](s, "seconds"), Bytes: soft[int64](s, "bytes")})
	}
	for _, p := range soft[[]map[string]json.RawMessage](top, "permissions") {
		m.Permissions = append(m.Permissions, Permission{Verb: soft[string](p, "verb"),
			Resource: soft[string](p, "resource"), Namespace: soft[string](p, "namespace"), Allowed: soft[string](p, "allowed")})
	}
	return m, nil
}

// soft reads one field, or gives the zero value.
func soft[T any](from map[string]json.RawMessage, key string) T {
	var v, zero T
	if json.Unmarshal(from[key], &v) != nil {
		return zero
	}
	return v
}

func manifestTime(from map[string]json.RawMessage, key string) time.Time {
	t, err := time.Parse(time.RFC3339, soft[string](from, key))
	if err != nil {
		return time.Time{}
	}
	return t
}
