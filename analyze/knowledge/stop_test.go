package knowledge

import (
	"regexp"
	"slices"
	"testing"
)

func TestWordsOf(t *testing.T) {
	for pattern, want := range map[string][]string{
		":15020/quitquitquit":                    {":15020/quitquitquit"},
		`\bscuttle\b|\bISTIO_QUIT_API\b`:         {"scuttle", "ISTIO_QUIT_API"},
		`(pkill|killall)\s+[^;]*(envoy|proxy-x)`: {"pkill", "killall"},
		`(a|.)b?`:                                nil,
		`(?i)quit`:                               nil,
		`KUBEXIT_[A-Z]+`:                         {"KUBEXIT_"},
	} {
		got := wordsOf(pattern)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q", pattern, got)
		}
	}
}

// What the words let through is what the pattern alone finds.
func TestWordsLoseNothing(t *testing.T) {
	lines := []string{"curl -XPOST 127.0.0.1:15020/quitquitquit", "pilot-agent request POST quitquitquit", "pkill -f envoy", "killall -9 pilot-agent",
		"/scuttle /app", "ISTIO_QUIT_API", "KUBEXIT_NAME", "linkerd-await --shutdown -- app", "curl localhost:4191/shutdown", "sleep 5",
		"wget -qO- --post-data= http://localhost:9091/quitquitquit", "", "curl -X POST localhost:3500/v1.0/shutdown"}
	for _, s := range base(t).StopCalls() {
		re := regexp.MustCompile(s.Pattern)
		for _, line := range lines {
			if got, want := s.Matches(line), re.MatchString(line); got != want {
				t.Errorf("%s in %q: got %v, want %v", s.ID, line, got, want)
			}
		}
	}
}
