package bundle

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// promisesVersion says whether a file's name promises the output of kubectl version or istioctl version as text, as those
// of istioctl bug-report do.
func promisesVersion(it item) bool {
	return strings.Contains(strings.ToLower(path.Base(it.rel)), "version")
}

// clientReach is how many lines kubectl version may print behind that of the client, up to that of the server.
const clientReach = 4

// saysVersion says whether a line is the one in which kubectl version names the API server's, or istioctl version
// istiod's. Anybody's log may hold such a line; so a command must stand before it, or the line about the client, or the
// file's name must promise it.
func (c *content) saysVersion(line string) bool {
	asked := c.session || c.lim.versions || c.client > 0 && c.w.line-c.client <= clientReach
	return asked && (serverVersion(line) != "" || len(istiodVersions(line)) > 0)
}

// versionWord is in every line of both.
var versionWord = []byte("ersion:")

// How the lines begin that are about kubectl and oc, or istioctl, themselves. The rest of them is not kept.
const (
	kubectlVersion  = "Client Version:"
	istioctlVersion = "client version:"
)

// clientVersion says whether a line is one of these.
func clientVersion(line []byte) bool {
	return bytes.HasPrefix(line, []byte(kubectlVersion)) || bytes.HasPrefix(line, []byte(istioctlVersion))
}

// readVersion keeps what kubectl version said of the API server, or istioctl version of istiod. In a copy the line about
// the client stands before it again, as the copy is read by itself.
func (c *content) readVersion(line string) {
	said := evidence.Evidence{File: c.name, Line: c.w.line, Strength: evidence.Text}
	c.recognised = true
	if v := serverVersion(line); v != "" {
		c.emit(Piece{Kind: PieceVersion, Lines: []string{kubectlVersion, "Server Version: " + v}})
		said.Field, said.Value = "gitVersion", v
		c.dst.Servers = append(c.dst.Servers, kube.ServerVersion{GitVersion: v, Evidence: said})
	} else {
		all := istiodVersions(line)
		c.emit(Piece{Kind: PieceVersion, Lines: []string{istioctlVersion, controlPlaneVersion + " " + strings.Join(all, ",")}})
		for _, v := range all {
			said.Field, said.Value = strings.TrimSuffix(controlPlaneVersion, ":"), v
			c.dst.Istiods = append(c.dst.Istiods, kube.IstiodVersion{Version: v, Evidence: said})
		}
	}
	c.w.skipLine()
}

// controlPlaneVersion begins the line of istioctl version about istiod.
const controlPlaneVersion = "control plane version:"

// release is what istiods call themselves: 1.24.1, 1.8.2-distro-v0.
var release = regexp.MustCompile(`^[0-9]+\.[0-9]+[0-9A-Za-z.+_-]*$`)

// istiodVersions reads a line of istioctl version: "control plane version: 1.24.1", with a comma between the releases of
// several istiods, or with --short=false "pilot version: version.BuildInfo{Version:"1.24.1", ...}".
func istiodVersions(line string) []string {
	line = strings.TrimSpace(line)
	said, ok := strings.CutPrefix(line, controlPlaneVersion)
	if !ok {
		if said, ok = strings.CutPrefix(line, "pilot version:"); !ok {
			return nil
		}
	}
	if _, info, ok := strings.Cut(said, `Version:"`); ok {
		said, _, _ = strings.Cut(info, `"`)
	}
	var all []string
	for _, v := range strings.Split(said, ",") {
		v = strings.TrimSpace(v)
		if !release.MatchString(v) {
			return nil
		}
		all = append(all, v)
	}
	return all
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
