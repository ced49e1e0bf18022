package bundle

import (
	"path"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// promisesVersion says whether a file's name promises the output of kubectl version as text, as that of istioctl
// bug-report does.
func promisesVersion(it item) bool {
	return strings.Contains(strings.ToLower(path.Base(it.rel)), "version")
}

// clientReach is how many lines kubectl version may print behind that of the client, up to that of the server.
const clientReach = 4

// saysVersion says whether a line is the one in which kubectl version names the API server's. Anybody's log may hold such
// a line; so a command must stand before it, or the line about the client, or the file's name must promise it.
func (c *content) saysVersion(line string) bool {
	asked := c.session || c.lim.versions || c.client > 0 && c.w.line-c.client <= clientReach
	return asked && serverVersion(line) != ""
}

// versionWord is in every line of kubectl version.
var versionWord = []byte("Version:")

// clientVersion is how the line about the client begins, which is not kept.
var clientVersion = []byte("Client Version:")

// readVersion keeps what kubectl version said of the API server.
func (c *content) readVersion(line string) {
	v := serverVersion(line)
	c.recognised = true
	c.emit(Piece{Kind: PieceVersion, Lines: []string{"Server Version: " + v}})
	c.dst.Servers = append(c.dst.Servers, kube.ServerVersion{GitVersion: v, Evidence: evidence.Evidence{
		Field: "gitVersion", Value: v, File: c.name, Line: c.w.line, Strength: evidence.Text}})
	c.w.skipLine()
}

// serverVersion reads a line of kubectl version: "Server Version: v1.32.5", or until kubectl 1.27 "Server Version:
// version.Info{Major:"1", ..., GitVersion:"v1.27.3", ...}". oc calls it the Kubernetes Version: its Server Version is
// OpenShift's.
func serverVersion(line string) string {
	line = strings.TrimSpace(line)
	said, ok := strings.CutPrefix(line, "Server Version:")
	if !ok {
		if said, ok = strings.CutPrefix(line, "Kubernetes Version:"); !ok {
			return ""
		}
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
