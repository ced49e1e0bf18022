package bundle

import (
	"io"
	"path"
	"strings"
	"unicode/utf8"
)

// item is one file of the bundle: where it is, and how deep.
type item struct {
	// base is the archive it is in, with a "!" at the end, when that is not the bundle itself; rel the path in there.
	base, rel string
	// layers counts the containers around it.
	layers int
	// top marks the file that is the bundle.
	top bool
	// raw marks a file that did not come out of a container, so that nobody has paid for its bytes yet.
	raw bool
	// whole gives random access to the file and its size, where there is any: zip needs it.
	whole io.ReaderAt
	size  int64
}

// name is the path within the bundle, as in Origin.File.
func (it item) name() string { return it.base + it.rel }

// inside gives the entry rel of the archive it. Entries of the bundle's own archive go by their path alone.
func (it item) inside(rel string) item {
	base := it.base + it.rel + "!"
	if it.top {
		base = ""
	}
	return item{base: base, rel: rel, layers: it.layers + 1}
}

// unpacked gives the same file without one layer of compression.
func (it item) unpacked() item {
	return item{base: it.base, rel: it.rel, layers: it.layers + 1, top: it.top}
}

// cleanName gives the cleaned path of an archive's entry, or says why it is refused. Nothing is ever written, so no
// name could do harm on disk; but a name that climbs is not made by a collector, and could pose as another file.
func cleanName(name string) (clean string, refused string) {
	switch {
	case len(name) > maxName:
		return "", "name too long"
	case strings.IndexByte(name, 0) >= 0:
		return "", "NUL in the name"
	}
	name = strings.ToValidUTF8(name, string(utf8.RuneError))
	// Windows tools write backslashes into zips.
	name = strings.ReplaceAll(name, `\`, "/")
	if strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':' && strings.HasPrefix(name[2:], "/") {
		return "", "absolute name"
	}
	for step := range strings.SplitSeq(name, "/") {
		if step == ".." {
			return "", "name with .."
		}
	}
	clean = path.Clean(name)
	if name == "" || clean == "." {
		return "", "no name"
	}
	return clean, ""
}

// withoutPacking drops the suffix of a compressed single file: pods.yaml.gz stands where pods.yaml would.
func withoutPacking(name string) string {
	for _, suffix := range []string{".gz", ".zst", ".xz", ".bz2"} {
		if short, ok := strings.CutSuffix(name, suffix); ok && short != "" && !strings.HasSuffix(short, "/") {
			return short
		}
	}
	return name
}
