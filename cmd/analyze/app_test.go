package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bomb is a reader that panics as a bug in the engine would, with a value that quotes the bundle.
type bomb struct{ value any }

func (b bomb) Read([]byte) (int, error) { panic(b.value) }

func TestPanicIsReportedWithoutBundleContent(t *testing.T) {
	got := runWith(IO{Stdin: bomb{"the password is swordfish"}}, "-")
	text := string(got.Stderr)
	if got.Exit != 2 {
		t.Errorf("exit status %d, want 2", got.Exit)
	}
	for _, want := range []string{"Please report", "app_test.go", "v0.0.0-test"} {
		if !strings.Contains(text, want) {
			t.Errorf("standard error lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "swordfish") {
		t.Errorf("the report of a bug quotes the bundle:\n%s", text)
	}
}

func TestPanicWithARuntimeErrorNamesIt(t *testing.T) {
	var err error
	func() {
		defer func() { err = recover().(error) }()
		var list []int
		_ = list[len(os.Args)]
	}()
	got := runWith(IO{Stdin: bomb{err}}, "-")
	if !strings.Contains(string(got.Stderr), "index out of range") {
		t.Errorf("the runtime's own words are missing:\n%s", got.Stderr)
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "report.json")
	for _, content := range []string{"first", "second"} {
		if err := writeFile(name, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != content {
			t.Errorf("got %q, %v; want %q", got, err, content)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("partial files stay behind: %v, %v", left, err)
	}
	if err := writeFile(filepath.Join(dir, "no", "such", "x"), nil); err == nil || !strings.Contains(err.Error(), "make the folder first") {
		t.Errorf("no advice in: %v", err)
	}
	if err := writeFile(dir, nil); err == nil || !strings.Contains(err.Error(), "name a file in it") {
		t.Errorf("no advice in: %v", err)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestFailureToWriteIsAnError(t *testing.T) {
	a := &app{IO: IO{Stdout: full{}}}
	if err := a.emit("", func(w io.Writer) error {
		return document{text: func(w sheet) { writeCatalogue(w, nil, entries(nil)) }}.writeText(w, 0)
	}); err == nil || !strings.Contains(err.Error(), "standard output") {
		t.Errorf("got %v", err)
	}
}
