package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// module is a library with the texts under which it may be passed on.
type module struct {
	path, version string
	// linked says that the program holds some of it on some platform; the others serve tests alone.
	linked bool
	texts  []licenseText
}

// licenseText is one file of a licence, and what it is.
type licenseText struct {
	name string // within the module
	ids  []string
	text string
}

// platforms are those that scripts/release builds for.
var platforms = []string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64"}

// standardLibrary stands for Go's own packages among the modules.
const standardLibrary = "Go standard library"

// listedPackage is what the go command says of a package.
type listedPackage struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// modules lists everything that the program of the checkout in root, or its tests, are made of.
func modules(root string) ([]module, error) {
	found := map[string]*module{}
	for _, platform := range platforms {
		packages, err := list(root, platform, "./cmd/analyze")
		if err != nil {
			return nil, err
		}
		if err := add(found, packages, true); err != nil {
			return nil, err
		}
	}
	packages, err := list(root, "", "-test", "./...")
	if err != nil {
		return nil, err
	}
	if err := add(found, packages, false); err != nil {
		return nil, err
	}
	var all []module
	for _, m := range found {
		slices.SortFunc(m.texts, func(a, b licenseText) int { return cmp.Compare(a.name, b.name) })
		all = append(all, *m)
	}
	slices.SortFunc(all, func(a, b module) int { return cmp.Compare(a.path, b.path) })
	return all, nil
}

// list runs go list -deps, for a platform or for this machine's.
func list(root, platform string, args ...string) ([]listedPackage, error) {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-json=Dir,Standard,Module"}, args...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if system, processor, ok := strings.Cut(platform, "/"); ok {
		cmd.Env = append(cmd.Env, "GOOS="+system, "GOARCH="+processor)
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list for %s: %w\n%s", platform, err, said.String())
	}
	var all []listedPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listedPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// add notes the modules of packages, with the licences between each package's folder and the top of its module: parts
// that were taken from elsewhere bring their own.
func add(found map[string]*module, packages []listedPackage, linked bool) error {
	for _, p := range packages {
		name, version, top := standardLibrary, "", ""
		switch {
		case p.Standard:
			top = standardRoot(p.Dir)
			p.Dir = top
		case p.Module == nil || p.Module.Main:
			continue
		default:
			name, version, top = p.Module.Path, p.Module.Version, p.Module.Dir
		}
		m := found[name]
		if m == nil {
			m = &module{path: name, version: version, linked: linked}
			found[name] = m
		}
		for dir := p.Dir; ; dir = filepath.Dir(dir) {
			if err := m.read(top, dir); err != nil {
				return err
			}
			if dir == top || len(dir) <= len(top) {
				break
			}
		}
	}
	return nil
}

// standardRoot gives the folder of the Go installation that a standard package lies in: there its licence is.
func standardRoot(dir string) string {
	for d := dir; d != filepath.Dir(d); d = filepath.Dir(d) {
		if filepath.Base(d) == "src" {
			return filepath.Dir(d)
		}
	}
	return dir
}
