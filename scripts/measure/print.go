//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"
)

// print writes the table in Markdown, with its columns aligned.
func (m *meter) print(out io.Writer) error {
	plain := m.decoding["whole"].CPU
	rows := [][]string{{"what", "pods", "CPU time", "per 1000 pods", "times the floor", "times less than plain", "peak memory", "allocations per pod"}}
	add := func(what string, n int, r *result, base time.Duration) {
		row := []string{what, fmt.Sprint(n), seconds(r.CPU), seconds(r.CPU * 1000 / time.Duration(n)), "", "", fmt.Sprintf("%d MB", r.peak>>20), ""}
		if base > 0 {
			row[4] = ratio(r.CPU, base)
		}
		row[5] = ratio(plain*time.Duration(n)/reference, r.CPU)
		if r.Allocs > 0 {
			row[7] = fmt.Sprintf("%.0f", r.Allocs/float64(n))
		}
		rows = append(rows, row)
	}
	add("plain decoding: sigs.k8s.io/yaml, the list as a whole", reference, m.decoding["whole"], 0)
	add("decoding with sigs.k8s.io/yaml, item by item", reference, m.decoding["items"], 0)
	add("decoding, ours", reference, m.decoding["ours"], 0)
	if m.plainDecoding != nil {
		add("plain decoding of a longer list", m.plain, m.plainDecoding, 0)
	}
	for _, n := range m.sizes {
		add("floor: gunzip, find lines", n, m.floors[n], 0)
		rows[len(rows)-1][5] = ""
	}
	for _, n := range m.sizes {
		add("whole analysis, .tar.gz to report", n, m.reports[n], m.floors[n].CPU)
	}
	_, err := fmt.Fprintf(out, "%s; %.1f MB of YAML for %d pods; the least CPU time of %d rounds, of one where it is longer than %.0f s.\n"+
		"Plain decoding of N pods is taken as N/%d times the first row.\n\n%s",
		machine(), float64(m.decoding["whole"].Bytes)/1e6, reference, m.rounds, enough.Seconds(), reference, align(rows))
	return err
}

func seconds(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= 100*time.Millisecond:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1000)
	}
	return fmt.Sprintf("%.1f ms", d.Seconds()*1000)
}

func ratio(a, b time.Duration) string {
	r := float64(a) / float64(b)
	if r < 10 {
		return fmt.Sprintf("%.1f", r)
	}
	return fmt.Sprintf("%.0f", r)
}

// align makes a table in Markdown; all columns but the first are numbers.
func align(rows [][]string) string {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell), 2)
		}
	}
	var b strings.Builder
	for n, row := range rows {
		for i, cell := range row {
			space := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				b.WriteString("| " + cell + space)
			} else {
				b.WriteString(" | " + space + cell)
			}
		}
		b.WriteString(" |\n")
		if n == 0 {
			for i, w := range width {
				dashes := strings.Repeat("-", w+1)
				if i == 0 {
					b.WriteString("|" + dashes + "-")
				} else {
					b.WriteString("|" + dashes + ":")
				}
			}
			b.WriteString("|\n")
		}
	}
	return b.String()
}

// machine says what kind of machine this is.
func machine() string {
	kind := fmt.Sprintf("%d CPUs", runtime.NumCPU())
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, found := strings.Cut(string(info), "model name"); found {
			model, _, _ := strings.Cut(strings.TrimLeft(rest, "\t :"), "\n")
			kind += " (" + model + ")"
		}
	}
	return fmt.Sprintf("%s %s/%s, %s", runtime.Version(), runtime.GOOS, runtime.GOARCH, kind)
}
