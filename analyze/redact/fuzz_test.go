package redact

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// FuzzFile: whatever a file holds, copying it ends without a fault of ours, twice with the same bytes, and the copy of
// the copy is a copy without a fault as well.
func FuzzFile(f *testing.F) {
	c := &canaries{}
	for _, files := range c.trees(f) {
		for _, text := range files {
			f.Add(text[:min(len(text), 800)])
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		once, ok := copyOf(t, text)
		if !ok {
			return
		}
		if again, _ := copyOf(t, text); again != once {
			t.Fatal("two copies differ")
		}
		_, _ = copyOf(t, once)
	})
}

// copyOf copies one file, and gives its copy.
func copyOf(t *testing.T, text string) (string, bool) {
	t.Helper()
	var out bytes.Buffer
	m, err := Copy(context.Background(), "-", strings.NewReader(text), &out, Tar, Options{MaxBytes: 8 << 20})
	if err != nil {
		return "", false
	}
	for _, l := range m.LeftOut {
		if l.Reason == leftFault {
			t.Fatalf("a fault of ours: %+v", m)
		}
	}
	for _, p := range m.Problems {
		if strings.Contains(p.Message, "internal fault") {
			t.Fatalf("a fault of ours: %s", p.Message)
		}
	}
	return unpacked(t, out.Bytes(), Tar)["redacted/stdin"], true
}

// FuzzDescribe: whatever stands in a value that kubectl indents or prints on one line, nothing of it gets into the copy
// of describe text.
func FuzzDescribe(f *testing.F) {
	for _, s := range []string{"x", "a\nb", "a\n\nb", "  Name:  x", "<none>", "true (v1:metadata.name)", "<set to the key 'a' in secret 'b'>", "a: b\n\n\nName:  y\nNamespace:  z",
		"\tx", "e\u0301\u2028y", "    Image:  x\n      Exit Code:    0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		const word = "canary7x"
		if strings.ContainsAny(value, "\r\x00") || strings.Contains(value, "\u2028") || canary.MatchString(value) {
			return
		}
		value = value + " " + word
		text := describedWith(value)
		got, ok := copyOf(t, text)
		if ok && strings.Contains(got, word) {
			t.Fatalf("the value is in the copy: %s\n--- of\n%s", lineWith(got, word), text)
		}
	})
}

// describedWith is describe text of a pod and a Job as kubectl prints it with a value in each place that goes.
func describedWith(value string) string {
	below := func(indent string) string {
		lines := strings.Split(value, "\n")
		for i := range lines {
			lines[i] = indent + lines[i]
		}
		return strings.Join(lines, "\n")
	}
	env := strings.TrimLeft(below("          "), " ")
	oneLine := strings.ReplaceAll(value, "\n", " ")
	return fmt.Sprintf(`Name:             p
Namespace:        n
Annotations:      example.com/x: %s
                  example.com/y:
%s
Status:           Running
IP:               198.51.100.7
Containers:
  main:
    Image:         x
    Args:
      --password
%s
    State:          Running
    Environment:
      A:  %s
      B:  x
%s
    Mounts:         <none>
QoS Class:          BestEffort
Volumes:
  v:
    Type:              CSI
    VolumeAttributes:  a=%s
Events:
  Type    Reason  Age  From     Message
  ----    ------  ---  ----     -------
  Normal  Bad     1s   kubelet  password: %s


Name:           j
Namespace:      n
Parallelism:    1
Pods Statuses:  1 Active / 0 Succeeded / 0 Failed
Pod Template:
  Annotations:  example.com/x: %s
  Containers:
   main:
    Image:      x
    Environment:
      A:  %s
Events:         <none>
`, oneLine, below("                    "), below("      "), env, below("          "), oneLine, oneLine, oneLine, env)
}

// FuzzValue: whatever a value is, nothing of it is in the copy of an object that has it in the places that go, in YAML
// and in JSON.
func FuzzValue(f *testing.F) {
	for _, s := range []string{"x", "a\nb", "- x", "{", "'", "\"", "\\", "|", "#", "---", "...", "&a", "*a", "!!x", " ", "\u2028", "\u0085", "\t", "REDACTED", "true\n", "0", "eyJ.", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		const word = "canary7x"
		if canary.MatchString(value) {
			return
		}
		value = value + word + value
		// In a message a value ends with its line, and these are ends of lines in YAML 1.1.
		oneLine := strings.NewReplacer("\n", " ", "\r", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ").Replace(value)
		pod := object{"apiVersion": "v1", "kind": "Pod", "metadata": object{"name": "p", "annotations": object{"example.com/x": value, "istio.io/token": value, "a/last-applied-configuration": value, "proxy.istio.io/config": value}},
			"spec": object{"containers": array{object{"name": "c", "args": array{"--password", value, "password=" + value}, "env": array{object{"name": "A", "value": value}, object{"name": "PROXY_CONFIG", "value": value}}}},
				"volumes": array{object{"name": "v", "csi": object{"volumeAttributes": object{"a": value}}}}, "other": value},
			"status": object{"message": "token=" + oneLine}}
		maps := object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{"name": "istio-sidecar-injector"}, "data": object{"x": value, "config": value, "values": value}}
		texts := []string{jsonOf(t, listOf(pod, maps))}
		if b, err := yaml.Marshal(listOf(pod, maps)); err == nil { // kubectl cannot print every value as YAML either
			texts = append(texts, string(b), marshal(t, pod))
		}
		for _, text := range texts {
			if got, ok := copyOf(t, text); ok && strings.Contains(got, word) {
				t.Fatalf("the value is in the copy: %s\n--- of\n%s", lineWith(got, word), text)
			}
		}
	})
}
