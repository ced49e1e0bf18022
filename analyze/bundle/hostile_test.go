package bundle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Hostile inputs, each built here. Whatever is wrong costs itself alone: the pod beside it is read, the message is plain,
// memory and time are bounded.

// hostile is one input and what must come of it.
type hostile struct {
	name string
	// data is the input; dir makes a folder instead.
	data func(testing.TB) string
	dir  func(testing.TB, string)
	opt  Options
	// pods are those that must be read all the same, says is what the problems (or the error) must say.
	pods int
	says []string
	// unreadable says that nothing is there to be read.
	unreadable bool
}

// Bounds for any of them: an eighth of what the limits would allow in the worst case, and far above what is used.
const (
	hostileMemory = 400 << 20
	hostileTime   = 30 * time.Second
)

func TestHostile(t *testing.T) {
	var all []hostile
	for _, list := range [][]hostile{hostileTars(), hostileStreams(), hostileZips(), hostileXz(), hostileFolders(), hostileContents()} {
		all = append(all, list...)
	}
	seen := map[string]bool{}
	for _, h := range all {
		if seen[h.name] {
			t.Errorf("two inputs are named %q", h.name)
		}
		seen[h.name] = true
		t.Run(h.name, h.run)
	}
	if len(all) < 40 {
		t.Errorf("%d hostile inputs", len(all))
	}
}

func (h hostile) run(t *testing.T) {
	source := filepath.Join(t.TempDir(), "ticket.bin")
	if h.dir != nil {
		must(t, os.Mkdir(source, 0o755))
		h.dir(t, source)
	} else {
		must(t, os.WriteFile(source, []byte(h.data(t)), 0o600))
	}
	done := watchMemory()
	start := time.Now()
	b, err := Read(context.Background(), source, nil, h.opt)
	if peak := done(); peak > hostileMemory {
		t.Errorf("%d MiB of memory", peak>>20)
	}
	if d := time.Since(start); d > hostileTime {
		t.Errorf("it took %v", d)
	}
	var u *UnreadableError
	if h.unreadable != errors.As(err, &u) || !h.unreadable && err != nil {
		t.Errorf("error %v", err)
	}
	text := fmt.Sprintln(err)
	for _, p := range b.Problems {
		text += fmt.Sprintf("%s:%d: %s\n", p.File, p.Line, p.Message)
	}
	for _, s := range h.says {
		if !strings.Contains(text, s) {
			t.Errorf("nothing says %q in\n%.3000s", s, text)
		}
	}
	if len(h.says) == 0 && len(b.Problems) > 0 {
		t.Errorf("problems where none are:\n%.3000s", text)
	}
	if strings.Contains(text, "internal fault") {
		t.Errorf("a fault of ours:\n%.3000s", text)
	}
	if len(b.Set.Pods) != h.pods {
		t.Errorf("%d pods, want %d; problems:\n%.3000s", len(b.Set.Pods), h.pods, text)
	}
}

// watchMemory gives the highest use of memory until the returned function is called.
func watchMemory() func() uint64 {
	stop, peak := make(chan struct{}), make(chan uint64)
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	go func() {
		var most uint64
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
			select {
			case <-stop:
				peak <- most - min(most, before.HeapInuse)
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { close(stop); return <-peak }
}

// pod is a small pod as kubectl prints it.
func pod(name string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: " + name + "\n  namespace: batch\n  uid: uid-" + name + "\nspec:\n  containers:\n  - name: main\nstatus:\n  phase: Running\n"
}

// TestSizesAreSaidAsGiven: in the unit in which a person gives a limit, and never as nought.
func TestSizesAreSaidAsGiven(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1000: "1000 bytes", 1 << 10: "1 KiB", 1500 << 10: "1500 KiB", 500 << 20: "500 MiB", DefaultMaxBytes: "16 GiB", 1<<40 + 1: "1099511627777 bytes"} {
		if got := sizeText(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
