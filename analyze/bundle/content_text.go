package bundle

import (
	"bytes"
	"encoding/binary"
	"errors"
	"unicode/utf16"
)

var errBinary = errors.New("no text: neither YAML, JSON nor the output of kubectl")

// plainText brings text to UTF-8 without byte order mark and with LF line ends. Text of PowerShell 5 is UTF-16 with
// CRLF. It fails for binary content.
func plainText(b []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(b, []byte{0xef, 0xbb, 0xbf}):
		b = b[3:]
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		b = fromUTF16(b[2:], binary.LittleEndian)
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		b = fromUTF16(b[2:], binary.BigEndian)
	}
	if bytes.IndexByte(b[:min(len(b), 8192)], 0) >= 0 {
		return nil, errBinary
	}
	if bytes.IndexByte(b, '\r') >= 0 {
		b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
		b = bytes.ReplaceAll(b, []byte("\r"), []byte("\n"))
	}
	return b, nil
}

func fromUTF16(b []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}
