package render

import (
	"bytes"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// Each line of ndjson stands alone, so that lines of many bundles can be loaded into one table: it says which bundle it
// is from and what it is about; the rest is the report's own fields. Each bundle begins with a line about itself, so
// that a fleet sees those in which nothing was found or nothing could be read.
type line struct {
	Record      string `json:"record"`
	Bundle      string `json:"bundle"`
	CollectedAt string `json:"collectedAt,omitempty"`
}

type bundleLine struct {
	line
	CollectedFrom string            `json:"collectedFrom,omitempty"`
	Layout        string            `json:"layout"`
	Files         int               `json:"files"`
	Bytes         int64             `json:"bytes"`
	Objects       map[string]int    `json:"objects"`
	Problems      []analyze.Problem `json:"problems"`
	Tool          analyze.Tool      `json:"tool"`
	Cluster       analyze.Cluster   `json:"cluster"`
	Hidden        *analyze.Hidden   `json:"hidden,omitempty"`
	// WorkloadCount and FindingCount say how many lines follow.
	WorkloadCount int `json:"workloadCount"`
	FindingCount  int `json:"findingCount"`
}

type workloadLine struct {
	line
	analyze.Workload
}

type findingLine struct {
	line
	analyze.Finding
}

func writeNDJSON(buf *bytes.Buffer, reports []*analyze.Report, _ Options) error {
	for _, r := range reports {
		from := line{Record: "bundle", Bundle: r.Bundle.Source, CollectedAt: r.Bundle.CollectedAt}
		if err := encode(buf, bundleLineOf(from, r), ""); err != nil {
			return err
		}
		for _, w := range r.Workloads {
			from.Record = "workload"
			if err := encode(buf, workloadLine{from, w}, ""); err != nil {
				return err
			}
		}
		for _, f := range r.Findings {
			from.Record = "finding"
			if err := encode(buf, findingLine{from, f}, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

func bundleLineOf(from line, r *analyze.Report) bundleLine {
	b := r.Bundle
	return bundleLine{line: from, CollectedFrom: b.CollectedFrom, Layout: b.Layout, Files: b.Files, Bytes: b.Bytes,
		Objects: b.Objects, Problems: b.Problems, Tool: r.Tool, Cluster: r.Cluster, Hidden: r.Hidden,
		WorkloadCount: len(r.Workloads), FindingCount: len(r.Findings)}
}
