package kube

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// odd are strings that writers of YAML treat in every way they have.
var odd = []string{
	"yes", "no", "null", "~", "", "0x1F", "1e3", "12345", "1_000", "111e_-11", "0_x1F", "-_0b1", "0_o17", "1_._5", "--log_level=1", "1_a", "3.14", "true", "2024-01-02", "12:30:45", "0o17", "08", "0b1c", "275835ee68",
	"2021-03-29T08:38:20Z", ".inf", "-.nan", ".", "..", "1.2.3", "+1", "-1", "-", "--", "---", "...", "=", "<<", "<", ":", "::", ": x", "x :", "x #", "x# y", ",",
	" leading space", "trailing space ", "tab\there", "colon: inside", "hash # inside", "#starts-with-hash", "- dash", "? question",
	"'single'", "\"double\"", "both ' and \"", "back\\slash", "{not: flow}", "[not, flow]", "*star", "&amp", "!bang", "%percent", "@at", "`tick`",
	"|pipe", ">gt", "ends with colon:", "a:b:c", "http://x.y/z?a=b&c=d#frag", "ünïcødé ☃ 日本語", "🚀", "nbsp\u00a0x", "ctrl \x01 and \x1b[0m",
	"zero width \u200b", "bom \ufeff x", "next line \u0085 x", "ls \u2028 x", "line one\nline two", "line one\nline two\n", "\nleading newline",
	"trailing newlines\n\n\n", "  indented first\nsecond", "\ttab first\nsecond", "windows\r\nline", "lone cr\rx", "trailing sp \nnext", "multi\n\n\npara",
	"- a\n- b\n", "key: value\nother: thing\n", "# comment\nreal: 1\n", "---\ndoc\n", "--- not doc", "%YAML 1.1", "a, b",
	"the quick brown fox jumps over the lazy dog and keeps running through the forest until it reaches the river bank at dusk",
	"it's a long sentence with an apostrophe: a colon too, so that the emitter has to single-quote it and then fold it at eighty columns or so",
	"double quoted long \t text with a tab and é so that the emitter must use double quotes and fold over several lines because of its length, \\ really",
	"a long line with  double  spaces   inside which must not be folded at the double spaces but can be folded at single ones, see the emitter",
	"long: " + strings.Repeat("x", 200) + " " + strings.Repeat("y", 100), strings.Repeat("no-spaces-at-all-", 12),
	"a long sentence that ends in a word which would fold next to a hash # sign somewhere around the eightieth column of the line # here",
	"a long sentence in which the folded part happens to contain name: value pairs and - dashes - at the start of a continuation line maybe",
}

// oddPod is a pod whose texts are odd ones, as kubectl prints it.
func oddPod(pick func() string) string {
	pod := map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "p", "namespace": pick(), "labels": map[string]any{"a": pick(), "b": pick()},
			"annotations": map[string]any{"x": pick(), "y.z/w": pick()}, "managedFields": []any{map[string]any{`k:{"type":"x"}`: map[string]any{".": map[string]any{}}, "time": pick()}}},
		"spec": map[string]any{"nodeName": pick(), "dnsPolicy": pick(), "containers": []any{map[string]any{
			"name": "c", "command": []any{pick(), pick()}, "args": []any{pick()}, "envFrom": []any{map[string]any{"prefix": pick(), "configMapRef": map[string]any{"name": pick()}}},
			"env": []any{
				map[string]any{"name": "E", "value": pick()}, map[string]any{"name": "F", "valueFrom": map[string]any{"fieldRef": map[string]any{"fieldPath": pick()}}}},
			"resources": map[string]any{"limits": map[string]any{"cpu": pick()}}, "livenessProbe": map[string]any{"exec": map[string]any{"command": []any{pick()}}, "periodSeconds": 3}}}},
		"status": map[string]any{"message": pick(), "phase": pick(), "startTime": pick(), "conditions": []any{map[string]any{"type": pick(), "lastProbeTime": nil}}},
	}
	b, _ := yaml.Marshal(pod)
	return string(b)
}

// What the library takes for a number is no sure text: it leaves underscores out first, and reads a sign after 0b.
func TestOddNumbersAreNoText(t *testing.T) {
	parts := []string{"_", "_", "0", "1", "7", "9", "x", "X", "b", "o", "e", "E", "+", "-", ".", ":", "f"}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		text := []string{"0", "1", "+", "-", "."}[rng.IntN(5)]
		for range 1 + rng.IntN(6) {
			text += parts[rng.IntN(len(parts))]
		}
		var v map[string]any
		if !sureText([]byte(text)) || yaml.Unmarshal([]byte("k: "+text), &v) != nil {
			continue
		}
		if got := v["k"]; got != text {
			t.Errorf("%s is taken for text, the library gives %T %v", text, got, got)
		}
	}
}

