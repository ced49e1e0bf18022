package bundle

import "time"

// Manifest is the collection.json of our own collector: what was asked of the cluster, and what came of it.
type Manifest struct {
	// File is where it was found.
	File              string
	Tool              string
	Version           string
	Started, Finished time.Time
	Context           string
	ServerVersion     string
	Redacted          bool
	Steps             []Step
}

// Step is one command of the collector.
type Step struct {
	ID      string
	Command string
	Exit    int
	Files   []string
	// ErrorClass is "forbidden", "notFound", "timeout", ... or empty. A step that was forbidden leaves a valid EMPTY list
	// behind: it means "not allowed", never "none exist".
	ErrorClass string
	Stderr     string
	Seconds    float64
	Bytes      int64
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
