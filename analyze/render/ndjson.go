package render

import (
	"bytes"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// Each line of ndjson stands alone, so that lines of many bundles can be loaded into one table: it says which bundle it
// is from and whether it is a workload or a finding; the rest is the report's own fields.
type line struct {
	Record      string `json:"record"`
	Bundle      string `json:"bundle"`
	CollectedAt string `json:"collectedAt,omitempty"`
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
		from := line{Bundle: r.Bundle.Source, CollectedAt: r.Bundle.CollectedAt}
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
