package version

import "testing"

// The strings and readings are those measured with hashicorp/go-version 1.7.0 and 1.9.0.
func TestIstioAutoMinor(t *testing.T) {
	readable := map[string]int{
		"v1.33.0": 33, "1.33": 33, "v1.33": 33,
		"v1.33.4-eks-3025e55": 33, "v1.33.4-eks-abc": 33,
		"v1.33.5-gke.100": 33, "v1.33.5-gke.1080000": 33,
		"v1.33.6+k3s1": 33, "v1.33.6+rke2r1": 33, "v1.33.6+k0s": 33, "v1.33.6+vmware.1-fips": 33,
		"v1.33.4-0+e5f6abc": 33, "v1.33.2-tke.4": 33, "v1.34.1-aliyun.1": 34, "v1.33.1-r0-33.0.2.1": 33, "v1.33.4+IKS": 33,
		"v1.33.0-rc.1": 33, "v1.33.0-beta.0.123+abc": 33, "v1.33.0-alpha.1": 33,
		"v1.32.9-eks-113cf36":        32,
		"v1.30.2-vk-azure-aci-1.6.1": 30, "v1.19.10-vk-azure-aci-1.4.1": 19, "v1.14.3-vk-v1.0.3": 14,
		"v1.33.4-vk-azure-aci-1.6.2": 33, "v1.33.5-kwok-v0.7.0": 33,
		"v1": 0, "v2.0": 0, "v2.34.1": 34,
		"1.33-": 33, "1.33.1~1": 33, "1.33foo": 33,
	}
	for s, want := range readable {
		if minor, ok := IstioAutoMinor(s); !ok || minor != want {
			t.Errorf("IstioAutoMinor(%q) = %d %v, want %d", s, minor, ok, want)
		}
	}
	for _, s := range []string{
		"", "fargate", "fake", "v-unknown", "kwok-v0.7.0", "v1.33.x", "1.33+", "V1.33.0", "v0.0.0-master+$Format:%H$",
		"v1.33.4_k3s", "v1.33.4-eks_1", "v1.33.", ".1.33", "v", "vv1.33", "1.33.4+a+b", "1.33.4-a..b", "1.99999999999999999999",
		" v1.33.0", "v1.33.0 ",
	} {
		if minor, ok := IstioAutoMinor(s); ok {
			t.Errorf("IstioAutoMinor(%q) = %d, want unreadable", s, minor)
		}
	}
}
