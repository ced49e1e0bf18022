package bundle

import (
	"bytes"
	"strconv"
	"strings"
)

// format is what the first bytes of a file say it is. File names are never asked: attachments get renamed.
type format string

const (
	formatText   format = "text"
	formatBinary format = "binary"
	formatTar    format = "tar"
	formatZip    format = "zip"
	formatGzip   format = "gzip"
	formatZstd   format = "zstd"
	formatXz     format = "xz"
	formatBzip2  format = "bzip2"
)

// headLen is how much of a file is looked at: one tar header, which says most.
const headLen = 4096

var magics = []struct {
	magic string
	is    format
}{
	{"\x1f\x8b", formatGzip},
	{"\xfd7zXZ\x00", formatXz},
	{"\x28\xb5\x2f\xfd", formatZstd},
	{"BZh", formatBzip2},
	{"PK\x03\x04", formatZip},
	{"PK\x05\x06", formatZip},
	{"PK\x07\x08PK\x03\x04", formatZip},
}

// foreign are kinds of files that people attach and that cannot be read, with what to ask for instead.
var foreign = []struct {
	magic  string
	offset int
	what   string
}{
	{"7z\xbc\xaf\x27\x1c", 0, "a 7z archive: repack it as .zip or .tar.gz"},
	{"Rar!\x1a\x07", 0, "a rar archive: repack it as .zip or .tar.gz"},
	{"\x04\x22\x4d\x18", 0, "an lz4 stream: unpack it, or repack it as .tar.gz"},
	{"\x1f\x9d", 0, "a .Z file of compress: unpack it, or repack it as .tar.gz"},
	{"LZIP", 0, "an lzip file: unpack it, or repack it as .tar.gz"},
	{"\x5d\x00\x00", 0, "an .lzma file: unpack it, or repack it as .tar.xz"},
	{"\x89PNG", 0, "a picture: ask for the text, best the output of kubectl get -o yaml"},
	{"\xff\xd8\xff", 0, "a picture: ask for the text, best the output of kubectl get -o yaml"},
	{"GIF8", 0, "a picture: ask for the text, best the output of kubectl get -o yaml"},
	{"%PDF-", 0, "a PDF: ask for the text, best the output of kubectl get -o yaml"},
	{"\xd0\xcf\x11\xe0", 0, "a mail or office document: save its attachments and give those"},
	{"\x7fELF", 0, "a program"},
	{"Salted__", 0, "encrypted: decrypt it first"},
	{"U2FsdGVkX1", 0, "encrypted: decrypt it first"}, // Salted__ in base64, as openssl -a writes it
	{"-----BEGIN PGP MESSAGE", 0, "encrypted: decrypt it first"},
	{"-----BEGIN AGE ENCRYPTED FILE", 0, "encrypted: decrypt it first"},
	{"age-encryption.org/", 0, "encrypted: decrypt it first"},
	{"\xed\xda\x0c\xed", 16, "an etcd snapshot: ask for the output of kubectl get -o yaml"},
}

// sniff tells what head, the first bytes of a file, begins. For formatBinary what says more, if it is known.
func sniff(head []byte) (f format, what string) {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.magic)) && confirmed(m.is, head) {
			return m.is, ""
		}
	}
	if isTarHeader(head) {
		return formatTar, ""
	}
	for _, m := range foreign {
		if len(head) > m.offset && bytes.HasPrefix(head[m.offset:], []byte(m.magic)) {
			return formatBinary, m.what
		}
	}
	if isZstdSkippable(head) {
		return formatZstd, ""
	}
	if hasNUL(head) {
		return formatBinary, ""
	}
	return formatText, ""
}

// confirmed looks past magics that text could begin with too.
func confirmed(f format, head []byte) bool {
	switch f {
	case formatGzip:
		return len(head) < 3 || head[2] == 8
	case formatBzip2:
		return len(head) >= 10 && head[3] >= '1' && head[3] <= '9' &&
			(string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17rE8P\x90")
	}
	return true
}

// isZstdSkippable recognises a skippable frame, with which pzstd and seekable zstd begin.
func isZstdSkippable(head []byte) bool {
	return len(head) >= 8 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18"
}

// isTarHeader checks the header's checksum, so that old tar without "ustar" is recognised, and text never is.
func isTarHeader(head []byte) bool {
	if len(head) < tarBlock || head[0] == 0 && !bytes.HasPrefix(head[257:], []byte("ustar")) {
		return false
	}
	field := strings.Trim(string(head[148:156]), " \x00")
	want, err := strconv.ParseInt(field, 8, 64)
	if err != nil || want == 0 {
		return false
	}
	var sum, signed int64
	for i, c := range head[:tarBlock] {
		if i >= 148 && i < 156 {
			c = ' '
		}
		sum += int64(c)
		signed += int64(int8(c))
	}
	return want == sum || want == signed
}

// hasNUL looks for NUL bytes, which no text has but UTF-16, where every other byte of ASCII is one.
func hasNUL(head []byte) bool {
	if bytes.IndexByte(head, 0) < 0 {
		return false
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return false
	}
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	half := len(head) / 2
	utf16 := zeros[0] == 0 && zeros[1] > half*3/4 || zeros[1] == 0 && zeros[0] > half*3/4
	return !utf16
}
