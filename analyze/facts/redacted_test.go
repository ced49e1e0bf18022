package facts

import "testing"

func TestRedacted(t *testing.T) {
	for _, v := range []string{"***HIDDEN***", "********", "REDACTED", "<redacted>", "<redacted 12 bytes>", "[REDACTED]", "xxxxxx", "***", "<hidden>", "-- REMOVED --"} {
		if !Redacted(v) {
			t.Errorf("%q was taken for a value", v)
		}
	}
	for _, v := range []string{"", "true", "false", "auto", "x", "1", "no", "off", "-", "enabled", "yes"} {
		if Redacted(v) {
			t.Errorf("%q was taken for a mark of redaction", v)
		}
	}
}
