package kube

import "testing"

// TestNoTimes: what stands where no time was known.
func TestNoTimes(t *testing.T) {
	for _, s := range []string{"1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "Thu, 01 Jan 1970 01:00:00 +0100", "Mon, 01 Jan 0001 00:00:00 +0000"} {
		if got := ParseTime(s); !got.IsZero() || got.String() != s {
			t.Errorf("%s: %v", s, got)
		}
	}
}
