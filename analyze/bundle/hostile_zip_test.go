package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"
)

// zipOf writes headers with their texts, in order.
func zipOf(t testing.TB, entries ...any) string {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for i := 0; i+1 < len(entries); i += 2 {
		h := &zip.FileHeader{Method: zip.Deflate}
		switch e := entries[i].(type) {
		case string:
			h.Name = e
		case *zip.FileHeader:
			h = e
		}
		f, err := w.CreateHeader(h)
		must(t, err)
		_, err = f.Write([]byte(entries[i+1].(string)))
		must(t, err)
	}
	must(t, w.Close())
	return buf.String()
}

// rawZip writes entries as they are, so that headers can lie.
func rawZip(t testing.TB, headers []*zip.FileHeader, packed []string) string {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for i, h := range headers {
		f, err := w.CreateRaw(h)
		must(t, err)
		_, err = f.Write([]byte(packed[i]))
		must(t, err)
	}
	must(t, w.Close())
	return buf.String()
}

func stored(name, text string, change func(*zip.FileHeader)) *zip.FileHeader {
	h := &zip.FileHeader{Name: name, Method: zip.Store, CompressedSize64: uint64(len(text)), UncompressedSize64: uint64(len(text))}
	if change != nil {
		change(h)
	}
	return h
}

func hostileZips() []hostile {
	three := func(t testing.TB) string {
		return zipOf(t, "one.yaml", pod("one"), "noise.txt", noise(300<<10), "two.yaml", pod("two"))
	}
	lie := func(change func(*zip.FileHeader)) func(testing.TB) string {
		return func(t testing.TB) string {
			return rawZip(t, []*zip.FileHeader{stored("a.yaml", pod("a"), change), crced("one.yaml", pod("one")), crced("two.yaml", pod("two"))},
				[]string{pod("a"), pod("one"), pod("two")})
		}
	}
	return []hostile{
		{name: "zip cut off", pods: 1, says: []string{"no usable directory", "noise.txt:0: ends in the middle"},
			data: func(t testing.TB) string { s := three(t); return s[:len(s)/2] }},
		{name: "zip without its directory", pods: 2, says: []string{"no usable directory"},
			data: func(t testing.TB) string { s := three(t); return s[:strings.Index(s, "PK\x01\x02")] }},
		{name: "zip with a damaged entry", pods: 2, says: []string{"noise.txt:0: "}, data: func(t testing.TB) string {
			b := []byte(three(t))
			for i := range 100 {
				b[len(b)/2+i] = 0xff
			}
			return string(b)
		}},
		{name: "zip with a wrong checksum", pods: 3, says: []string{"a.yaml:0: has a wrong checksum"}, data: lie(func(h *zip.FileHeader) { h.CRC32 = 7 })},
		{name: "zip with a lying size", pods: 3, says: []string{"a.yaml:0: "}, data: lie(func(h *zip.FileHeader) { h.UncompressedSize64 = 1 << 40 })},
		{name: "zip entry beyond the end", pods: 2, says: []string{"a.yaml:0: "}, data: lie(func(h *zip.FileHeader) { h.CompressedSize64 = 1 << 40 })},
		{name: "encrypted entry", pods: 2, says: []string{"a.yaml:0: encrypted entry: not readable: decrypt the archive first"},
			data: lie(func(h *zip.FileHeader) { h.Flags |= 1 })},
		{name: "unknown method", pods: 2, says: []string{"method that is not supported: not readable: repack"},
			data: lie(func(h *zip.FileHeader) { h.Method = 9 })},
		{name: "symbolic link in a zip", pods: 2, says: []string{"symbolic link: not followed"}, data: func(t testing.TB) string {
			h := &zip.FileHeader{Name: "link"}
			h.SetMode(fs.ModeSymlink | 0o777)
			return zipOf(t, "one.yaml", pod("one"), h, "/etc/passwd", "two.yaml", pod("two"))
		}},
		{name: "device in a zip", pods: 2, says: []string{"device, pipe or socket: not opened"}, data: func(t testing.TB) string {
			h := &zip.FileHeader{Name: "dev"}
			h.SetMode(fs.ModeNamedPipe | 0o777)
			return zipOf(t, "one.yaml", pod("one"), h, "", "two.yaml", pod("two"))
		}},
		{name: "climbing name in a zip", pods: 2, says: []string{"absolute, climbing or impossible name: refused (and 1 more of this kind)"},
			data: func(t testing.TB) string {
				return zipOf(t, "one.yaml", pod("one"), `..\..\x.yaml`, pod("x"), "../../x.yaml", pod("x"), "two.yaml", pod("two"))
			}},
		{name: "repeated entry in a zip", pods: 2, says: []string{"pods.yaml:0: repeated entry"},
			data: func(t testing.TB) string { return zipOf(t, "pods.yaml", pod("one"), "pods.yaml", pod("two")) }},
		{name: "bomb in a zip", pods: 2, says: []string{"bomb.yaml:0: was given up: it unpacks to more than 400 times"},
			data: func(t testing.TB) string {
				body := deflated(t, 60)
				return rawZip(t, []*zip.FileHeader{crced("one.yaml", pod("one")), crced("two.yaml", pod("two")),
					{Name: "bomb.yaml", Method: zip.Deflate, CompressedSize64: uint64(len(body)), UncompressedSize64: 300 << 20}},
					[]string{pod("one"), pod("two"), body})
			}},
		{name: "overlapping entries", pods: 1, says: []string{"unpacks to more than 400 times"}, data: overlapping},
		{name: "a directory that claims four billion entries", pods: 2, says: []string{"no usable directory"}, data: func(t testing.TB) string {
			b := []byte(zipOf(t, "one.yaml", pod("one"), "two.yaml", pod("two")))
			end := bytes.LastIndex(b, []byte("PK\x05\x06"))
			binary.LittleEndian.PutUint16(b[end+8:], 0xfffe)
			binary.LittleEndian.PutUint16(b[end+10:], 0xfffe)
			return string(b)
		}},
		{name: "a zip with a directory too large to hold", pods: 1, says: []string{"no usable directory"}, data: func(t testing.TB) string {
			var buf bytes.Buffer
			w := zip.NewWriter(&buf)
			for i := range 150_000 {
				f, err := w.CreateHeader(&zip.FileHeader{Method: zip.Deflate, Name: fmt.Sprintf("%s%d", strings.Repeat("d/", 40), i)})
				must(t, err)
				if i == 100 {
					_, err = io.WriteString(f, pod("one"))
					must(t, err)
				}
			}
			must(t, w.Close())
			return buf.String()
		}},
		{name: "archives ten deep", pods: 1, says: []string{"in more than 8 layers"}, data: func(t testing.TB) string {
			s := pod("deep")
			for i := range 10 {
				s = tarOf(t, fmt.Sprintf("in%d.tar", i), s)
			}
			return tarOf(t, "one.yaml", pod("one"), "in.tar", s)
		}},
		{name: "a thousand archives", pods: 255, says: []string{"archive too many: not opened: no more than 256 archives"}, data: func(t testing.TB) string {
			var all []any
			inner := zipOf(t, "pods.yaml", pod("p"))
			for i := range 1000 {
				all = append(all, fmt.Sprintf("%d.zip", i), inner)
			}
			return tarOf(t, all...)
		}},
		{name: "zip of another zip's name", pods: 1, data: func(t testing.TB) string {
			return zipOf(t, "must-gather.tar.gz", zipOf(t, "pods.yaml", pod("one")))
		}},
	}
}

