package knowledge

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"sigs.k8s.io/yaml"
)

// tables is everything that the files say, as text.
type tables struct {
	sources    sourcesFile
	kubernetes kubernetesFile
	istio      istioFile
	sidecars   sidecarsFile
	issues     issuesFile
	placement  placementFile
	digest     string // of the bytes the tables were read from, overlays included
}

// table is one file and the place that it is read into.
type table struct {
	name string
	into any
}

func (t *tables) files() []table {
	return []table{
		{"sources.yaml", &t.sources},
		{"kubernetes.yaml", &t.kubernetes},
		{"istio.yaml", &t.istio},
		{"sidecars.yaml", &t.sidecars},
		{"issues.yaml", &t.issues},
		{"placement.yaml", &t.placement},
	}
}

// read loads the tables of a folder. With partial set, files may be missing; a folder without any table is an error.
func read(fsys fs.FS, partial bool) (*tables, error) {
	t := &tables{}
	sum, found := sha256.New(), 0
	for _, f := range t.files() {
		raw, err := readTable(fsys, f.name)
		if partial && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading rule data: %w", err)
		}
		if err := yaml.UnmarshalStrict(raw, f.into, yaml.DisallowUnknownFields); err != nil {
			return nil, fmt.Errorf("reading rule data: %w", misread(f.name, raw, err))
		}
		found++
		sum.Write(raw)
	}
	if found == 0 {
		return nil, errors.New("reading rule data: no table found (sources.yaml, kubernetes.yaml, istio.yaml, sidecars.yaml, issues.yaml, placement.yaml)")
	}
	t.digest = hex.EncodeToString(sum.Sum(nil))
	return t, nil
}

// readTable reads a file that is one: a pipe or a device in its place might be waited for without end.
func readTable(fsys fs.FS, name string) ([]byte, error) {
	if info, err := fs.Stat(fsys, name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no plain file", name)
	}
	return fs.ReadFile(fsys, name)
}

// Load reads the tables of a folder, all of which must be there, and prepares them for queries. The error names the file.
func Load(fsys fs.FS) (*Base, error) {
	t, err := read(fsys, false)
	if err != nil {
		return nil, err
	}
	return compile(t)
}
