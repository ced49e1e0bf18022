package knowledge

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
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

// TestCommentsInOneReading: what is read once from front to back is what each place finds that is looked at alone.
func TestCommentsInOneReading(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var text strings.Builder
		for range random.IntN(60) {
			text.WriteByte("#'\" \nx;|"[random.IntN(8)])
		}
		c := comments{text: text.String(), word: true}
		for at := range text.Len() {
			alone := comments{text: text.String(), word: true}
			if got, want := c.hold(at), alone.hold(at); got != want {
				t.Fatalf("%q at %d: %v, want %v", text.String(), at, got, want)
			}
		}
	}
}

// TestManyCallsInOneText: a text of a stranger's may hold as many calls as fit, none of which counts.
func TestManyCallsInOneText(t *testing.T) {
	for name, text := range map[string]string{
		"comments":       strings.Repeat("#:15020/quitquitquit\n", 50000),
		"one comment":    "# " + strings.Repeat(":15020/quitquitquit ", 50000),
		"elsewhere":      "'#' " + strings.Repeat("http://h:15020/quitquitquit ", 40000),
		"without spaces": "'#'" + strings.Repeat("http://h:15020/quitquitquit", 40000),
	} {
		start := time.Now()
		found := base(t).StopCallsIn(text)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: %s", name, took)
		}
		if name != "without spaces" && len(found) > 0 {
			t.Errorf("%s: %s", name, found[0].ID)
		}
	}
}

// TestMadeWithGet: an endpoint that answers POST alone is not called by a GET; what the text leaves open is not said to be one.
func TestMadeWithGet(t *testing.T) {
	const at = "http://localhost:15020/quitquitquit"
	for text, want := range map[string]bool{
		"curl " + at:                                           true,
		"curl -sf " + at:                                       true,
		"/usr/bin/curl -fsS --retry 3 " + at:                   true,
		"wget -qO- " + at:                                      true,
		"wget -q -O /dev/null '" + at + "'":                    true,
		"curl -X GET " + at:                                    true,
		"curl -I " + at:                                        true,
		"./work; code=$?; curl " + at + "; exit $code":         true,
		"./work && curl -s " + at + " >/dev/null 2>&1 || true": true,
		"trap 'curl -s " + at + "' EXIT":                       true,
		"curl\n-s\n" + at:                                      true,
		"sh\n-c\n./work; curl -s " + at:                        true,
		"curl -X POST " + at:                                   false,
		"curl -XPOST " + at:                                    false,
		"curl -sfXPOST " + at:                                  false,
		"curl -s " + at + " -X POST":                           false,
		"curl -s \\\n -X POST \\\n " + at:                      false,
		"curl " + at + " 2>&1 -X POST":                         false,
		"curl --request POST " + at:                            false,
		"curl --request=POST " + at:                            false,
		"curl -d '' " + at:                                     false,
		"curl -sd x " + at:                                     false,
		"curl --data-binary @/dev/null " + at:                  false,
		"curl -K /etc/quit.conf " + at:                         false,
		"wget --post-data= " + at:                              false,
		"wget -q --post-data '' -O - " + at:                    false,
		"wget --method=POST " + at:                             false,
		"curl $HOW " + at:                                      false,
		"curl \"$@\" " + at:                                    false,
		"curl\n-X\nPOST\n" + at:                                false,
		"http POST " + at:                                      false,
		"requests.post('" + at + "')":                          false,
		at:                                                     false,
		"curl " + at + "\ncurl -X POST " + at:                  false,
		"curl -s x; quit " + at:                                false,
		"pilot-agent request POST quitquitquit":                false,
	} {
		for _, s := range base(t).StopCallsIn(text) {
			if s.Helper != "" && s.ByGet != want {
				t.Errorf("%q (%s): by GET %v, want %v", text, s.ID, s.ByGet, want)
			}
		}
	}
}
