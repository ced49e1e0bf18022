package bundle

import (
	"archive/tar"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// tarOf writes headers with their texts; a header without a size gets that of its text.
func tarOf(t testing.TB, entries ...any) string {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for i := 0; i < len(entries); i++ {
		h := &tar.Header{Typeflag: tar.TypeReg, Mode: 0o644}
		switch e := entries[i].(type) {
		case string:
			h.Name = e
		case tar.Header:
			h = &e
		}
		text := ""
		if h.Typeflag == tar.TypeReg {
			i++
			text = entries[i].(string)
			h.Size = int64(len(text))
		}
		must(t, w.WriteHeader(h))
		_, err := w.Write([]byte(text))
		must(t, err)
	}
	must(t, w.Close())
	return buf.String()
}

// beside puts a header between two pods.
func beside(h tar.Header) func(testing.TB) string {
	return func(t testing.TB) string {
		if h.Typeflag == tar.TypeReg {
			return tarOf(t, "a/one.yaml", pod("one"), h, pod("between"), "a/two.yaml", pod("two"))
		}
		return tarOf(t, "a/one.yaml", pod("one"), h, "a/two.yaml", pod("two"))
	}
}

// resum writes the checksum of the header at offset anew, after change.
func resum(data string, offset int, change func([]byte)) string {
	b := []byte(data)
	h := b[offset : offset+512]
	change(h)
	copy(h[148:156], "        ")
	sum := 0
	for _, c := range h {
		sum += int(c)
	}
	copy(h[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return string(b)
}

func hostileTars() []hostile {
	two := func(t testing.TB) string { return tarOf(t, "one.yaml", pod("one"), "two.yaml", pod("two")) }
	return []hostile{
		{name: "symbolic link", pods: 2, says: []string{"a/link:0: symbolic link: not followed"},
			data: beside(tar.Header{Name: "a/link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"})},
		{name: "hard link", pods: 2, says: []string{"hard link: not followed"},
			data: beside(tar.Header{Name: "a/link", Typeflag: tar.TypeLink, Linkname: "../../etc/passwd"})},
		{name: "character device", pods: 2, says: []string{"device, pipe or socket: not opened"},
			data: beside(tar.Header{Name: "a/zero", Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 5})},
		{name: "pipe in a tar", pods: 2, says: []string{"device, pipe or socket: not opened"},
			data: beside(tar.Header{Name: "a/pipe", Typeflag: tar.TypeFifo})},
		{name: "entry of an unknown type", pods: 2, says: []string{"entry of an unknown type: not read"},
			data: func(t testing.TB) string {
				return tarOf(t, "one.yaml", pod("one"))[:1024] + resumType(t, 'Z')[:1024] + tarOf(t, "two.yaml", pod("two"))
			}},
		{name: "absolute name", pods: 2, says: []string{"/etc/cron.d/x:0: entry with an absolute, climbing or impossible name: refused"},
			data: beside(tar.Header{Name: "/etc/cron.d/x", Typeflag: tar.TypeReg})},
		{name: "climbing name", pods: 2, says: []string{"a/../../x:0: entry with an absolute, climbing"},
			data: beside(tar.Header{Name: "a/../../x", Typeflag: tar.TypeReg})},
		{name: "climbing name of Windows", pods: 2, says: []string{"absolute, climbing"},
			data: beside(tar.Header{Name: `a\..\..\x`, Typeflag: tar.TypeReg})},
		{name: "drive letter", pods: 2, says: []string{"absolute, climbing"},
			data: beside(tar.Header{Name: `C:\Windows\x`, Typeflag: tar.TypeReg})},
		{name: "name of 100 kB", pods: 2, says: []string{"absolute, climbing or impossible"},
			data: beside(tar.Header{Name: strings.Repeat("n", 100<<10), Typeflag: tar.TypeReg, Format: tar.FormatGNU})},
		{name: "name of 300 bytes is no attack", pods: 3,
			data: beside(tar.Header{Name: "a/" + strings.Repeat("n/", 150) + "pods.yaml", Typeflag: tar.TypeReg})},
		{name: "header bomb", pods: 2, says: []string{"a damaged entry; reading went on at the next good one"}, data: func(t testing.TB) string {
			return tarOf(t, "one.yaml", pod("one")) + paxBomb(t) + tarOf(t, "two.yaml", pod("two"))
		}},
		{name: "repeated entry", pods: 3, says: []string{"pods.yaml:0: repeated entry: all copies were read (and 1 more of this kind)"},
			data: func(t testing.TB) string {
				return tarOf(t, "pods.yaml", pod("one"), "./pods.yaml", pod("two"), "x/../pods.yaml", pod("x"), "pods.yaml", pod("three"))
			}},
		{name: "sparse file of a terabyte", pods: 2, says: []string{"sparse file: not read"}, data: sparseTar},
		{name: "size far beyond the end", pods: 1, says: []string{"ticket.bin:0: the archive ends in the middle"}, data: func(t testing.TB) string {
			s := tarOf(t, "one.yaml", pod("one"))[:1024]
			return s + resum(tarOf(t, "two.yaml", "kind: Pod\n"), 0, func(h []byte) { copy(h[124:136], "77777777777\x00") })
		}},
		{name: "negative size", pods: 2, says: []string{"a damaged entry; reading went on"}, data: func(t testing.TB) string {
			bad := resum(tarOf(t, "bad.yaml", ""), 0, func(h []byte) { copy(h[124:136], strings.Repeat("\xff", 12)) })[:512]
			return tarOf(t, "one.yaml", pod("one"))[:1024] + bad + tarOf(t, "two.yaml", pod("two"))
		}},
		{name: "wrong checksum of a header", pods: 2, says: []string{"a damaged entry; reading went on"}, data: func(t testing.TB) string {
			b := []byte(tarOf(t, "one.yaml", pod("one"), "bad.yaml", pod("bad"), "two.yaml", pod("two")))
			b[1024+1] ^= 0x20
			return string(b)
		}},
		{name: "only a damaged header follows", pods: 1, says: []string{"a damaged entry, and no good one after it"}, data: func(t testing.TB) string {
			b := []byte(two(t))
			b[1024+1] ^= 0x20
			return string(b)
		}},
		{name: "tar cut off in a header", pods: 1, says: []string{"ticket.bin:0: the archive ends in the middle"},
			data: func(t testing.TB) string { return two(t)[:1024+100] }},
		{name: "tar cut off in a file", pods: 1, says: []string{"two.yaml:0: ends in the middle"},
			data: func(t testing.TB) string { return two(t)[:1024+512+20] }},
		{name: "tar without its end", pods: 2, says: []string{"the archive has no end mark"}, data: func(t testing.TB) string { return two(t)[:2048] }},
		{name: "tar after tar", pods: 4, says: []string{"repeated entry"}, data: func(t testing.TB) string { return two(t) + two(t) }},
		{name: "old tar without ustar", pods: 2, data: func(t testing.TB) string {
			s := two(t)
			for _, at := range []int{0, 1024} {
				s = resum(s, at, func(h []byte) { clear(h[257:265]) })
			}
			return s
		}},
		{name: "empty tar", unreadable: true, data: func(t testing.TB) string { return tarOf(t) }, says: []string{"binary data"}},
		{name: "a hundred thousand entries", pods: 1, data: func(t testing.TB) string { return manyEntries(t, 100_000) }},
		{name: "more entries than allowed", pods: 1, opt: Options{MaxFiles: 1000}, says: []string{"(1000, --max-files); what comes after was not read"},
			data: func(t testing.TB) string { return manyEntries(t, 5000) }},
		{name: "names with escape codes", pods: 3, data: beside(tar.Header{Name: "a/\x1b[2J\u202epods.yaml", Typeflag: tar.TypeReg})},
	}
}

func resumType(t testing.TB, typ byte) string {
	return resum(tarOf(t, "odd", "data"), 0, func(h []byte) { h[156] = typ })
}

// paxBomb is an extended header of two megabytes in front of a file.
func paxBomb(t testing.TB) string {
	head := resum(tarOf(t, "x", strings.Repeat("a", 2<<20)), 0, func(h []byte) { h[156] = 'x' })
	return head[:512+2<<20]
}

func sparseTar(t testing.TB) string {
	s := tarOf(t, "one.yaml", pod("one"), tar.Header{Name: "hole", Typeflag: tar.TypeReg, Format: tar.FormatPAX,
		PAXRecords: map[string]string{"SCHILY.xattr.x": "GNU.sparse.map"}}, "x", "two.yaml", pod("two"))
	// The library writes no sparse files: make one of a record of the same length.
	s = strings.Replace(s, "SCHILY.xattr.x=GNU.sparse.map", "GNU.sparse.size=1099511627776", 1)
	return s
}

func manyEntries(t testing.TB, n int) string {
	var buf bytes.Buffer
	buf.WriteString(tarOf(t, "one.yaml", pod("one"))[:1024])
	w := tar.NewWriter(&buf)
	for i := range n {
		must(t, w.WriteHeader(&tar.Header{Name: fmt.Sprintf("d%d/f%d", i%1000, i), Typeflag: tar.TypeReg}))
	}
	must(t, w.Close())
	return buf.String()
}
