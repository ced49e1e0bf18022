package version

import (
	"cmp"

	"github.com/Masterminds/semver/v3"
)

// Compare orders two versions by number and pre-release, never by vendor tag. The Answer is Yes when the order is
// certain and Maybe when a missing part could change it (the int is then 0): 1.29 against 1.29.3.
func (v Version) Compare(w Version) (int, Answer) {
	common := min(v.Precision, w.Precision)
	for i := range common {
		if c := cmp.Compare(v.part(i), w.part(i)); c != 0 {
			return c, Yes
		}
	}
	if common == 3 {
		return v.exact().Compare(w.exact()), Yes
	}
	// A development build without patch number still comes before every release of its minor.
	if common == 2 && (v.Pre == "") != (w.Pre == "") {
		if v.Pre != "" {
			return -1, Yes
		}
		return 1, Yes
	}
	return 0, Maybe
}

// SameMinor reports whether both are known to be of one minor release.
func (v Version) SameMinor(w Version) Answer {
	if !v.Known() || !w.Known() {
		return Maybe
	}
	return AnswerOf(v.Major == w.Major && v.Minor == w.Minor)
}

// NewerMinor says that v is known to be of a later minor release than w.
func (v Version) NewerMinor(w Version) bool {
	return v.Known() && w.Known() && (v.Major > w.Major || v.Major == w.Major && v.Minor > w.Minor)
}

// AtLeast answers whether v is w or newer.
func (v Version) AtLeast(w Version) Answer {
	c, sure := v.Compare(w)
	if sure == Yes {
		return AnswerOf(c >= 0)
	}
	// Equal as far as both are known: only a bound at the very start of the known part is certain.
	if v.Precision > 0 && v.Pre == "" && w.Precision == 3 && w.startsAt(v.Precision) {
		return Yes
	}
	return Maybe
}

// startsAt reports whether everything after the first n parts is zero: then every release that shares those parts is at
// or above the version.
func (v Version) startsAt(n int) bool {
	for i := n; i < 3; i++ {
		if v.part(i) != 0 {
			return false
		}
	}
	return true
}

func (v Version) part(i int) int { return [3]int{v.Major, v.Minor, v.Patch}[i] }

func (v Version) exact() *semver.Version {
	return semver.New(uint64(v.Major), uint64(v.Minor), uint64(v.Patch), v.Pre, "")
}
