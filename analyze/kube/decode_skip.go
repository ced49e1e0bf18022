package kube

import "encoding/binary"

// skip moves over a value that nobody wants, behind its key, whose parent stands at a column. It is tokenized like any
// other: by indentation alone it could not be told where it ends, for a quoted scalar may go on anywhere.
func (y *yamlReader) skip(parent int) {
	if y.inline() {
		y.skipScalar(parent)
		return
	}
	if y.bad || !y.deeper() {
		return
	}
	if y.next(); y.col > parent && !y.dash {
		y.skipMapping(y.col)
	} else if y.dash && y.col >= parent {
		y.skipList(y.col)
	}
	y.depth--
}

func (y *yamlReader) skipMapping(col int) {
	for y.col == col && !y.dash {
		if y.skim(col) {
			continue
		}
		key := y.key()
		if y.bad {
			return
		}
		if len(key) > 0 && !sureText(key) && string(key) != "." {
			y.fail()
			return
		}
		y.skip(col)
	}
	if y.col > col || y.col == col && y.dash {
		y.fail()
	}
}

func (y *yamlReader) skipList(col int) {
	for y.col == col && y.dash {
		y.enter()
		switch {
		case y.bad || !y.deeper():
			return
		case y.dash:
			y.skipList(y.col)
		case y.startsMapping():
			y.skipMapping(y.col)
		default:
			y.skipScalar(col)
		}
		y.depth--
	}
	if y.col > col {
		y.fail()
	}
}

// startsMapping says whether a list item begins with a key rather than with a scalar.
func (y *yamlReader) startsMapping() bool {
	b := y.b
	c := b[y.i]
	if c == '"' || c == '\'' {
		ahead := y.lexer
		ahead.quotedKey(c)
		return !ahead.bad
	}
	if !keyStart[c] {
		return false
	}
	for j := y.i; j < len(b); j++ {
		switch b[j] {
		case ':':
			if j+1 >= len(b) || b[j+1] == ' ' || b[j+1] == '\n' {
				return true
			}
		case ' ', '\n':
			return false
		}
	}
	return false
}

// stringCache keeps strings that were read lately, so that what every pod repeats is in memory once. It is of one size
// whatever it is given.
type stringCache struct{ slots []string }

const (
	cachedStrings = 4096
	cachedLength  = 320 // what an injector writes into an annotation is as long, and the same in many pods
)

// get gives a string of its own for a text.
func (s *stringCache) get(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > cachedLength {
		return string(b)
	}
	if s.slots == nil {
		s.slots = make([]string, cachedStrings)
	}
	slot := &s.slots[cacheSlot(b)]
	if *slot != string(b) {
		*slot = string(b)
	}
	return *slot
}

// cacheSlot hashes length, beginning and end: names that a list repeats differ in one of them.
func cacheSlot(b []byte) uint64 {
	var first, last uint64
	if n := len(b); n >= 8 {
		first, last = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[n-8:])
	} else {
		for _, c := range b {
			first = first<<8 | uint64(c)
		}
	}
	h := (uint64(len(b))*0x9e3779b97f4a7c15 ^ first) * 0xff51afd7ed558ccd
	h = (h ^ h>>32 ^ last) * 0xc4ceb9fe1a85ec53
	return h >> 32 % cachedStrings
}
