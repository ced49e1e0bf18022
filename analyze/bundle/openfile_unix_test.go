//go:build unix

package bundle

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// inTime fails a test that waits for what never comes.
func inTime(t *testing.T, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("it waits")
	}
}

func TestPipeWithoutWriter(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	mkfifo(t, name)
	inTime(t, func() {
		_, err := Read(context.Background(), name, nil, Options{})
		if !IsUnreadable(err) || !strings.Contains(err.Error(), "a pipe that nothing has written to") {
			t.Errorf("%v", err)
		}
	})
}

func TestPipeWithWriter(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	mkfifo(t, name)
	w, err := os.OpenFile(name, os.O_RDWR, 0)
	must(t, err)
	_, err = w.WriteString(pod("one"))
	must(t, err)
	hold, err := OpenFile(name) // what was written stays in the pipe, should its writer be done before it is read
	must(t, err)
	defer func() { _ = hold.Close() }()
	inTime(t, func() {
		time.AfterFunc(50*time.Millisecond, func() {
			_, _ = w.WriteString("---\n" + pod("two"))
			_ = w.Close()
		})
		b, err := Read(context.Background(), name, nil, Options{})
		if err != nil || len(b.Set.Pods) != 2 {
			t.Errorf("%v, %d pods", err, len(b.Set.Pods))
		}
	})
}

// TestInheritedPipe: what a shell makes of <(kubectl ...).
func TestInheritedPipe(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("no /proc here")
	}
	r, w, err := os.Pipe()
	must(t, err)
	defer r.Close()
	time.AfterFunc(50*time.Millisecond, func() {
		_, _ = w.WriteString(pod("one"))
		_ = w.Close()
	})
	inTime(t, func() {
		link := filepath.Join("/proc/self/fd", strconv.Itoa(int(r.Fd())))
		b, err := Read(context.Background(), link, nil, Options{})
		if err != nil || len(b.Set.Pods) != 1 {
			t.Errorf("%v", err)
		}
	})
}

func TestDevices(t *testing.T) {
	for _, name := range []string{"/dev/zero", "/dev/tty"} {
		if _, err := os.Stat(name); err != nil {
			continue
		}
		inTime(t, func() {
			if _, err := Read(context.Background(), name, nil, Options{}); !IsUnreadable(err) || !strings.Contains(err.Error(), "it is a device") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}
