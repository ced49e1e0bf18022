package render

import (
	"bytes"

	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

func writeYAML(buf *bytes.Buffer, reports []*analyze.Report, _ Options) error {
	b, err := yaml.Marshal(document(reports))
	if err != nil {
		return err
	}
	buf.Write(b)
	return nil
}
