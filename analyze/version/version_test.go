package version

import "testing"

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		in, want  string
		precision int
		pre       string
		vendor    string
	}{
		{"v1.33.2", "1.33.2", 3, "", ""},
		{"1.33.2", "1.33.2", 3, "", ""},
		{" v1.33.2\n", "1.33.2", 3, "", ""},
		{"v1.30.0-eks-036c24b", "1.30.0", 3, "", "-eks-036c24b"},
		{"v1.31.4-eks-2d5f260", "1.31.4", 3, "", "-eks-2d5f260"},
		{"v1.33.5-gke.1080000", "1.33.5", 3, "", "-gke.1080000"},
		{"v1.33.3+k3s1", "1.33.3", 3, "", "+k3s1"},
		{"v1.33.3+rke2r1", "1.33.3", 3, "", "+rke2r1"},
		{"v1.33.3+k0s", "1.33.3", 3, "", "+k0s"},
		{"v1.27.8+4fab27b", "1.27.8", 3, "", "+4fab27b"},
		{"v1.30.1-rc1+k3s1", "1.30.1", 3, "", "-rc1+k3s1"},
		{"v1.29.0-rc.1", "1.29.0-rc.1", 3, "rc.1", ""},
		{"v1.33.0-beta.0.123+abc", "1.33.0-beta.0", 3, "beta.0", ".123+abc"},
		{"v1.33.0-alpha.1", "1.33.0-alpha.1", 3, "alpha.1", ""},
		{"v1.19.10-vk-azure-aci-v1.4.1", "1.19.10", 3, "", "-vk-azure-aci-v1.4.1"},
		{"1.27.1-distroless", "1.27.1", 3, "", "-distroless"},
		{"1.27-distroless", "1.27", 2, "", "-distroless"},
		{"1.31.0-rc.0-distroless", "1.31.0-rc.0", 3, "rc.0", "-distroless"},
		{"1.20.3-asm.4", "1.20.3", 3, "", "-asm.4"},
		{"1.24.3-solo-fips", "1.24.3", 3, "", "-solo-fips"},
		{"1.22.6-tetratefips-v0", "1.22.6", 3, "", "-tetratefips-v0"},
		{"1.28-alpha.6b3c21f0d1", "1.28-alpha.6b3c21f0d1", 2, "alpha.6b3c21f0d1", ""},
		{"1.28-alphabet", "1.28", 2, "", "-alphabet"},
		{"1.30+", "1.30", 2, "", "+"},
		{"v1.33", "1.33", 2, "", ""},
		{"1.33.x", "1.33", 2, "", ".x"},
		{"1.33.4.5", "1.33.4", 3, "", ".5"},
		{"v1", "1", 1, "", ""},
		{"", "unknown", 0, "", ""},
		{"latest", "unknown", 0, "", ""},
		{"fake", "unknown", 0, "", ""},
		{"fake-v1.33.0", "unknown", 0, "", ""},
		{"kwok-v0.7.0", "unknown", 0, "", ""},
		{"fargate", "unknown", 0, "", ""},
		{"v-unknown", "unknown", 0, "", ""},
		{"V1.33.0", "unknown", 0, "", ""},
		{"sha256:0123456789abcdef", "unknown", 0, "", ""},
		{"12ab34f", "unknown", 0, "", ""},
		{"v0.0.0-master+$Format:%H$", "unknown", 0, "", ""},
		{"1.99999999999999999999.0", "unknown", 0, "", ""},
		{"1.33.99999999999999999999", "unknown", 0, "", ""},
	} {
		v := Parse(tc.in)
		if v.String() != tc.want || v.Precision != tc.precision || v.Pre != tc.pre || v.Vendor != tc.vendor {
			t.Errorf("Parse(%q) = %q precision %d pre %q vendor %q, want %q %d %q %q",
				tc.in, v, v.Precision, v.Pre, v.Vendor, tc.want, tc.precision, tc.pre, tc.vendor)
		}
	}
}

func TestIsVirtualKubelet(t *testing.T) {
	for in, want := range map[string]bool{
		"v1.19.10-vk-azure-aci-v1.4.1": true,
		"v1.14.3-vk-v1.0.3":            true,
		"v1.33.5-kwok-v0.7.0":          true,
		"kwok-v0.8.0":                  true,
		"fake":                         true,
		"v1.33.3+k3s1":                 false,
		"v1.31.4-eks-2d5f260":          false,
		"":                             false,
	} {
		if got := Parse(in).IsVirtualKubelet(); got != want {
			t.Errorf("Parse(%q).IsVirtualKubelet() = %v, want %v", in, got, want)
		}
	}
}

