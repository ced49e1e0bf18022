package bundle

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

func crcOf(s string) uint32 { return crc32.ChecksumIEEE([]byte(s)) }

// xzStream is a stream header without check values, and blocks that ask for a window each and hold the bytes "a\n".
func xzStream(window byte, blocks int) string {
	var b bytes.Buffer
	b.WriteString("\xfd7zXZ\x00\x00\x00")
	_ = binary.Write(&b, binary.LittleEndian, crcOf("\x00\x00"))
	head := "\x02\x00\x21\x01" + string(window) + "\x00\x00\x00"
	for range blocks {
		b.WriteString(head)
		_ = binary.Write(&b, binary.LittleEndian, crcOf(head))
		b.WriteString("\x01\x00\x01a\n\x00\x00\x00")
	}
	return b.String()
}

func hostileXz() []hostile {
	good := func(t testing.TB) string {
		return packXz(t, tarOf(t, "one.yaml", pod("one"), "noise.txt", noise(200<<10)))
	}
	return []hostile{
		{name: "xz cut off", pods: 1, says: []string{"ends in the middle"}, data: func(t testing.TB) string { s := good(t); return s[:len(s)*2/3] }},
		{name: "xz with a wrong checksum", pods: 1, says: []string{"wrong checksum"}, data: func(t testing.TB) string {
			// The check value stands before the index and the footer, 12 bytes each here.
			b := []byte(packXz(t, tarOf(t, "one.yaml", pod("one"))))
			b[len(b)-12-8-8] ^= 1
			return string(b)
		}},
		{name: "xz with a damaged header", unreadable: true, says: []string{"is damaged"}, data: func(t testing.TB) string {
			b := []byte(good(t))
			b[8] ^= 1
			return string(b)
		}},
		{name: "xz that wants four gigabytes", unreadable: true, says: []string{"it needs a window of 4 GiB, more than the 128 MiB allowed"},
			data: func(testing.TB) string { return xzStream(40, 1) }},
		{name: "xz with a window for every block", unreadable: true, says: []string{"unpacks to more than 400 times"},
			data: func(testing.TB) string { return xzStream(30, 100_000) }},
		{name: "xz in two streams with padding", pods: 1, data: func(t testing.TB) string {
			s := tarOf(t, "one.yaml", pod("one"))
			return packXz(t, s[:600]) + "\x00\x00\x00\x00" + packXz(t, s[600:])
		}},
		{name: "xz with a filter for programs", unreadable: true, says: []string{"a filter that is not supported"}, data: func(testing.TB) string {
			return strings.Replace(xzStream(20, 1), "\x02\x00\x21\x01\x14\x00\x00\x00"+le32(crcOf("\x02\x00\x21\x01\x14\x00\x00\x00")),
				"\x02\x00\x04\x01\x14\x00\x00\x00"+le32(crcOf("\x02\x00\x04\x01\x14\x00\x00\x00")), 1)
		}},
	}
}

func le32(v uint32) string { return string(binary.LittleEndian.AppendUint32(nil, v)) }

// TestXzChecks reads every kind of check value that is verified, and many blocks.
func TestXzChecks(t *testing.T) {
	text := noise(300 << 10)
	for _, check := range []byte{xz.None, xz.CRC32, xz.CRC64, xz.SHA256} {
		var buf bytes.Buffer
		w, err := xz.WriterConfig{CheckSum: check, NoCheckSum: check == xz.None, BlockSize: 64 << 10, DictCap: 1 << 16}.NewWriter(&buf)
		must(t, err)
		packWith(t, &buf, w, text)
		for cut := 0; cut < 3; cut++ {
			b := buf.Bytes()[:buf.Len()-cut*40]
			got, err := readAllXz(b)
			if cut == 0 && (err != nil || got != text) || cut > 0 && err == nil {
				t.Errorf("check %d, cut %d: %d bytes, %v", check, cut, len(got), err)
			}
		}
	}
}
