package version

import "testing"

func FuzzParse(f *testing.F) {
	for _, s := range []string{"v1.33.4-eks-3abbec1", "1.28-alpha.0af", "1.27-distroless", "1.30+", "fake", "sha256:00", "v1", "1.33.4-rc.1+x"} {
		f.Add(s)
	}
	c, err := ParseConstraint(">=1.28.0 <1.28.8 || >=1.29.0-beta.0 <1.29.3")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := Parse(s)
		if v.Precision == 0 {
			if c.Check(v) != Maybe {
				t.Errorf("%q is unknown and still answered", s)
			}
			return
		}
		again := Parse(v.String())
		if again.String() != v.String() || again.Precision != v.Precision {
			t.Errorf("%q reads as %s, which reads as %s", s, v, again)
		}
		if order, sure := v.Compare(again); order != 0 || sure == No {
			t.Errorf("%q differs from itself: %d %v", s, order, sure)
		}
		_ = c.Check(v)
		_ = FromImage(s)
		_, _ = IstioAutoMinor(s)
	})
}

func FuzzConstraint(f *testing.F) {
	f.Add(">=1.28.0 <1.28.8 || >=1.29.0 <1.29.3", "1.28")
	f.Add("*", "fake")
	f.Add(">=1.27.0-beta.0", "1.27-alpha.0af")
	f.Fuzz(func(t *testing.T, constraint, s string) {
		c, err := ParseConstraint(constraint)
		if err != nil {
			return
		}
		whole := c.Check(Parse(s))
		_ = c.Overlapping()
		// A definite answer for a version without patch holds for each patch of it.
		v := Parse(s)
		if v.Precision != 2 || v.Pre != "" || whole == Maybe {
			return
		}
		for patch := range 40 {
			w := Version{Major: v.Major, Minor: v.Minor, Patch: patch, Precision: 3}
			if got := c.Check(w); got != whole {
				t.Errorf("%q: %s is %v but %s is %v", constraint, v, whole, w, got)
			}
		}
	})
}
