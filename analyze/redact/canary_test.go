package redact

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// trees are bundles of several layouts with canaries wherever a value can hide.
func (c *canaries) trees(t testing.TB) map[string]map[string]string {
	o := c.objects()
	all := []any{}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		all = append(all, o[name])
	}
	manifest := object{"tool": "sidecar-must-gather", "arguments": array{"--context", "x"}, "steps": array{object{"id": "nodes",
		"command": "kubectl get nodes --token " + c.next(), "stderr": "Bearer " + c.next(), "errorClass": "forbidden"}}, "extra": c.next()}
	must := "must-gather.local.1/image-sha256-0123/"
	bundle := "support-bundle-1/"
	return map[string]map[string]string{
		"must-gather": {
			must + "timestamp":                                                        c.next(),
			must + "namespaces/batch/core/pods.yaml":                                  "---\n" + marshal(t, listOf(o["pod"])),
			must + "namespaces/batch/pods/nightly-1/nightly-1.yaml":                   "---\n" + marshal(t, o["pod"]),
			must + "namespaces/batch/pods/nightly-1/main/main/logs/current.log":       c.next(),
			must + "namespaces/batch/core/secrets.yaml":                               marshal(t, listOf(o["secret"])),
			must + "namespaces/batch/core/configmaps.yaml":                            marshal(t, listOf(o["app-config"])),
			must + "namespaces/batch/batch/jobs.yaml":                                 marshal(t, listOf(o["job"], o["other-job"])),
			must + "namespaces/batch/batch/cronjobs.yaml":                             marshal(t, listOf(o["cron"])),
			must + "namespaces/batch/argoproj.io/workflows.yaml":                      marshal(t, listOf(o["workflow"])),
			must + "namespaces/batch/batch.yaml":                                      marshal(t, o["namespace"]),
			must + "namespaces/istio-system/core/configmaps.yaml":                     marshal(t, listOf(o["injector"], o["values"], o["mesh"])),
			must + "namespaces/istio-system/apps/deployments.yaml":                    marshal(t, listOf(o["istiod"])),
			must + "cluster-scoped-resources/core/nodes.yaml":                         marshal(t, listOf(o["node"])),
			must + "cluster-scoped-resources/admissionregistration.k8s.io/hooks.yaml": marshal(t, listOf(o["hook"])),
			must + "notes.txt": "remember " + c.next(),
		},
		"support-bundle": {
			bundle + "version.yaml":                              "apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\nspec:\n  versionNumber: " + c.next() + "\n",
			bundle + "cluster-resources/pods/batch.json":         jsonOf(t, listOf(o["pod"])),
			bundle + "cluster-resources/jobs/batch.json":         jsonOf(t, array{o["job"]}),
			bundle + "cluster-resources/events/batch.json":       jsonOf(t, listOf(o["event"])),
			bundle + "cluster-resources/pods-errors.json":        jsonOf(t, object{"x": "forbidden, token=" + c.next()}),
			bundle + "cluster-resources/configmaps/kube.json":    jsonOf(t, listOf(o["kubelet"], o["injector"])),
			bundle + "cluster-info/cluster_version.json":         jsonOf(t, object{"info": object{"gitVersion": "v9.1.0"}, "string": "v9.1.0", "odd": c.next()}),
			bundle + "cluster-resources/pods/logs/batch/n/m.log": c.next(),
			bundle + "configmaps/x.json":                         jsonOf(t, object{"data": c.next()}),
		},
		"files": {
			"all.yaml":        marshal(t, listOf(all...)),
			"all.json":        jsonOf(t, listOf(all...)),
			"one.json":        strings.ReplaceAll(jsonOf(t, o["pod"]), "\n", ""),
			"list-first.json": strings.Replace(jsonOf(t, object{"items": all}), "{", `{"kind": "List", "apiVersion": "v1", "odd": "`+c.next()+`",`, 1),
			"documents.yaml":  marshal(t, o["job"]) + "---\n" + marshal(t, o["secret"]) + marshal(t, o["values"]),
			"bare.yaml":       marshal(t, array{o["pod"], o["secret"]}),
			"flow.yaml":       "apiVersion: v1\nkind: List\nitems: " + strings.ReplaceAll(jsonOf(t, array{o["pod"]}), "\n", " ") + "\n",
			"cut.yaml":        marshal(t, o["pod"])[:3000] + "\n      value: \"" + c.next(),
			"describe.txt":    c.describeText(),
			"ticket.txt":      c.transcript(t),
			"hand.yaml":       c.handWritten(),
			"utf16.yaml":      utf16Text(marshal(t, listOf(o["pod"]))),
			"collection.json": jsonOf(t, manifest),
			"broken.json":     `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "` + c.next(),
			"prose.txt":       "The password is " + c.next() + "\n",
		},
	}
}

func utf16Text(s string) string {
	out := []byte{0xff, 0xfe}
	for _, r := range s {
		out = append(out, byte(r), byte(r>>8))
	}
	return string(out)
}

