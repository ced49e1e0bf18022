package kube

import "bytes"

// block reads a literal block: |, |-, |+, with a digit for its indentation when its first line is indented itself.
func (l *lexer) block(parent int) []byte {
	chomp, indent := byte(0), 0
	for l.i++; l.i < len(l.b) && l.b[l.i] != '\n'; l.i++ {
		switch c := l.b[l.i]; {
		case (c == '-' || c == '+') && chomp == 0:
			chomp = c
		case c >= '1' && c <= '9' && indent == 0:
			indent = max(parent, 0) + int(c-'0')
		default:
			l.fail()
			return nil
		}
	}
	l.buf = l.buf[:0]
	breaks := 0 // line breaks that are not yet written
	for first := true; ; first = false {
		blank, ok := l.blockLine(parent, &indent, first)
		if !ok {
			break
		}
		breaks += blank
		for ; breaks > 0; breaks-- {
			l.buf = append(l.buf, '\n')
		}
		end := bytes.IndexByte(l.b[l.i:], '\n')
		if end < 0 {
			l.buf = append(l.buf, l.b[l.i:]...)
			l.i = len(l.b)
			l.next()
			return l.buf // without a last line break there is nothing to keep or to cut
		}
		l.buf = append(l.buf, l.b[l.i:l.i+end]...)
		l.i += end
		breaks = 1
	}
	return l.chomped(chomp)
}

// blockLine moves from a line's end to the text of the block's next line, and counts the blank lines between. False
// means that the block ends here; the lexer stays at the end of its last line.
func (l *lexer) blockLine(parent int, indent *int, first bool) (blank int, ok bool) {
	b := l.b
	for j := l.i; j < len(b); {
		start := j + 1
		j = start
		for j < len(b) && b[j] == ' ' && (*indent == 0 || j-start < *indent) {
			j++
		}
		switch {
		case j >= len(b):
			if j > start {
				l.fail() // blanks at the end of the text
			}
			return 0, false
		case b[j] == '\n':
			if first && j > start {
				l.fail() // leading blank lines with blanks decide on the indentation in ways of their own
				return 0, false
			}
			blank++
			continue
		case *indent == 0 && j-start > parent:
			*indent = j - start
		case *indent == 0 || j-start < *indent:
			if first {
				l.fail() // no content
			}
			return 0, false
		}
		l.i = j
		l.line += blank + 1
		return blank, true
	}
	return 0, false
}

// chomped ends a block: its last line break is kept but for |-, and the blank lines behind it for |+.
func (l *lexer) chomped(chomp byte) []byte {
	if l.bad || len(l.buf) == 0 {
		l.fail()
		return nil
	}
	if l.i < len(l.b) && chomp != '-' {
		l.buf = append(l.buf, '\n')
	}
	if chomp == '+' {
		for j := l.i + 1; j < len(l.b); j++ {
			k := j
			for k < len(l.b) && l.b[k] == ' ' {
				k++
			}
			if k >= len(l.b) || l.b[k] != '\n' {
				break
			}
			l.buf = append(l.buf, '\n')
			j = k
		}
	}
	l.next()
	return l.buf
}
