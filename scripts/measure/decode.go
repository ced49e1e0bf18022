//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"syscall"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube/podgen"
)

// cost is what reading a list once has cost.
type cost struct {
	CPU    time.Duration
	Allocs float64
	Bytes  int // of the list
}

// ways are the ways to read a list into the structs of package kube, with how often a list is read in one process.
// They give the number of pods.
var ways = map[string]struct {
	times int
	read  func(list []byte) (int, error)
}{
	"ours":  {10, ours},
	"items": {1, items},
	"whole": {1, whole},
}

// decode reads lists in memory and prints the cost of reading one. There are two, read in turn, so that no reading
// finds what was kept from the one before: what is measured is the middle of a long list.
func decode(name string, n int, out io.Writer) error {
	way, ok := ways[name]
	if !ok {
		return fmt.Errorf("no way %q", name)
	}
	lists := make([][]byte, 2)
	for i := range lists {
		var b bytes.Buffer
		if err := podgen.PodsFrom(&b, i*n, n); err != nil {
			return err
		}
		lists[i] = b.Bytes()
	}
	read := func() error {
		for _, l := range lists {
			if got, err := way.read(l); err != nil || got != n {
				return fmt.Errorf("%d of %d pods were read: %w", got, n, err)
			}
		}
		return nil
	}
	if err := read(); err != nil { // memory is had from the system once
		return err
	}
	runtime.GC()
	before := spent()
	for range way.times {
		if err := read(); err != nil {
			return err
		}
	}
	after, count := spent(), way.times*len(lists)
	c := cost{CPU: (after.CPU - before.CPU) / time.Duration(count), Allocs: (after.Allocs - before.Allocs) / float64(count), Bytes: len(lists[0])}
	return json.NewEncoder(out).Encode(c)
}

// spent is what the process has used so far, garbage collection included.
func spent() cost {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return cost{CPU: time.Duration(u.Utime.Nano() + u.Stime.Nano()), Allocs: float64(m.Mallocs)}
}

// body gives the items of a list, and the line of the first.
func body(list []byte) (text []byte, line int) {
	from := bytes.Index(list, []byte("\n- ")) + 1
	return list[from : bytes.LastIndex(list, []byte("\nkind: List"))+1], 1 + bytes.Count(list[:from], []byte("\n"))
}

// ours is the reader of package kube, with the library for the items that the reader refuses.
func ours(list []byte) (int, error) {
	d := &kube.Decoder{Set: &kube.Set{}, Report: func(int, string) {}}
	defer d.Close()
	text, line := body(list)
	for len(text) > 0 {
		_, size := d.Items(text, 0, line, "")
		line += bytes.Count(text[:size], []byte("\n"))
		text = text[size:]
		if len(text) == 0 {
			break
		}
		item := text[:itemEnd(text)]
		if err := d.Object(kube.Text{Raw: item, Line: line}, ""); err != nil {
			return len(d.Set.Pods), err
		}
		line += bytes.Count(item, []byte("\n"))
		text = text[len(item):]
	}
	return len(d.Set.Pods), nil
}

// itemEnd gives the size of the first item of a text.
func itemEnd(text []byte) int {
	if i := bytes.Index(text, []byte("\n- ")); i >= 0 {
		return i + 1
	}
	return len(text)
}

// items reads each item with the library.
func items(list []byte) (int, error) {
	var all []kube.Pod
	for text, _ := body(list); len(text) > 0; {
		var one []kube.Pod
		end := itemEnd(text)
		if err := yaml.Unmarshal(text[:end], &one); err != nil {
			return len(all), err
		}
		all, text = append(all, one...), text[end:]
	}
	return len(all), nil
}

// whole reads the list with the library, as most programs do.
func whole(list []byte) (int, error) {
	var l struct {
		Items []kube.Pod `json:"items"`
	}
	err := yaml.Unmarshal(list, &l)
	return len(l.Items), err
}
