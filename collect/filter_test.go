package collect

import (
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// texts are strings that YAML has to quote, fold or put into blocks, the pieces of the random ones below.
var texts = []string{"", " ", "a", "- x", "- apiVersion: v1", "kind: List", "items:", "x: y", "env:", "'", "''", "\"", "\\", "\\\"", "#", "# c", "|", ">", "{}", "[]", "? k", "&a", "*a",
	"~", "null", "true", "0x10", "1.30", "\t", "é", "\x01", "\r", "---", "...", "name: A\n  value: b", "  deeper", "word ", "words that are folded when there are more than eighty columns "}

// randomText joins pieces with nothing, spaces and line breaks.
func randomText(r *rand.Rand) string {
	var b strings.Builder
	for n := r.Intn(9); n >= 0; n-- {
		b.WriteString(texts[r.Intn(len(texts))])
		b.WriteString([]string{"", "", " ", "\n", "\n\n", "\n  "}[r.Intn(6)])
	}
	return b.String()
}

func randomValue(r *rand.Rand, depth int) any {
	switch n := r.Intn(10); {
	case n < 2 && depth > 0:
		m := object{}
		for i := r.Intn(4); i >= 0; i-- {
			key := strings.TrimSpace(randomText(r))
			if len(key) > 90 || key == "" || strings.ContainsAny(key, "\n\r\x01\té") { // no key of an API object, or refused: see TestFailsClosed
				key = "plain"
			}
			m[key] = randomValue(r, depth-1)
		}
		return m
	case n < 4 && depth > 0:
		l := array{}
		for i := r.Intn(4); i > 0; i-- {
			l = append(l, randomValue(r, depth-1))
		}
		return l
	case n == 4:
		return []any{nil, true, 3.5, 7.0}[r.Intn(4)]
	}
	return randomText(r)
}

// randomPods are pods as the emitter of kubectl writes them, with anything in their values.
func randomPods(r *rand.Rand, n int) []any {
	var pods []any
	for i := 0; i < n; i++ {
		env := array{}
		for j := r.Intn(4); j >= 0; j-- {
			env = append(env, object{"name": "E" + randomText(r), "value": randomText(r)})
		}
		pods = append(pods, object{"apiVersion": "v1", "kind": "Pod",
			"metadata": object{"name": "p", "namespace": []string{"a", "b", "c"}[r.Intn(3)], "annotations": object{"note": randomText(r), "sidecar.istio.io/x": randomText(r)}},
			"spec":     object{"free": randomValue(r, 4), "containers": array{object{"args": array{randomText(r), randomText(r)}, "env": env, "image": "x", "name": "main"}}},
			"status":   object{"message": randomText(r)},
		})
	}
	return pods
}

// Whatever strings hold, the filter splits a list exactly where the YAML library does, and with redaction nothing but the
// values meant for it changes. Every awk here gets the same input.
func TestFilterAgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(1))
	pods := randomPods(r, 300)
	fake := healthy(t).with(answer{words: "get pods", out: list(t, pods...)})
	want := map[string][]any{}
	for _, p := range pods {
		ns := p.(object)["metadata"].(object)["namespace"].(string)
		want[ns] = append(want[ns], p)
	}
	for _, mode := range []string{"--no-redact", ""} {
		res := run{args: strings.Fields("--namespaces a " + mode)}.on(t, fake)
		if s := res.bundle.step(t, "pods.a"); s.Items != len(pods) || s.Note != "" {
			t.Fatalf("%d of %d objects: %+v", s.Items, len(pods), s)
		}
		for ns, objects := range want {
			var got struct{ Items []any }
			if err := yaml.Unmarshal([]byte(res.bundle.files["namespaces/"+ns+"/core/pods.yaml"]), &got); err != nil {
				t.Fatal(err)
			}
			if len(got.Items) != len(objects) {
				t.Fatalf("%s: %d objects, want %d", ns, len(got.Items), len(objects))
			}
			for i := range objects {
				same(t, ns, "", canonical(t, objects[i]), got.Items[i], mode == "")
			}
		}
	}
}

// canonical gives v as it comes back from the library.
func canonical(t testing.TB, v any) any {
	t.Helper()
	var out any
	if err := yaml.Unmarshal([]byte(marshal(t, v)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// same compares; with redaction a text may have become REDACTED, and the values of environment variables must have.
func same(t *testing.T, ns, path string, want, got any, redacted bool) {
	t.Helper()
	switch w := want.(type) {
	case object:
		g, ok := got.(object)
		if !ok || len(g) != len(w) {
			t.Errorf("%s%s: got %v, want %v", ns, path, got, want)
			return
		}
		for k := range w {
			same(t, ns, path+"."+k, w[k], g[k], redacted)
		}
	case array:
		g, ok := got.(array)
		if !ok || len(g) != len(w) {
			t.Errorf("%s%s: got %v, want %v", ns, path, got, want)
			return
		}
		for i := range w {
			same(t, ns, path+"[]", w[i], g[i], redacted)
		}
	default:
		hidden := redacted && got == "REDACTED"
		if redacted && path == ".spec.containers[].env[].value" && !hidden {
			t.Errorf("%s%s: %q was kept", ns, path, got)
		}
		if !hidden && !reflect.DeepEqual(want, got) {
			t.Errorf("%s%s: got %q, want %q", ns, path, got, want)
		}
	}
}
