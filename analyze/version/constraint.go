package version

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// Constraint is a set of version ranges: ">=1.28.0 <1.28.8 || >=1.29.0 <1.29.3". Only explicit comparisons with
// three-part versions are accepted, because "1.30" and "1.3" look alike after one unquoted trip through YAML; "*" takes
// every version. The zero value answers Maybe to everything.
type Constraint struct {
	raw          string
	all          bool
	alternatives []*semver.Constraints
	bounds       []Version
}

var (
	comparison = regexp.MustCompile(`^(?:>=|<=|>|<|=|!=)\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?$`)
	anyVersion = "*"
)

// far stands for "some later patch or minor release than any that is named".
const far = 1 << 20

// ParseConstraint reads a constraint, or says what it cannot read.
func ParseConstraint(s string) (Constraint, error) {
	c := Constraint{raw: strings.TrimSpace(s)}
	if c.raw == anyVersion {
		c.all = true
		return c, nil
	}
	for _, alternative := range strings.Split(c.raw, "||") {
		terms := strings.Fields(alternative)
		if len(terms) == 0 {
			return Constraint{}, fmt.Errorf("reading constraint %q: empty range", s)
		}
		for _, t := range terms {
			if !comparison.MatchString(t) {
				return Constraint{}, fmt.Errorf("reading constraint %q: %q is not a comparison with a three-part version", s, t)
			}
			c.bounds = append(c.bounds, Parse(strings.TrimLeft(t, "<>=!")))
		}
		parsed, err := semver.NewConstraint(strings.Join(terms, " "))
		if err != nil {
			return Constraint{}, fmt.Errorf("reading constraint %q: %w", s, err)
		}
		// A release candidate of the fixing release is below it and still in the range.
		parsed.IncludePrerelease = true
		c.alternatives = append(c.alternatives, parsed)
	}
	return c, nil
}

// String gives the constraint as it was written.
func (c Constraint) String() string { return c.raw }

// Check answers whether v lies in the ranges. A version whose missing parts could decide it, and an unknown one, give
// Maybe: 1.29 in ">=1.29.0 <1.29.3" is Maybe, in ">=1.29.0" Yes, in "<1.28.0" No.
func (c Constraint) Check(v Version) Answer {
	if c.all {
		return Yes
	}
	if v.Precision == 0 || len(c.alternatives) == 0 {
		return Maybe
	}
	in, out := false, false
	for _, w := range c.candidates(v) {
		if c.accepts(w) > 0 {
			in = true
		} else {
			out = true
		}
	}
	switch {
	case in && out:
		return Maybe
	case in:
		return Yes
	default:
		return No
	}
}

// Overlapping reports whether two alternatives accept a common version: in a list of bug ranges that is a mistake.
func (c Constraint) Overlapping() bool {
	for _, b := range c.bounds {
		for _, w := range around(b) {
			if c.accepts(w) > 1 {
				return true
			}
		}
	}
	return false
}

// accepts counts the alternatives that take an exact version.
func (c Constraint) accepts(v Version) int {
	n := 0
	for _, a := range c.alternatives {
		if a.Check(v.exact()) {
			n++
		}
	}
	return n
}

// candidates lists exact versions that v may stand for, enough of them that a range which splits what v stands for is
// noticed: the ends, and the neighbourhood of every bound inside.
func (c Constraint) candidates(v Version) []Version {
	if v.Precision == 3 {
		return []Version{v}
	}
	first := Version{Major: v.Major, Minor: v.Minor, Precision: 3}
	last := Version{Major: v.Major, Minor: v.Minor, Patch: far, Precision: 3}
	if v.Precision == 1 {
		first.Minor, last.Minor = 0, far
	}
	if v.Pre != "" {
		// Everything that such a build can be lies between the first alpha and the last candidate.
		first.Pre, last.Patch, last.Pre = "alpha.0", 0, fmt.Sprintf("rc.%d", far)
	}
	list := []Version{first, last}
	for _, b := range c.bounds {
		for _, w := range around(b) {
			low, _ := first.Compare(w)
			high, _ := last.Compare(w)
			if low <= 0 && high >= 0 && (w.Pre == "" || v.Pre != "") {
				list = append(list, w)
			}
		}
	}
	return list
}

// around gives a bound and its neighbours.
func around(b Version) []Version {
	list := []Version{b, {Major: b.Major, Minor: b.Minor, Patch: b.Patch + 1, Precision: 3}}
	if b.Patch > 0 {
		list = append(list, Version{Major: b.Major, Minor: b.Minor, Patch: b.Patch - 1, Precision: 3})
	}
	return list
}
