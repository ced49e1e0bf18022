package bundle

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readAllXz(b []byte) (string, error) {
	got, err := io.ReadAll(newXzReader(bufio.NewReader(bytes.NewReader(b))))
	return string(got), err
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	p := filepath.Join(dir, name)
	must(t, os.MkdirAll(filepath.Dir(p), 0o755))
	must(t, os.WriteFile(p, []byte(text), 0o644))
}

func hostileFolders() []hostile {
	return []hostile{
		{name: "links in a folder", pods: 1, says: []string{"symbolic link: not followed", "(and 2 more of this kind)"}, dir: func(t testing.TB, dir string) {
			put(t, dir, "pods.yaml", pod("one"))
			put(t, filepath.Dir(dir), "outside/pods.yaml", pod("outside"))
			must(t, os.Symlink("../outside", filepath.Join(dir, "out")))
			must(t, os.Symlink("../outside/pods.yaml", filepath.Join(dir, "file.yaml")))
			must(t, os.Symlink(".", filepath.Join(dir, "loop")))
		}},
		{name: "pipe in a folder", pods: 1, says: []string{"pipe:0: device, pipe or socket: not opened"}, dir: func(t testing.TB, dir string) {
			put(t, dir, "pods.yaml", pod("one"))
			mkfifo(t, filepath.Join(dir, "pipe"))
		}},
		{name: "socket in a folder", pods: 1, says: []string{"device, pipe or socket"}, dir: func(t testing.TB, dir string) {
			put(t, dir, "pods.yaml", pod("one"))
			l, err := net.Listen("unix", filepath.Join(dir, "s"))
			if err != nil {
				t.Skip("no sockets here")
			}
			t.Cleanup(func() { _ = l.Close() })
		}},
		{name: "folders a hundred deep", pods: 1, says: []string{"folders are nested deeper than 64"}, dir: func(t testing.TB, dir string) {
			put(t, dir, "pods.yaml", pod("one"))
			put(t, dir, strings.Repeat("d/", 100)+"pods.yaml", pod("deep"))
		}},
		{name: "empty folder", unreadable: true, says: []string{"it is empty"}, dir: func(testing.TB, string) {}},
		{name: "file without rights", pods: 1, says: []string{"closed.yaml:0: could not be opened: permission denied"}, dir: func(t testing.TB, dir string) {
			put(t, dir, "pods.yaml", pod("one"))
			put(t, dir, "closed.yaml", pod("closed"))
			must(t, os.Chmod(filepath.Join(dir, "closed.yaml"), 0))
			if os.Geteuid() == 0 {
				t.Skip("root may read everything")
			}
		}},
		{name: "more files than allowed in a folder", pods: 1, opt: Options{MaxFiles: 50}, says: []string{"(50, --max-files)"}, dir: func(t testing.TB, dir string) {
			put(t, dir, "a.yaml", pod("one"))
			for i := range 200 {
				put(t, dir, fmt.Sprintf("b%d", i), "")
			}
		}},
		{name: "bundles in a folder", pods: 2, dir: func(t testing.TB, dir string) {
			put(t, dir, "one.tgz", packTarGz(t, map[string]string{"a/pods.yaml": pod("one")}))
			put(t, dir, "two.zip", packZip(t, map[string]string{"a/pods.yaml": pod("two")}))
		}},
	}
}

func hostileContents() []hostile {
	beside := func(name string, text func() string) func(testing.TB) string {
		return func(t testing.TB) string {
			return tarOf(t, "one.yaml", pod("one"), name, text(), "two.yaml", pod("two"))
		}
	}
	fixed := func(s string) func(testing.TB) string { return func(testing.TB) string { return s } }
	return []hostile{
		{name: "empty file", unreadable: true, says: []string{"empty file", "kubectl get job,cronjob,pod,node,event -A -o yaml"}, data: fixed("")},
		{name: "picture", unreadable: true, says: []string{"a picture: ask for the text"}, data: fixed("\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 100))},
		{name: "7z", unreadable: true, says: []string{"a 7z archive: repack it as .zip or .tar.gz"}, data: fixed("7z\xbc\xaf\x27\x1c\x00\x04")},
		{name: "rar beside pods", pods: 2, says: []string{"more.rar:0: not read, for it is a rar archive"}, data: beside("more.rar", func() string { return "Rar!\x1a\x07\x01\x00xx" })},
		{name: "program", unreadable: true, says: []string{"a program"}, data: fixed("\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 600))},
		{name: "encrypted", unreadable: true, says: []string{"encrypted: decrypt it first"}, data: fixed("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n")},
		{name: "encrypted, armoured", unreadable: true, says: []string{"encrypted: decrypt it first"}, data: fixed("-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n")},
		{name: "random bytes", unreadable: true, says: []string{"ticket.bin"}, data: func(testing.TB) string {
			b := []byte(noise(4096))
			for i := range b {
				b[i] = b[i]*37 ^ byte(i*i>>3)
			}
			return string(b)
		}},
		{name: "a page that says nothing", unreadable: true, says: []string{"nothing of kubectl's output was recognised"}, data: fixed("<html>\n<body>504 Gateway Time-out</body>\n</html>\n")},
		{name: "invalid UTF-8", pods: 2, says: []string{"latin1.txt"}, data: beside("latin1.txt", func() string { return "\xe4\xf6\xfc is no UTF-8\n\xff\xfe\xfd\n" })},
		{name: "endless line", pods: 2, says: []string{"line.txt"}, data: beside("line.txt", func() string { return strings.Repeat("endless ", 12<<20) })},
		{name: "JSON nested a million deep", pods: 2, says: []string{"deep.json"}, data: beside("deep.json", func() string { return strings.Repeat("[", 1<<20) })},
		{name: "YAML nested deep", pods: 2, says: []string{"deep.yaml"}, data: beside("deep.yaml", func() string {
			return "apiVersion: v1\nkind: Pod\nmetadata: " + strings.Repeat("[", 100_000) + "\n"
		})},
		{name: "YAML aliases", pods: 2, says: []string{"alias.yaml"}, data: beside("alias.yaml", func() string {
			s := "apiVersion: v1\nkind: Pod\na0: &a0 [x, x, x, x, x, x, x, x, x]\n"
			for i := range 9 {
				s += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 8), i)
			}
			return s
		})},
		{name: "Secret beside pods", pods: 2, data: beside("secrets.yaml", func() string {
			return "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\ndata:\n  password: " + secretData + "\n"
		})},
	}
}
