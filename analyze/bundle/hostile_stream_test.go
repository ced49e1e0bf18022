package bundle

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strings"
	"testing"
)

// repeated is a stream of n pieces that unpack to four megabytes each: gzip and zstd may stand one after another.
func repeated(t testing.TB, pack func(testing.TB, string) string, fill string, n int) string {
	t.Helper()
	return strings.Repeat(pack(t, bombText(fill)), n)
}

// packBest packs as hard as gzip can, which takes the standard library's.
func packBest(t testing.TB, data string) string {
	t.Helper()
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	must(t, err)
	return packWith(t, &buf, w, data)
}

// bombText is four megabytes of long lines.
func bombText(fill string) string { return strings.Repeat(strings.Repeat(fill, 4095)+"\n", 1<<10) }

func hostileStreams() []hostile {
	onePod := func(t testing.TB) string { return packGzip(t, tarOf(t, "one.yaml", pod("one"))) }
	long := func(t testing.TB) string {
		return packGzip(t, tarOf(t, "one.yaml", pod("one"), "noise.txt", noise(300<<10), "two.yaml", pod("two")))
	}
	return []hostile{
		{name: "gzip cut off", pods: 1, says: []string{"noise.txt:0: ends in the middle, as a cut-off download does; what stands before was read"},
			data: func(t testing.TB) string { s := long(t); return s[:len(s)/2] }},
		{name: "gzip cut off before its checksum", pods: 1, says: []string{"ends in the middle"},
			data: func(t testing.TB) string { s := onePod(t); return s[:len(s)-6] }},
		{name: "gzip with a wrong checksum", pods: 1, says: []string{"the archive has a wrong checksum: what was read of it may be damaged"},
			data: func(t testing.TB) string { b := []byte(onePod(t)); b[len(b)-6] ^= 1; return string(b) }},
		{name: "gzip with a lying size", pods: 1, says: []string{"wrong checksum"},
			data: func(t testing.TB) string { b := []byte(onePod(t)); b[len(b)-1] ^= 1; return string(b) }},
		{name: "gzip with a few bytes damaged", pods: 2, says: []string{"ticket.bin:0: the archive has a wrong checksum"},
			data: func(t testing.TB) string { b := []byte(long(t)); clear(b[len(b)/2 : len(b)/2+4]); return string(b) }},
		{name: "gzip with a hole", pods: 1, says: []string{"noise.txt:0: is damaged"},
			data: func(t testing.TB) string { b := []byte(long(t)); clear(b[len(b)/2:]); return string(b) }},
		{name: "gzip followed by something else", pods: 1, says: []string{"is followed by data that is not gzip"},
			data: func(t testing.TB) string { return onePod(t) + "<html>the proxy's page</html>" }},
		{name: "gzip in two members", pods: 1, data: func(t testing.TB) string {
			s := tarOf(t, "one.yaml", pod("one"))
			return packGzip(t, s[:600]) + packGzip(t, s[600:])
		}},
		{name: "two bytes of gzip", unreadable: true, says: []string{"ends in the middle"}, data: func(testing.TB) string { return "\x1f\x8b" }},
		{name: "gzip of gzip of gzip", pods: 1, data: func(t testing.TB) string { return packGzip(t, packGzip(t, onePod(t))) }},
		{name: "gzip twenty times over", unreadable: true, says: []string{"in more than 8 layers of archives and compression"},
			data: func(t testing.TB) string {
				s := onePod(t)
				for range 20 {
					s = packGzip(t, s)
				}
				return s
			}},
		{name: "gzip bomb", unreadable: true, says: []string{"binary data"}, data: func(t testing.TB) string { return repeated(t, packBest, "\x00", 256) }},
		{name: "gzip bomb of text", pods: 1, says: []string{"it unpacks to more than 400 times its size, as only a decompression bomb does"},
			data: func(t testing.TB) string {
				return packGzip(t, pod("one")+"---\n") + repeated(t, packBest, "x", 25)
			}},
		{name: "bomb in a tar", pods: 2, says: []string{"unpacks to more than 400 times"}, data: func(t testing.TB) string {
			bomb := repeated(t, packBest, "x", 25)
			return packGzip(t, tarOf(t, "one.yaml", pod("one"), "bomb.yaml.gz", bomb, "two.yaml", pod("two")))
		}},
		{name: "more bytes than allowed", pods: 1, opt: Options{MaxBytes: 1 << 20}, says: []string{"(1 MiB, --max-bytes); what comes after was not read"},
			data: func(t testing.TB) string {
				return tarOf(t, "one.yaml", pod("one"), "noise.txt", noise(2<<20), "two.yaml", pod("two"))
			}},
		{name: "zstd cut off", pods: 1, says: []string{"ends in the middle"}, data: func(t testing.TB) string {
			s := packZstd(t, tarOf(t, "one.yaml", pod("one"), "noise.txt", noise(600<<10)))
			return s[:len(s)-100]
		}},
		{name: "zstd with a wrong checksum", pods: 1, says: []string{"wrong checksum"}, data: func(t testing.TB) string {
			b := []byte(packZstd(t, tarOf(t, "one.yaml", pod("one"), "noise.txt", noise(600<<10))))
			b[len(b)-1] ^= 1
			return string(b)
		}},
		{name: "zstd that wants two gigabytes", unreadable: true, says: []string{"window"}, data: func(t testing.TB) string {
			// A frame header with a window of 2 GiB and a block of one byte, repeated.
			return "\x28\xb5\x2f\xfd\x00" + "\xa8" + "\x0b\x00\x00x"
		}},
		{name: "zstd after a skippable frame", pods: 1, data: func(t testing.TB) string {
			return "\x50\x2a\x4d\x18\x04\x00\x00\x00skip" + packZstd(t, tarOf(t, "one.yaml", pod("one")))
		}},
		{name: "zstd bomb", unreadable: true, says: []string{"unpacks to more than 400 times"}, data: func(t testing.TB) string {
			return repeated(t, packZstd, "x", 25)
		}},
		{name: "bzip2", pods: 1, data: func(t testing.TB) string {
			b, err := base64.StdEncoding.DecodeString(bzip2Pod)
			must(t, err)
			return string(b)
		}},
		{name: "bzip2 cut off", unreadable: true, says: []string{"ends in the middle"}, data: func(t testing.TB) string {
			b, err := base64.StdEncoding.DecodeString(bzip2Pod)
			must(t, err)
			return string(b[:len(b)/2])
		}},
	}
}

// noise is text that does not compress well, in lines.
func noise(n int) string {
	var b strings.Builder
	x := uint32(1)
	for b.Len() < n {
		for range 20 {
			x = x*1664525 + 1013904223
			b.WriteByte("abcdefghijklmnopqrstuvwxyz012345"[x>>27])
		}
		b.WriteByte('\n')
	}
	return b.String()[:n]
}

// bzip2Pod is one pod: Go's library only unpacks.
const bzip2Pod = "QlpoOTFBWSZTWdB6A+MAABlbgAAQQAIgEFEAPuvfACAAahppJp6nomRkGmhE2mqaPQQA9RtE3NNaVuyDZkJdQpJzi3KyoBJhf7B9" +
	"MUrw/kXpZmhyt9bJc+sgJScKc9qGQ3qZAKk/2g5VdA/Ay8FhMQWbQGbP+LuSKcKEhoPQHxg="
