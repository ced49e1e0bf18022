package columns

import (
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
		if got := Wrap(c.in, c.width); !slices.Equal(got, c.want) {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

// TestWrapLosesNothing: joined again, the lines are the text.
func TestWrapLosesNothing(t *testing.T) {
	text := "The app container 报表任务 ended with exit code 0, 只有普通边车 istio-proxy still ran (e\u0301 🚀)."
	for width := 1; width < 60; width++ {
		got := strings.ReplaceAll(strings.Join(Wrap(text, width), ""), " ", "")
		if got != strings.ReplaceAll(text, " ", "") {
			t.Fatalf("width %d: %q", width, got)
		}
	}
}
