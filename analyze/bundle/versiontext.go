package bundle

import (
	"bytes"
	"io"
	"path"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// maxVersionText is the size up to which a file may be nothing but the output of kubectl version.
const maxVersionText = 4 << 10

// isVersionText says whether a file's name promises the output of kubectl version, as istioctl bug-report's does.
func isVersionText(it item) bool {
	return strings.Contains(strings.ToLower(path.Base(it.rel)), "version")
}

// versionText reads the output of kubectl version as text, which has no format that other readers know. What it gives
// back is to be read on, when it is something else.
func (w *walker) versionText(it item, r io.Reader) (rest io.Reader, found bool) {
	raw, err := io.ReadAll(io.LimitReader(r, maxVersionText+1))
	rest = io.MultiReader(bytes.NewReader(raw), r)
	if err != nil {
		rest = io.MultiReader(bytes.NewReader(raw), &failedReader{err})
	}
	if err != nil || len(raw) > maxVersionText {
		return rest, false
	}
	var set kube.Set
	var said []string
	for i, line := range strings.Split(string(raw), "\n") {
		if v := serverVersion(line); v != "" {
			set.Servers = append(set.Servers, kube.ServerVersion{GitVersion: v, Evidence: evidence.Evidence{
				Field: "gitVersion", Value: v, File: it.name(), Line: i + 1, Strength: evidence.Text}})
			said = append(said, "Server Version: "+v)
		}
	}
	if len(set.Servers) == 0 {
		return rest, false
	}
	w.pipe.found(set)
	w.copyWhole(it, PieceVersion, said...)
	return nil, true
}

// serverVersion reads a line of kubectl version: "Server Version: v1.32.5", or until kubectl 1.27 "Server Version:
// version.Info{Major:"1", ..., GitVersion:"v1.27.3", ...}".
func serverVersion(line string) string {
	said, ok := strings.CutPrefix(strings.TrimSpace(line), "Server Version:")
	if !ok {
		return ""
	}
	if _, info, ok := strings.Cut(said, `GitVersion:"`); ok {
		said, _, _ = strings.Cut(info, `"`)
	}
	said = strings.TrimSpace(said)
	if !strings.HasPrefix(said, "v") || strings.ContainsAny(said, " \t") {
		return ""
	}
	return said
}