// Texts of every kind in every place, in the writer's own hand.
func TestOddTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	accepted, total := 0, 0
	for range 300 {
		raw := oddPod(func() string { return odd[rng.IntN(len(odd))] })
		total++
		ok, diff := compare([]byte(raw))
		if ok {
			accepted++
		}
		if diff != "" {
			t.Fatalf("%s\n%s", raw, diff)
		}
	}
	for _, s := range odd {
		raw := oddPod(func() string { return s })
		ok, diff := compare([]byte(raw))
		if diff != "" {
			t.Fatalf("%s\n%s", raw, diff)
		}
		if !ok {
			t.Logf("goes to the library: %q", s)
		}
	}
	t.Logf("%d of %d odd pods on the fast path", accepted, total)
}

// hostile are pieces that are put into otherwise good text.
var hostile = []string{"---", "...", "%YAML 1.1", "# c", "&a", "*a", "!!str", "? k", ": v", "- ", "-", "  - x", "{}", "[]", "{a: b}", "[a]", "|", ">", "|2", "|+", "\"", "'", "\"a",
	"'a''b'", "\"a\\", "key:", "key: ", "key:  v", "<<: x", "~: x", "Kind: Job", "KIND: x", "phase: x", "Phase: x", "status:", "metadata: null", "null", ".inf", ".nan: 1", "true: 1", "\t", " ",
	"a: b: c", "a #b", "a: #b", "x: 'y' z", "x: \"y\" z", "x: |\n  y\n z: 1", "items:", "name: 1.30", "ready: yes", "restartCount: 08", "restartCount: 1e3", "exitCode: null", "\u0085", "\u2028", "\ufeff"}

// Lines of good text are shifted, deleted, doubled, swapped, joined, and made hostile.
func TestMutatedText(t *testing.T) {
	b, err := os.ReadFile("../../fixtures/bundles/ordinary-sidecar-holding-job/pods.yaml")
	if err != nil {
		t.Fatal(err)
	}
	pod := yamlObjects(string(b))[0]
	rng := rand.New(rand.NewPCG(3, 4))
	rounds := 2000
	if testing.Short() {
		rounds = 200
	}
	accepted := 0
	for range rounds {
		raw := mutate(rng, pod)
		ok, diff := compare([]byte(raw))
		if diff != "" {
			t.Fatalf("%s\n%s", raw, diff)
		}
		if ok {
			accepted++
		}
	}
	t.Logf("%d of %d mutated pods on the fast path", accepted, rounds)
}

func mutate(rng *rand.Rand, text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for range 1 + rng.IntN(2) {
		i := rng.IntN(len(lines))
		switch rng.IntN(9) {
		case 0:
			lines[i] = " " + lines[i]
		case 1:
			lines[i] = strings.TrimPrefix(lines[i], " ")
		case 2:
			lines = append(lines[:i], lines[i+1:]...)
		case 3:
			lines = append(lines[:i+1], lines[i:]...)
		case 4:
			j := rng.IntN(len(lines))
			lines[i], lines[j] = lines[j], lines[i]
		case 5:
			lines[i] += " " + hostile[rng.IntN(len(hostile))]
		case 6:
			indent := lines[i][:len(lines[i])-len(strings.TrimLeft(lines[i], " "))]
			lines = append(lines[:i], append([]string{indent + hostile[rng.IntN(len(hostile))]}, lines[i:]...)...)
		case 7:
			if k := strings.Index(lines[i], ": "); k > 0 {
				lines[i] = lines[i][:k+2] + hostile[rng.IntN(len(hostile))]
			}
		default:
			lines[i] = strings.Replace(lines[i], " ", "", 1)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"a", "it's: x", "line\ntwo\n", "\ttab", "  in\nout"} {
		f.Add(oddPod(func() string { return s }))
	}
	f.Add("- apiVersion: v1\n  kind: Event\n  count: 3\n  metadata:\n    name: e\n  reason: >\n    x\n")
	f.Add("apiVersion: v1\nkind: Pod\nmetadata:\n  annotations: {}\n  labels: {a: b}\n  name: p\n")
	f.Add("apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j\nstatus:\n  active: 1\n  conditions: []\n")
	f.Fuzz(func(t *testing.T, raw string) {
		if len(raw) > 8<<10 {
			t.Skip()
		}
		if _, diff := compare([]byte(raw)); diff != "" {
			t.Error(diff)
		}
	})
}
