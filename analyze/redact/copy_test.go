package redact

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
)

// Two copies of one bundle are the same bytes, in every kind of archive.
func TestSameBytes(t *testing.T) {
	c := &canaries{}
	source := folder(t, c.trees(t)["files"])
	for _, format := range []Format{TarGz, Tar, TarZstd, Zip} {
		var a, b bytes.Buffer
		for _, out := range []*bytes.Buffer{&a, &b} {
			if _, err := Copy(context.Background(), source, nil, out, format, Options{}); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: two copies differ", format)
		}
	}
}

// A copy of a copy is the same, but for the counts in its manifest.
func TestCopyOfACopy(t *testing.T) {
	c := &canaries{}
	for name, files := range c.trees(t) {
		once, _ := redacted(t, folder(t, files), Tar)
		twice, _ := redacted(t, folder(t, withoutFolders(once)), Tar)
		for file, text := range once {
			if !strings.HasSuffix(file, manifestName) && twice[file] != text {
				t.Errorf("%s: %s is another one the second time\n--- once\n%s\n--- twice\n%s", name, file, text, twice[file])
			}
		}
	}
}

func withoutFolders(files map[string]string) map[string]string {
	out := map[string]string{}
	for name, text := range files {
		if !strings.HasSuffix(name, "/") {
			out[name] = text
		}
	}
	return out
}

// What could not be read of the bundle is a problem of the copy, too, although the copy is whole.
func TestProblemsAreTakenOver(t *testing.T) {
	source := folder(t, map[string]string{
		"x/pods.yaml":  "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    na",
		"x/jobs.json":  `{"apiVersion": "v1", "kind": "JobList", "items": [{"kind": "Job", "metadata": {"name": "j"}, "spec": {"parallelism": "many secrets"}}, {"kind": "Jo`,
		"x/broken.txt": "kind: Pod\nmetadata: [\n",
	})
	before := problems(t, source)
	copied, m := redacted(t, source, Tar)
	after := problems(t, folder(t, withoutFolders(copied)))
	if len(before) < 4 || strings.Join(before, "\n") != strings.Join(after, "\n") {
		t.Errorf("before:\n%s\nafter:\n%s\nmanifest: %+v", strings.Join(before, "\n"), strings.Join(after, "\n"), m.Problems)
	}
	for _, p := range m.Problems {
		if strings.Contains(p.Message, "many secrets") {
			t.Errorf("a value is quoted: %s", p.Message)
		}
	}
}

// problems lists what could not be read, without lines and values, which differ.
func problems(t *testing.T, path string) []string {
	t.Helper()
	read, err := bundle.Read(context.Background(), path, nil, bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range read.Problems {
		before, _, _ := strings.Cut(p.Message, " is ")
		out = append(out, filepath.Base(p.File)+": "+before)
	}
	slices.Sort(out)
	return out
}

func TestPatternsOfTheUser(t *testing.T) {
	source := folder(t, map[string]string{"pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata:\n  name: acme-1\nspec:\n  containers:\n  - name: c\n    args: [run, acme-7]\nstatus:\n  message: acme-8 is late\n"})
	files, m := redacted(t, source, Tar, "acme-[0-9]")
	text := files["redacted/pod.yaml"]
	if strings.Contains(text, "acme-7") || strings.Contains(text, "acme-8") || !strings.Contains(text, "name: acme-1") || m.OwnPatterns != 1 {
		t.Errorf("%d patterns\n%s", m.OwnPatterns, text)
	}
	if own := slices.IndexFunc(m.Removed, func(r Removed) bool { return r.What == ofOwn }); own < 0 || m.Removed[own].Count != 1 {
		t.Errorf("the message that a pattern of one's own took out is counted as another: %v", m.Removed)
	}
	if strings.Contains(files["redacted/redaction.json"], "acme-[") {
		t.Error("the pattern is in the manifest; it may hold what it looks for")
	}
}

// TestNamesInTheManifest: a file has one name there, below the top folder, whatever is said of it.
func TestNamesInTheManifest(t *testing.T) {
	source := packed(t, "one", map[string]string{"ticket/pods.yaml": marshal(t, listOf(podNamed("one"))), "ticket/odd.yaml": "nothing: here\n"})
	_, m := redacted(t, source, Tar)
	if len(m.LeftOut) != 1 || !slices.Equal(m.LeftOut[0].Names, []string{"odd.yaml"}) || len(m.Problems) != 1 || m.Problems[0].File != "odd.yaml" {
		t.Errorf("left out %v, problems %v", m.LeftOut, m.Problems)
	}
}

func TestNames(t *testing.T) {
	source := packed(t, "twice", map[string]string{"a/x!y/pods.yaml": marshal(t, listOf(podNamed("one"))), "a/b.yaml.gz": marshal(t, listOf(podNamed("two"))), "a/redaction.json/c.yaml": marshal(t, podNamed("three"))})
	b, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	// A tar behind a tar repeats all names.
	files, m := redacted(t, single(t, "twice.tar", append(b, b...)), Tar)
	for _, name := range []string{"a/x/y/pods.yaml", "a/b.yaml", "a/again-2/x/y/pods.yaml", "a/again-2/b.yaml", "a/redaction.json", "a/other-redaction.json/c.yaml"} {
		if files[name] == "" {
			t.Errorf("%s is not there", name)
		}
	}
	if m.Files < 4 {
		t.Errorf("%d files", m.Files)
	}
	var again Manifest
	if err := json.Unmarshal([]byte(files["a/redaction.json"]), &again); err != nil || again.Files != m.Files {
		t.Errorf("%v, %+v", err, again)
	}
}

func podNamed(name string) object {
	return object{"apiVersion": "v1", "kind": "Pod", "metadata": object{"name": name}}
}
