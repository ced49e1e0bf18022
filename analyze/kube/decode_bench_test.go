package kube

import (
	"bytes"
	"runtime"
	"syscall"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube/podgen"
)

// processTime is the CPU time that the process has used, garbage collection included: on a machine that is shared, the
// only time that says something.
func processTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func podList(tb testing.TB, n int) []byte {
	var b bytes.Buffer
	if err := podgen.Pods(&b, n); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// listItems gives the text of a list's items.
func listItems(list []byte) []byte {
	from := bytes.Index(list, []byte("\n- ")) + 1
	return list[from : bytes.Index(list, []byte("\nkind: List"))+1]
}

type naiveList struct {
	Items []Pod `json:"items"`
}

func naive(tb testing.TB, list []byte) []Pod {
	var l naiveList
	if err := yaml.Unmarshal(list, &l); err != nil {
		tb.Fatal(err)
	}
	return l.Items
}

// BenchmarkDecode reads 1000 pods with the fast reader; compare with BenchmarkNaive.
func BenchmarkDecode(b *testing.B) {
	items := listItems(podList(b, 1000))
	read := func() {
		d := &Decoder{Set: &Set{}, Report: func(int, string) {}}
		if n, size := d.Items(items, 0, 3, ""); n != 1000 || size != len(items) {
			b.Fatalf("%d items, %d of %d bytes", n, size, len(items))
		}
		d.Close()
	}
	read() // memory is had from the system once
	runtime.GC()
	b.SetBytes(int64(len(items)))
	b.ReportAllocs()
	began := processTime()
	for b.Loop() {
		read()
	}
	b.ReportMetric((processTime()-began).Seconds()*1000/float64(b.N), "cpu-ms/op")
}

// BenchmarkNaive reads the same 1000 pods into the same structs, the list as a whole with the library.
func BenchmarkNaive(b *testing.B) {
	list := podList(b, 1000)
	naive(b, list)
	runtime.GC()
	b.SetBytes(int64(len(list)))
	b.ReportAllocs()
	began := processTime()
	for b.Loop() {
		if n := len(naive(b, list)); n != 1000 {
			b.Fatalf("%d pods", n)
		}
	}
	b.ReportMetric((processTime()-began).Seconds()*1000/float64(b.N), "cpu-ms/op")
}

// BenchmarkPerItem reads them one by one with the library: what the fast reader falls back to.
func BenchmarkPerItem(b *testing.B) {
	items := yamlObjects(string(podList(b, 100)))
	b.ReportAllocs()
	began := processTime()
	for b.Loop() {
		d := &Decoder{Set: &Set{}, Report: func(int, string) {}, careful: true}
		for _, it := range items {
			if err := d.Object(Text{Raw: []byte(it), Line: 1}, ""); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric((processTime()-began).Seconds()*1000/float64(b.N)*10, "cpu-ms/1000pods")
}

// Allocations do not depend on the machine: the bound holds anywhere.
func TestAllocations(t *testing.T) {
	items := listItems(podList(t, 200))
	got := testing.AllocsPerRun(5, func() {
		d := &Decoder{Set: &Set{}, Report: func(int, string) {}}
		d.Items(items, 0, 3, "")
	}) / 200
	t.Logf("%.0f allocations for a pod", got)
	if got > 100 {
		t.Errorf("%.0f allocations for a pod, want at most 100", got)
	}
}

// Every pod of the generator is of kubectl's form, and gives what the library gives.
func TestGeneratedPods(t *testing.T) {
	for i, raw := range yamlObjects(string(podList(t, 40))) {
		if ok, diff := compare([]byte(raw)); !ok || diff != "" {
			t.Errorf("pod %d: accepted %t %s", i, ok, diff)
		}
	}
}
