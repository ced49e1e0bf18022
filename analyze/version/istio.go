package version

import (
	"strconv"
	"strings"
)

// IstioAutoMinor gives the minor version that Istio's automatic mode reads from a kubelet's version string, and whether
// it can read the string at all. Istio uses hashicorp/go-version there, which is stricter and laxer than Parse: it
// refuses a capital V, an underscore or a trailing "+", takes "v1" for 1.0, and believes the number of a virtual kubelet.
// Re-implemented from the grammar, not by linking the library: an optional v, dotted digits, then an optional
// pre-release and "+" metadata, both of dot-separated words of letters, digits, "-" and "~".
func IstioAutoMinor(kubelet string) (minor int, ok bool) {
	s := strings.TrimPrefix(kubelet, "v")
	end := 0
	for end < len(s) && (isDigit(s[end]) || s[end] == '.' && end > 0 && isDigit(s[end-1]) && end+1 < len(s) && isDigit(s[end+1])) {
		end++
	}
	if end == 0 || !suffixReadable(s[end:]) {
		return 0, false
	}
	for i, segment := range strings.Split(s[:end], ".") {
		n, err := strconv.ParseInt(segment, 10, 64)
		if err != nil {
			return 0, false
		}
		if i == 1 {
			minor = int(n)
		}
	}
	return minor, true
}

// suffixReadable checks what may follow the number. A pre-release needs no hyphen if it begins with a letter.
func suffixReadable(rest string) bool {
	pre, meta, plus := strings.Cut(rest, "+")
	if plus && !words(meta) {
		return false
	}
	if pre == "" {
		return true
	}
	return pre[0] != '.' && words(pre)
}

func words(s string) bool {
	for _, w := range strings.Split(s, ".") {
		if w == "" || strings.IndexFunc(w, notWordRune) >= 0 {
			return false
		}
	}
	return true
}

func notWordRune(r rune) bool {
	return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' || r == '~')
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
