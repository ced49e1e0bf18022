package version

import "testing"

func TestConstraintCheck(t *testing.T) {
	const patched = ">=1.28.0 <1.28.8 || >=1.29.0 <1.29.3"
	for _, tc := range []struct {
		constraint, v string
		want          Answer
	}{
		{">=1.29.0", "v1.33.4-eks-113cf36", Yes},
		{">=1.29.0", "v1.29.0-eks-5e0fdde", Yes},
		{">=1.29.0", "v1.29.0-rc.1", No},
		{">=1.29.0", "v1.33.5+k3s1", Yes},
		{">=1.29.0", "v1.19.10-vk-azure-aci-v1.4.1", No},
		{">=1.29.0", "kwok-v0.7.0", Maybe},
		{">=1.29.0", "fake", Maybe},
		{">=1.29.0", "1.33", Yes},
		{">=1.29.0", "1.29", Yes},
		{">=1.29.0", "1.28", No},
		{"<1.29.0", "1.29.0-rc.1", Yes},
		{patched, "1.28.7", Yes},
		{patched, "1.28.8", No},
		{patched, "1.28.8-rc.0", Yes},
		{patched, "1.29.3-gke.1", No},
		{patched, "1.28", Maybe},
		{patched, "1.30", No},
		{patched, "1.27-distroless", No},
		{patched, "v1", Maybe},
		{patched, "v2", No},
		{">=1.29.0 <1.30.0", "1.29", Yes},
		{">=1.29.3 <1.29.4", "1.29", Maybe},
		{"!=1.29.7", "1.29", Maybe},
		{"=1.29.7", "1.29.7", Yes},
		{">=1.27.0", "1.27-alpha.0af", No},
		{">=1.26.0", "1.27-alpha.0af", Yes},
		{">=1.27.0-beta.0", "1.27-alpha.0af", Maybe},
		{">=1.27.0-beta.0", "1.27.0-alpha.3", No},
		{">=1.27.0-beta.0", "1.27.0-rc.0", Yes},
		{">=1.27.0-beta.0", "1.27", Yes},
		{"*", "fake", Yes},
		{"*", "1.2.3", Yes},
	} {
		c, err := ParseConstraint(tc.constraint)
		if err != nil {
			t.Fatalf("ParseConstraint(%q): %v", tc.constraint, err)
		}
		if got := c.Check(Parse(tc.v)); got != tc.want {
			t.Errorf("%q on %s: %v, want %v", tc.constraint, tc.v, got, tc.want)
		}
	}
}

func TestParseConstraintRejects(t *testing.T) {
	for _, s := range []string{"", "   ", "||", ">=1.29", ">=1.29.0 ||", "^1.2.3", "~1.2.3", "1.29.0", ">=1.29.0, <1.30.0", ">=1.x.0", ">= 1.29.0", "1.30"} {
		if c, err := ParseConstraint(s); err == nil {
			t.Errorf("ParseConstraint(%q) accepted as %q", s, c)
		}
	}
}

func TestOverlapping(t *testing.T) {
	for s, want := range map[string]bool{
		">=1.28.0 <1.28.8 || >=1.29.0 <1.29.3": false,
		">=1.28.0 <1.29.8 || >=1.29.0 <1.29.3": true,
		">=1.28.0 || >=1.29.0 <1.29.3":         true,
		"<1.28.0 || >=1.28.0":                  false,
		"<=1.28.0 || >=1.28.0":                 true,
		"*":                                    false,
	} {
		c, err := ParseConstraint(s)
		if err != nil {
			t.Fatal(err)
		}
		if c.Overlapping() != want {
			t.Errorf("%q overlapping: %v, want %v", s, !want, want)
		}
	}
}

func TestZeroConstraint(t *testing.T) {
	if got := (Constraint{}).Check(Parse("1.29.0")); got != Maybe {
		t.Errorf("a constraint that was never read answers %v", got)
	}
}
