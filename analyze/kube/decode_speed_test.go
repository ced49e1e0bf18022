package kube

import (
	"os"
	"runtime"
	"testing"
	"time"
)

// TestSpeed compares the fast reader with the naive decoding in one process, by the least CPU time of several pairs: what
// else the machine does disturbs both alike. It is no test of a machine, so it runs only when asked for.
func TestSpeed(t *testing.T) {
	if os.Getenv("SPEED") == "" {
		t.Skip("SPEED is not set")
	}
	list := podList(t, 1000)
	items := listItems(list)
	least := func(best *time.Duration, f func()) {
		runtime.GC()
		began := processTime()
		f()
		if d := processTime() - began; *best == 0 || d < *best {
			*best = d
		}
	}
	var fast, slow time.Duration
	for range 5 {
		for range 5 {
			least(&fast, func() {
				d := &Decoder{Set: &Set{}, Report: func(int, string) {}}
				d.Items(items, 0, 3, "")
			})
		}
		least(&slow, func() { naive(t, list) })
	}
	ratio := float64(slow) / float64(fast)
	t.Logf("naive %v, fast %v: %.0f times", slow, fast, ratio)
	if ratio < 50 {
		t.Errorf("the fast reader is %.0f times as fast as the naive decoding, want at least 50", ratio)
	}
}
