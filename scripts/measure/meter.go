//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// meter runs what is to be measured.
type meter struct {
	analyzer, dir string
	sizes         []int
	rounds        int
	plain         int // pods of one more list to decode as a whole

	decoding        map[string]*result // by way
	plainDecoding   *result
	floors, reports map[int]*result // by pods
}

// result is the least that was needed in any round, and the most memory.
type result struct {
	cost
	peak int64 // bytes of memory of the process
}

func (r *result) add(c cost, peak int64) {
	if r.CPU == 0 || c.CPU < r.CPU {
		r.cost = c
	}
	r.peak = max(r.peak, peak)
}

// reference is how many pods are decoded.
const reference = 1000

// enough is how long a measurement must be to be done only once: disturbances even out in it.
const enough = 10 * time.Second

// measure does all that is to be measured once in each round: what disturbs a shared machine for a while so disturbs
// one round of each, and not all rounds of one.
func (m *meter) measure() error {
	m.decoding, m.floors, m.reports = map[string]*result{}, map[int]*result{}, map[int]*result{}
	for way := range ways {
		m.decoding[way] = &result{}
	}
	for _, n := range m.sizes {
		m.floors[n], m.reports[n] = &result{}, &result{}
		if _, err := child("archive", strconv.Itoa(n), m.archive(n)); err != nil {
			return err
		}
	}
	for range m.rounds {
		for _, way := range slices.Sorted(maps.Keys(ways)) {
			if err := m.decoding[way].decode(way, reference); err != nil {
				return err
			}
		}
		for _, n := range m.sizes {
			if m.reports[n].CPU > enough {
				continue
			}
			if err := m.size(n); err != nil {
				return err
			}
		}
	}
	if m.plain > 0 {
		m.plainDecoding = &result{}
		return m.plainDecoding.decode("whole", m.plain)
	}
	return nil
}

func (m *meter) archive(n int) string { return filepath.Join(m.dir, fmt.Sprintf("pods-%d.tar.gz", n)) }

func (r *result) decode(way string, n int) error {
	ran, err := child("decode", way, strconv.Itoa(n))
	if err != nil {
		return err
	}
	var c cost
	if err := json.Unmarshal(ran.out, &c); err != nil {
		return fmt.Errorf("decode %s: %w", way, err)
	}
	r.add(c, ran.peak)
	return nil
}

// size measures the analysis of an archive, and the floor of it.
func (m *meter) size(n int) error {
	ran, err := child("floor", m.archive(n))
	if err != nil {
		return err
	}
	m.floors[n].add(cost{CPU: ran.cpu}, ran.peak)
	ran, err = process(m.analyzer, m.archive(n))
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 { // the report has errors in it, as it should
		err = nil
	}
	if err != nil {
		return err
	}
	if !bytes.Contains(ran.out, []byte("HeldBySidecar")) {
		return fmt.Errorf("%s: not the report that was expected", m.archive(n))
	}
	m.reports[n].add(cost{CPU: ran.cpu}, ran.peak)
	return nil
}

// ran is a process that has ended.
type ran struct {
	out  []byte // the beginning of what it printed
	cpu  time.Duration
	peak int64
}

// child runs this program.
func child(args ...string) (ran, error) {
	self, err := os.Executable()
	if err != nil {
		return ran{}, err
	}
	return process(self, args...)
}

func process(name string, args ...string) (ran, error) {
	var out, errOut beginning
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%s %v: %w\n%s", filepath.Base(name), args, err, errOut)
	}
	r := ran{out: out}
	if s := cmd.ProcessState; s != nil {
		r.cpu = s.UserTime() + s.SystemTime()
		if u, ok := s.SysUsage().(*syscall.Rusage); ok {
			r.peak = u.Maxrss
			if runtime.GOOS != "darwin" { // which alone counts bytes
				r.peak <<= 10
			}
		}
	}
	return r, err
}

// beginning keeps the first of what is written to it: a report on a hundred thousand pods is long.
type beginning []byte

func (b *beginning) Write(p []byte) (int, error) {
	*b = append(*b, p[:min(len(p), 1<<20-len(*b))]...)
	return len(p), nil
}