// crced is a stored entry whose checksum is right.
func crced(name, text string) *zip.FileHeader {
	h := stored(name, text, nil)
	h.CRC32 = crcOf(text)
	return h
}

// deflated repeats four megabytes n times: after a flush, the same block fits again.
func deflated(t testing.TB, n int) string {
	var buf bytes.Buffer
	w, err := flate.NewWriter(&buf, flate.BestCompression)
	must(t, err)
	_, err = io.WriteString(w, bombText("x"))
	must(t, err)
	must(t, w.Flush())
	block := strings.Clone(buf.String())
	must(t, w.Close())
	return strings.Repeat(block, n) + buf.String()[len(block):]
}

// overlapping is the zip bomb of entries that all point at one body: here fifty times a body that is itself harmless.
func overlapping(t testing.TB) string {
	body := noise(1000) + bombText("x")
	s := zipOf(t, "one.yaml", pod("one"), "body00.txt", body)
	dir := strings.Index(s, "PK\x01\x02")
	end := strings.LastIndex(s, "PK\x05\x06")
	second := dir + strings.Index(s[dir+4:], "PK\x01\x02") + 4
	one := s[second:end]
	var all strings.Builder
	all.WriteString(s[:end])
	for i := 1; i < 50; i++ {
		all.WriteString(strings.Replace(one, "body00", fmt.Sprintf("body%02d", i), 1))
	}
	tail := []byte(s[end:])
	le := binary.LittleEndian
	le.PutUint16(tail[8:], 51)
	le.PutUint16(tail[10:], 51)
	le.PutUint32(tail[12:], uint32(all.Len()-dir))
	return all.String() + string(tail)
}
