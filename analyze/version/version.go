// Package version reads the version strings that clusters really print (v1.33.4-eks-3abbec1, v1.30.4+k3s1,
// 1.27.1-distroless, 1.30+) and answers range questions about them with yes, no or maybe.
//
// It is NOT for knowing what any version does: no version number has a meaning here. It is also not a general semantic
// version library: a hyphen after the number usually introduces a vendor's build tag, not a pre-release, and a missing
// patch number is unknown rather than zero.
package version

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Version is a version as far as the string told it. Fields beyond Precision are zero and mean nothing.
type Version struct {
	Major, Minor, Patch int
	Precision           int    // parts known: 0 nothing, 1 major, 2 major and minor, 3 all
	Pre                 string // upstream pre-release only: "alpha.1", "beta.0", "rc.1"; a commit instead of a number in development builds
	Vendor              string // everything else after the number: "-eks-3abbec1", "+k3s1", "-gke.100", "-distroless", "+"
	Raw                 string // the string as read
}

var (
	// preRelease takes "-rc.1" but not "-rc1+k3s1": the latter is a vendor's candidate of a build of the release itself.
	preRelease = regexp.MustCompile(`^-((?:alpha|beta|rc)\.\d+)(?:$|[-+._])`)
	// devBuild is the tag of a nightly build, "1.28-alpha.<commit>": no patch, and a commit in place of the number.
	devBuild = regexp.MustCompile(`^-((?:alpha|beta|rc)\.[0-9a-f]+)(?:$|[-+._])`)
)

// Parse reads a version or an image tag and never fails: a string that says nothing (fake, latest, a digest, a bare
// commit, a build without a stamp) gives Precision 0 with Raw kept. Callers must not read "unknown" as "old".
func Parse(s string) Version {
	raw := strings.TrimSpace(s)
	unknown := Version{Raw: raw}
	rest := strings.TrimPrefix(raw, "v")
	v := Version{Raw: raw}
	for i, part := range []*int{&v.Major, &v.Minor, &v.Patch} {
		digits := rest
		if i > 0 {
			var dot bool
			if digits, dot = strings.CutPrefix(rest, "."); !dot {
				break
			}
		}
		n, size := leadingNumber(digits)
		if size == 0 {
			break
		}
		*part, v.Precision, rest = n, i+1, digits[size:]
	}
	if v.Precision == 0 {
		return unknown
	}
	if overlong(rest) || v.Precision == 1 && !cleanEnd(rest) || v.unstamped() {
		return unknown
	}
	v.Pre, v.Vendor = cutPre(rest, v.Precision)
	return v
}

// cutPre cuts a pre-release off what follows the number.
func cutPre(rest string, precision int) (pre, vendor string) {
	if len(rest) < 2 || !strings.ContainsRune("abr", rune(rest[1])) {
		return "", rest
	}
	form := preRelease
	if precision < 3 {
		form = devBuild
	}
	p := form.FindStringSubmatch(rest)
	if p == nil {
		return "", rest
	}
	return p[1], rest[1+len(p[1]):]
}

// maxDigits bounds a number; a longer one is none.
const maxDigits = 9

// leadingNumber reads the number that a string begins with, up to maxDigits of it.
func leadingNumber(s string) (n, size int) {
	for size < len(s) && size < maxDigits && isDigit(s[size]) {
		n = n*10 + int(s[size]-'0')
		size++
	}
	return n, size
}

// overlong notices a number that was cut by the digit limit: its value would be a lie.
func overlong(rest string) bool { return rest != "" && rest[0] >= '0' && rest[0] <= '9' }

// cleanEnd guards the one-part form: "1" and "v1-foo" are versions, the commit "12ab34f" is not.
func cleanEnd(rest string) bool { return rest == "" || rest[0] == '-' || rest[0] == '+' }

// unstamped recognises v0.0.0-master+$Format:%H$, which builds print when nobody stamped a version into them.
func (v Version) unstamped() bool {
	return v.Precision == 3 && v.Major == 0 && v.Minor == 0 && v.Patch == 0
}

// Known reports whether at least the minor version is known.
func (v Version) Known() bool { return v.Precision >= 2 }

// String gives the normalised form without vendor tag: x.y.z, x.y.z-pre, x.y, x, or "unknown".
func (v Version) String() string {
	var s string
	switch v.Precision {
	case 0:
		return "unknown"
	case 1:
		s = strconv.Itoa(v.Major)
	case 2:
		s = fmt.Sprintf("%d.%d", v.Major, v.Minor)
	default:
		s = fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
	}
	if v.Pre != "" {
		s += "-" + v.Pre
	}
	return s
}

// MinorString gives "x.y", or "unknown".
func (v Version) MinorString() string {
	if !v.Known() {
		return "unknown"
	}
	return fmt.Sprintf("%d.%d", v.Major, v.Minor)
}

// IsVirtualKubelet reports whether a node's version string belongs to something that is not a kubelet: a virtual kubelet
// prints the version of its client library before -vk-, and kwok simulates nodes. The number says nothing about what
// such a node can run, although Istio reads it all the same.
func (v Version) IsVirtualKubelet() bool {
	s := strings.ToLower(v.Raw)
	for _, mark := range []string{"-vk-", "virtual-kubelet", "kwok", "fake"} {
		if strings.Contains(s, mark) {
			return true
		}
	}
	return false
}

// NumberedApart says that an image is of OpenShift Service Mesh or of Maistra, which it is made from: their releases have
// numbers of their own.
func NumberedApart(image string) bool {
	return strings.Contains(image, "/openshift-service-mesh/") || strings.Contains(image, "/maistra/")
}

// FromImage reads the version from an image reference: its tag, or nothing for a digest, a missing tag or a tag without
// a number. A port in the registry part is not mistaken for a tag, and the release of a product not for that of Istio in it.
func FromImage(image string) Version {
	_, tag := SplitImage(image)
	if tag == "" || NumberedApart(image) {
		return Version{Raw: strings.TrimSpace(image)}
	}
	v := Parse(tag)
	v.Raw = tag
	return v
}

// SplitImage cuts an image reference into its name, with the registry, and its tag, "" for none. A digest is left out, and
// the port of a registry (host:5000/x) is no tag.
func SplitImage(image string) (name, tag string) {
	name, _, _ = strings.Cut(strings.TrimSpace(image), "@")
	if colon := strings.LastIndexByte(name, ':'); colon > strings.LastIndexByte(name, '/') {
		name, tag = name[:colon], name[colon+1:]
	}
	return name, tag
}
