package render

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"report-task":           "report-task",
		"\x1b[31mred\x1b[0m":    `\x1b[31mred\x1b[0m`,
		"\u009b31m":             `\x9b31m`,
		"bell\a back\b":         `bell\x07 back\x08`,
		"one\r\ntwo\tthree":     `one\r\ntwo\tthree`,
		"\u202egnp.exe":         `\u202egnp.exe`,
		"\u2066isolate\u2069":   `\u2066isolate\u2069`,
		"zero\u200bwidth\ufeff": `zero\u200bwidth\ufeff`,
		"soft\u00adhyphen":      `soft\xadhyphen`,
		"tag\U000e0041":         `tag\U000e0041`,
		"filler\u3164 vs\ufe0f": `filler\u3164 vs\ufe0f`,
		"bad\xff\xc0utf8":       `bad\xff\xc0utf8`,
		"line\u2028para\u2029":  `line\u2028para\u2029`,
		"private\ue000":         `private\ue000`,
		"每日结算 ノード é e\u0301 עברית 🚀": "每日结算 ノード é e\u0301 עברית 🚀",
		`C:\x1b`: `C:\x1b`,
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

// Each byte is looked at wherever it stands.
func TestPlain(t *testing.T) {
	for c := range 256 {
		want := c >= ' ' && c <= '~'
		for n := range 20 {
			for at := range n + 1 {
				s := strings.Repeat("~", at) + string([]byte{byte(c)}) + strings.Repeat(" ", n-at)
				if plain(s) != want {
					t.Fatalf("plain(%q) = %t", s, !want)
				}
			}
		}
	}
}

func TestLinesKeepsLineBreaksOnly(t *testing.T) {
	if got, want := Lines("a:\r\n\tb: \x1b[1m\rc"), "a:\n    b: \\x1b[1m\\rc"; got != want {
		t.Errorf("lines gave %q, want %q", got, want)
	}
}

// FuzzText checks that no input gets through with anything but visible characters and spaces.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a\x1b]0;t\a", "\xff\xfe", "\u202e", "\U000e0100", "日本"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if !utf8.ValidString(got) {
			t.Fatalf("Text(%q) is not UTF-8", s)
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) }); i >= 0 {
			t.Fatalf("Text(%q) = %q holds an invisible character at %d", s, got, i)
		}
		if Text(got) != got {
			t.Fatalf("Text(%q) is not stable", s)
		}
	})
}

// TestNextPodOfWorkloads: the header does not call unknown what the workloads below it tell.
func TestNextPodOfWorkloads(t *testing.T) {
	c, err := newCatalogue("en")
	if err != nil {
		t.Fatal(err)
	}
	r := &analyze.Report{Cluster: analyze.Cluster{NextPod: analyze.NextPod{Placement: "unknown", Because: []string{"no control plane"}}}}
	if got := nextPodText(c, r); got != "where an Istio proxy would go is not known: no control plane" {
		t.Error(got)
	}
	r.Workloads = []analyze.Workload{{NextPod: analyze.NextPod{Placement: "ordinary"}}, {NextPod: analyze.NextPod{Placement: "unknown"}}}
	if got := nextPodText(c, r); got != "where an Istio proxy would go is not known: no control plane; for the workloads below their own pods or templates tell: ordinary" {
		t.Error(got)
	}
}