func TestNoCanaryGetsIntoACopy(t *testing.T) {
	c := &canaries{}
	trees := c.trees(t)
	for name, files := range trees {
		for kind, source := range map[string]string{"folder": folder(t, files), "tar": packed(t, name, files), "nested zip": nested(t, name, files)} {
			formats := []Format{Tar}
			if kind == "folder" {
				formats = []Format{TarGz, Tar, TarZstd, Zip}
			}
			for _, format := range formats {
				t.Run(name+"/"+kind+"/"+string(format), func(t *testing.T) {
					copied, m := redacted(t, source, format)
					for file, text := range copied {
						if found := canary.FindString(file + "\n" + text); found != "" {
							t.Errorf("%s: %s", file, lineWith(text, found))
						}
					}
					if kind == "folder" && format == Tar {
						kept(t, name, copied, m)
					}
				})
			}
		}
	}
	if c.n < 500 {
		t.Errorf("only %d canaries", c.n)
	}
}

func lineWith(text, word string) string {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.Contains(line, word) {
			return line
		}
	}
	return word
}

// kept checks what the analysis lives on.
func kept(t *testing.T, tree string, files map[string]string, m *Manifest) {
	t.Helper()
	applied := `{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"nightly","namespace":"batch"},"spec":{"jobTemplate":{"spec":{"template":{"spec":{` +
		`"containers":[{"name":"main"}],"initContainers":[{"name":"istio-proxy","restartPolicy":"Always"}]}}}}}}`
	for file, wants := range map[string][]string{
		"must-gather: namespaces/batch/core/pods.yaml": {"last-applied-configuration: '" + applied + "'", `nativeSidecar: "true"`,
			`{"initContainers":["istio-init","istio-proxy"],"containers":null,"imagePullSecrets":null,"revision":"default"}`,
			"value: istiod.istio-system.svc:15012", "- name: PLAIN\n        value: REDACTED", `value: '{"discoveryAddress":"istiod-x.istio-system.svc:15012"}'`,
			"- REDACTED (mentions :15020/quitquitquit)", "key: password", "- serve\n", "holdApplicationUntilProxyStarts: true", "last words", "kind: List"},
		"must-gather: namespaces/batch/batch/cronjobs.yaml": {"restartPolicy: Always"},
		"must-gather: namespaces/istio-system/core/configmaps.yaml": {`"compatibilityVersion":"9.24"`, `"ENABLE_NATIVE_SIDECARS":"false"`, "policy: enabled",
			"$nativeSidecar := (eq (env \"ENABLE_NATIVE_SIDECARS\"", "- name: istio-proxy", "merged-values: REDACTED", "EXIT_ON_ZERO_ACTIVE_CONNECTIONS"},
		"support-bundle: cluster-resources/configmaps/kube.json": {"SidecarContainers: false"},
		"support-bundle: cluster-info/cluster_version.json":      {`"gitVersion": "v9.1.0"`},
		"files: describe.txt": {"token-reader", "token-refresher:\n    Image:         registry.example.com/token-refresher:1", "ENABLE_NATIVE_SIDECARS:  true",
			"last words REDACTED\nand\nREDACTED", "Exit Code:    0", "(v1:metadata.name)", "<set to the key 'p' in secret 'db'>  Optional: false", "Normal   Pulled   1s   kubelet  fine",
			"sidecar.istio.io/inject: true", "Kubelet Version:  v9.1.0", "Concurrency Policy:   Forbid", "exec [REDACTED (stops no proxy)] delay=0s"},
		"files: ticket.txt": {"kubectl get pods -n batch\n", "nightly-1   1/2     Running", "nightly-2  1/2     Running   0          1h    REDACTED", "nightly-3\t1/2\tRunning\t0\t1h\tREDACTED", "nightly-4   1/2   Running   0   1h   REDACTED", "Error from server (Forbidden): nodes is forbidden"},
		"files: cut.yaml":   {"\ncut: \""},
	} {
		of, name, _ := strings.Cut(file, ": ")
		if of != tree {
			continue
		}
		text := ""
		for have, content := range files {
			if strings.HasSuffix(have, "/"+name) {
				text = content
			}
		}
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", file, want, text)
			}
		}
	}
	if len(m.Removed) == 0 || len(m.LeftOut) == 0 || m.Tool != "sidecar-must-gather" {
		t.Errorf("manifest %+v", m)
	}
}

// redacted makes a copy and unpacks it.
func redacted(t testing.TB, source string, format Format, own ...string) (map[string]string, *Manifest) {
	t.Helper()
	var out bytes.Buffer
	m, err := Copy(context.Background(), source, nil, &out, format, Options{Version: "test", Patterns: compiled(own)})
	if err != nil {
		t.Fatal(err)
	}
	return unpacked(t, out.Bytes(), format), m
}

func unpacked(t testing.TB, b []byte, format Format) map[string]string {
	t.Helper()
	files := map[string]string{}
	if format == Zip {
		z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			files[f.Name] = text(t, r)
		}
		return files
	}
	r := io.Reader(bytes.NewReader(b))
	switch format {
	case TarGz:
		z, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		r = z
	case TarZstd:
		z, err := zstd.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		r = z
	}
	for tr := tar.NewReader(r); ; {
		h, err := tr.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		files[h.Name] = text(t, tr)
	}
}

func text(t testing.TB, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bundle")
	for name, content := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func packed(t testing.TB, name string, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := w.WriteHeader(&tar.Header{Name: file, Mode: 0o644, Size: int64(len(files[file]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, files[file]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return single(t, name+".tar", b.Bytes())
}

// nested is a zip with the tar in it.
func nested(t testing.TB, name string, files map[string]string) string {
	t.Helper()
	inner, err := os.ReadFile(packed(t, name, files))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("attachments/" + name + ".tar")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(inner); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return single(t, "ticket.zip", b.Bytes())
}

func single(t testing.TB, name string, content []byte) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(p, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}