func TestFromImage(t *testing.T) {
	for in, want := range map[string]string{
		"docker.io/istio/proxyv2:1.27.1":                              "1.27.1",
		"docker.io/istio/proxyv2:1.27.1-distroless":                   "1.27.1",
		"gcr.io/gke-release/asm/proxyv2:1.20.3-asm.4-distroless":      "1.20.3",
		"mirror.example.com:5000/istio/pilot:1.30.3":                  "1.30.3",
		"mirror.example.com:5000/istio/pilot":                         "unknown",
		"mirror.example.com:5000/istio/pilot@sha256:0123456789ab":     "unknown",
		"istio/pilot:1.26.8@sha256:0123456789ab":                      "1.26.8",
		"istio/pilot:latest":                                          "unknown",
		"quay.io/maistra/pilot-ubi8:2.4.5":                            "unknown",
		"registry.redhat.io/openshift-service-mesh/pilot-rhel8:2.6.1": "unknown",
		"auto": "unknown",
		"":     "unknown",
	} {
		if got := FromImage(in).String(); got != want {
			t.Errorf("FromImage(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		c    int
		sure Answer
	}{
		{"1.29.3", "1.29.3", 0, Yes},
		{"1.29.3-eks-1", "1.29.3+k3s1", 0, Yes},
		{"1.29.2", "1.29.10", -1, Yes},
		{"1.9.0", "1.29.0", -1, Yes},
		{"1.29.0-rc.1", "1.29.0", -1, Yes},
		{"1.29.0-alpha.2", "1.29.0-alpha.10", -1, Yes},
		{"1.28", "1.29.3", -1, Yes},
		{"1.29", "1.29.3", 0, Maybe},
		{"1.29", "1.29", 0, Maybe},
		{"1.28-alpha.0af", "1.28.3", -1, Yes},
		{"1.28-alpha.0af", "1.28.0-beta.1", 0, Maybe},
		{"1", "2.0.0", -1, Yes},
		{"1", "1.2.3", 0, Maybe},
		{"fake", "1.2.3", 0, Maybe},
	} {
		c, sure := Parse(tc.a).Compare(Parse(tc.b))
		if c != tc.c || sure != tc.sure {
			t.Errorf("%s against %s: %d %v, want %d %v", tc.a, tc.b, c, sure, tc.c, tc.sure)
		}
		back, sureBack := Parse(tc.b).Compare(Parse(tc.a))
		if back != -tc.c || sureBack != tc.sure {
			t.Errorf("%s against %s is not the reverse", tc.b, tc.a)
		}
	}
}

func TestNewerMinor(t *testing.T) {
	for _, tc := range []struct {
		v, w string
		want bool
	}{
		{"v1.33.1", "v1.32.13", true}, {"v2.0.0", "v1.32.13", true}, {"v1.33.1-gke.5", "v1.32.9-gke.1", true}, {"v1.32.14", "v1.32.13", false},
		{"v1.31.9", "v1.32.0", false}, {"", "v1.32.0", false}, {"v1.33.1", "1", false},
	} {
		if got := Parse(tc.v).NewerMinor(Parse(tc.w)); got != tc.want {
			t.Errorf("%s newer than %s: %v, want %v", tc.v, tc.w, got, tc.want)
		}
	}
}

func TestAtLeast(t *testing.T) {
	for _, tc := range []struct {
		v, w string
		want Answer
	}{
		{"1.29", "1.29.0", Yes},
		{"1.29", "1.29.1", Maybe},
		{"1.29", "1.30.0", No},
		{"1.29.0-rc.1", "1.29.0", No},
		{"1.27", "1.27.0-beta.0", Yes},
		{"1.27-alpha.0af", "1.27.0-beta.0", Maybe},
		{"1.27-alpha.0af", "1.27.0", No},
		{"1", "1.0.0", Yes},
		{"1", "1.28.0", Maybe},
		{"unknown", "1.28.0", Maybe},
	} {
		if got := Parse(tc.v).AtLeast(Parse(tc.w)); got != tc.want {
			t.Errorf("%s at least %s: %v, want %v", tc.v, tc.w, got, tc.want)
		}
	}
}

func TestAnswerLogic(t *testing.T) {
	all := []Answer{No, Maybe, Yes}
	for _, a := range all {
		for _, b := range all {
			if got, want := a.And(b).Not(), a.Not().Or(b.Not()); got != want {
				t.Errorf("not(%v and %v) = %v, want %v", a, b, got, want)
			}
		}
		if a.And(No) != No || a.Or(Yes) != Yes || a.And(Yes) != a || a.Or(No) != a {
			t.Errorf("%v breaks the units of and/or", a)
		}
	}
	if AnswerOf(true) != Yes || AnswerOf(false) != No || Maybe.String() != "maybe" || Yes.String() != "yes" || No.String() != "no" {
		t.Error("answers misread")
	}
}

func TestSplitImage(t *testing.T) {
	for image, want := range map[string][2]string{
		"":                               {"", ""},
		"x":                              {"x", ""},
		"x:1.2":                          {"x", "1.2"},
		"host:5000/x":                    {"host:5000/x", ""},
		"host:5000/x:1.2":                {"host:5000/x", "1.2"},
		"host:5000/x@sha256:0123":        {"host:5000/x", ""},
		" docker.io/a/b:1.2@sha256:0123": {"docker.io/a/b", "1.2"},
		"sha256:0123":                    {"sha256", "0123"},
	} {
		if name, tag := SplitImage(image); name != want[0] || tag != want[1] {
			t.Errorf("%q: %q and %q, want %q", image, name, tag, want)
		}
	}
}
