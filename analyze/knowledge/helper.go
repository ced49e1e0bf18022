package knowledge

import (
	"path"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Helper is a known container that runs beside an app, or a known init container.
type Helper struct {
	ID      string   `json:"id"`
	Product string   `json:"product"`
	Class   string   `json:"class"` // proxy | logs | telemetry | secrets | storage | policy | workflow | collector
	Mesh    bool     `json:"mesh"`  // part of a service mesh
	Native  string   `json:"native"`
	Stop    string   `json:"stop"`
	Ends    string   `json:"ends"` // itself | others | "": by a call or not at all
	Note    string   `json:"note"`
	Sources []string `json:"sources"` // source ids in the table, printable references in a result

	Names     []string `json:"names"`
	Images    []string `json:"images"`
	Plausible []string `json:"plausible"`
	// NeedsImage: the name is too common to mean anything without the image.
	NeedsImage bool `json:"needsImage"`
	// Beside are init containers of the same injector, which prove a name that the image does not.
	Beside []string `json:"beside"`
	// Signal says what the helper makes of a stop signal, where that is known.
	Signal string `json:"signal"`
	// SignalNeeds has it end with exit code 0 on a stop signal; without any of it the code is another, from release SignalSince
	// on. Empty: not known.
	SignalNeeds Switch `json:"signalNeeds"`
	SignalSince string `json:"signalSince"`
	// NativeBy are the annotations of a pod template that, with "true", bring about what Native tells.
	NativeBy Switch `json:"nativeBy"`
	// CallNeeds switches on the call that Stop tells of.
	CallNeeds Switch `json:"callNeeds"`
	// Once has it do its work once and end, by flags or variables of its container.
	Once Switch `json:"once"`
}

// Switch is what sets something about a helper, any one of these: flags and variables of its container, annotations of
// its pod.
type Switch struct {
	Flags       []string `json:"flags"`
	Env         []string `json:"env"`
	Annotations []string `json:"annotations"`
}

// None says that nothing has to be switched on.
func (s Switch) None() bool { return len(s.Flags)+len(s.Env)+len(s.Annotations) == 0 }

// Words names what switches a call on, for a sentence.
func (s Switch) Words() []string { return slices.Concat(s.Flags, s.Env, s.Annotations) }

// Match is a recognised helper.
type Match struct {
	Helper  Helper
	ByName  bool
	ByImage bool
	// Conflict: the name matches, the image can be read and is none that is known for this helper. It may be a renamed
	// mirror as well as another program under a borrowed name.
	Conflict bool
	// ImageOf is the id of the helper that the image belongs to, if that is another one.
	ImageOf string
}

// EndsByItself reports whether the helper finishes work of its own after the app has ended, and ends then.
func (h Helper) EndsByItself() bool { return h.Ends == "itself" }

// EndedByOthers reports whether something outside the pod's containers is to end the helper, so that no call of the app's
// is wanted.
func (h Helper) EndedByOthers() bool { return h.Ends == "others" }

// NeverNative reports whether the catalogue knows no way to have the helper run as a native sidecar. Its text
// begins with "not" then.
func (h Helper) NeverNative() bool { return strings.HasPrefix(h.Native, "not") }

// HasNoStop reports whether no call is known that ends the helper; its text begins with "none" then.
func (h Helper) HasNoStop() bool { return strings.HasPrefix(h.Stop, "none") }

// Sidecar recognises a container that runs beside an app, by name and image. A redacted or empty image and a bare digest
// leave only the name.
func (b *Base) Sidecar(name, image string) (Match, bool) {
	repo := repository(image)
	byImage, imageKnown := findByImage(b.t.sidecars.Helpers, repo)
	for _, h := range b.t.sidecars.Helpers {
		if !h.named(name) {
			continue
		}
		strong := imageMatches(h.Images, repo)
		if h.NeedsImage && !strong && !imageMatches(h.Plausible, repo) {
			continue
		}
		m := Match{Helper: b.printable(h), ByName: true, ByImage: strong}
		if repo != "" && !strong && !imageMatches(h.Plausible, repo) && len(h.Images)+len(h.Plausible) > 0 {
			m.Conflict = true
			if imageKnown && byImage.ID != h.ID {
				m.ImageOf = byImage.ID
			}
		}
		return m, true
	}
	if imageKnown {
		return Match{Helper: b.printable(byImage), ByImage: true}, true
	}
	return Match{}, false
}

// Beside recognises a sidecar by its name and by what else the same injector put into the pod, where its image does not
// tell: it is masked, or is one that other programs have too.
func (b *Base) Beside(name string, inits []string) (Match, bool) {
	for _, h := range b.t.sidecars.Helpers {
		if h.named(name) && slices.ContainsFunc(h.Beside, func(init string) bool { return slices.Contains(inits, init) }) {
			return Match{Helper: b.printable(h), ByName: true}, true
		}
	}
	return Match{}, false
}

// KnownInit recognises an init container that belongs to a helper and ends by itself.
func (b *Base) KnownInit(name, image string) (Helper, bool) {
	repo := repository(image)
	for _, h := range b.t.sidecars.Inits {
		if h.named(name) && (!h.NeedsImage || imageMatches(h.Images, repo)) {
			return b.printable(h), true
		}
	}
	if h, ok := findByImage(b.t.sidecars.Inits, repo); ok && !h.NeedsImage {
		return b.printable(h), true
	}
	return Helper{}, false
}

// Helpers lists the catalogue in its own order.
func (b *Base) Helpers() []Helper {
	var list []Helper
	for _, h := range b.t.sidecars.Helpers {
		list = append(list, b.printable(h))
	}
	return list
}

// Helper finds an entry of the catalogue by id.
func (b *Base) Helper(id string) (Helper, bool) {
	for _, list := range [][]Helper{b.t.sidecars.Helpers, b.t.sidecars.Inits} {
		for _, h := range list {
			if h.ID == id {
				return b.printable(h), true
			}
		}
	}
	return Helper{}, false
}

func (b *Base) printable(h Helper) Helper {
	h.Sources = b.refs(h.Sources)
	return h
}

func (h Helper) named(name string) bool {
	return slices.ContainsFunc(h.Names, func(pattern string) bool { return glob(pattern, name) })
}

func findByImage(list []Helper, repo string) (Helper, bool) {
	for _, h := range list {
		if imageMatches(h.Images, repo) {
			return h, true
		}
	}
	return Helper{}, false
}

// imageMatches compares the last parts of a repository path, as many as the pattern has: mirrors change the host and the
// first parts of a path and keep the rest.
func imageMatches(patterns []string, repo string) bool {
	if repo == "" {
		return false
	}
	for _, p := range patterns {
		if tail, ok := lastParts(repo, strings.Count(p, "/")+1); ok && glob(p, tail) {
			return true
		}
	}
	return false
}

// lastParts gives the last n parts of a path that has as many.
func lastParts(path string, n int) (string, bool) {
	at := len(path)
	for ; n > 0; n-- {
		if at < 0 {
			return "", false
		}
		at = strings.LastIndexByte(path[:at], '/')
	}
	return path[at+1:], true
}

func glob(pattern, s string) bool {
	if first := pattern[:min(1, len(pattern))]; first != "*" && first != "?" && first != "[" && first != "\\" && !strings.HasPrefix(s, first) {
		return false // nearly all are told apart by this
	}
	ok, err := path.Match(pattern, s)
	return err == nil && ok
}

// repository cuts tag and digest off an image reference. Anything that names no repository gives "".
func repository(image string) string {
	ref, _ := version.SplitImage(image)
	if ref == "sha256" || strings.ContainsAny(ref, "*<> ") || !strings.ContainsFunc(ref, isLetter) {
		return ""
	}
	return ref
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
