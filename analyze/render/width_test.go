package render

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  []string
	}{
		{"one two three", 0, []string{"one two three"}},
		{"one two three", 8, []string{"one two", "three"}},
		{"a-name-too-long-to-fit yes", 8, []string{"a-name-too-long-to-fit", "yes"}},
		{"容器以退出码结束，而边车还在运行", 10, []string{"容器以退出", "码结束，而", "边车还在运", "行"}},
		{"容器以退出，码", 10, []string{"容器以退", "出，码"}},
		{"边车 istio-proxy 还在", 16, []string{"边车 istio-proxy", "还在"}},
		{"", 5, []string{""}},
	} {
		if got := wrap(c.in, c.width); !slices.Equal(got, c.want) {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

// TestWrapLosesNothing: joined again, the lines are the text.
func TestWrapLosesNothing(t *testing.T) {
	text := "The app container 报表任务 ended with exit code 0, 只有普通边车 istio-proxy still ran (e\u0301 🚀)."
	for width := 1; width < 60; width++ {
		got := strings.ReplaceAll(strings.Join(wrap(text, width), ""), " ", "")
		if got != strings.ReplaceAll(text, " ", "") {
			t.Fatalf("width %d: %q", width, got)
		}
	}
}

// TestColumnsAlignWideCharacters measures in columns where the second field of each row starts.
func TestColumnsAlignWideCharacters(t *testing.T) {
	var buf bytes.Buffer
	p := page{buf: &buf, color: true}
	p.columns([]string{"POD", "STATUS"}, [][]cell{
		cells("report", "Running"),
		cells("每日结算", "Running"),
		{{"ノード", red}, {"Running", plainText}},
		cells("e\u0301te\u0301", "Running"),
	})
	out := strings.NewReplacer("\x1b[1m", "", "\x1b[1;31m", "", "\x1b[0m", "").Replace(buf.String())
	for _, l := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
		before, _, _ := strings.Cut(l, "Running")
		if textWidth(before) != 10 {
			t.Errorf("%q: the second column starts at %d, want 10", l, textWidth(before))
		}
	}
}
