package redact

import (
	"fmt"
	"strings"
)

// nameFor gives the path of a copy: that of the original, with a folder for each archive around it, and without the
// suffix of its compression. Of several files of one name the later ones lie below folders of their own, where the reader
// finds them as well as in their place.
func nameFor(name string, taken map[string]bool) string {
	clean := strings.ReplaceAll(name, "!", "/")
	for _, suffix := range []string{".gz", ".zst", ".xz", ".bz2"} {
		if short, ok := strings.CutSuffix(clean, suffix); ok && short != "" && !strings.HasSuffix(short, "/") {
			clean = short
			break
		}
	}
	for strings.Contains(clean, "//") {
		clean = strings.ReplaceAll(clean, "//", "/")
	}
	clean = strings.Trim(clean, "/")
	if clean == "" {
		clean = "file"
	}
	steps := strings.Split(clean, "/")
	for i, step := range steps {
		if step == manifestName { // the manifest's own name is taken
			steps[i] = "other-" + manifestName
		}
	}
	clean = strings.Join(steps, "/")
	for n := 1; ; n++ {
		copied := clean
		if n > 1 {
			copied = again(clean, n)
		}
		if !taken[copied] {
			taken[copied] = true
			return copied
		}
	}
}

// again puts the n-th file of a name into a folder of its own, below the top folder if there is one.
func again(name string, n int) string {
	folder := fmt.Sprintf("again-%d", n)
	if top, rest, ok := strings.Cut(name, "/"); ok {
		return top + "/" + folder + "/" + rest
	}
	return folder + "/" + name
}

// defaultTop is the one folder of a copy whose files have none in common.
const defaultTop = "redacted"

// top gives the folder that all files lie in already, and else one to put them into.
func (r *run) top() string {
	top := ""
	for name := range r.files {
		first, _, ok := strings.Cut(name, "/")
		if !ok || top != "" && first != top {
			return defaultTop
		}
		top = first
	}
	return top
}

// below gives a path of the copy below its top folder.
func below(top, name string) string {
	if rest, ok := strings.CutPrefix(name, top+"/"); ok {
		return rest
	}
	return name
}
