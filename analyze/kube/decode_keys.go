package kube

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// knownKey is a key that was met in structs of one type before, and what it was found to be. Pods have the same two
// hundred keys in the same order; the next key is nearly always one of the next few, and to compare eight bytes is
// quicker than to read a key, to judge it and to look it up.
type knownKey struct {
	text       []byte // with its colon
	word, mask uint64 // its first eight bytes
	f          *field // nil for a key that nobody wants
	key        string // of a map
	hash       uint32 // of key
}

// knownKeys are those of one type, in ascending order.
type knownKeys struct{ keys []knownKey }

// maxKnownKeys bounds them.
const maxKnownKeys = 64

// nextKnown reads the key here if it is known, and not before the position that at gives.
func (y *yamlReader) nextKnown(known *knownKeys, at int) (*knownKey, int) {
	b := y.b[y.i:]
	if len(b) < 8 {
		return nil, at
	}
	word := binary.LittleEndian.Uint64(b)
	for ; at < len(known.keys); at++ {
		k := &known.keys[at]
		if word&k.mask != k.word || len(k.text) > 8 && !bytes.HasPrefix(b[8:], k.text[8:]) {
			continue
		}
		n := len(k.text)
		if n < len(b) && b[n] != ' ' && b[n] != '\n' {
			return nil, at // a longer key
		}
		y.i += n
		y.behindColon()
		return k, at + 1
	}
	return nil, at
}

// newKey reads a key that is not known, and remembers it. It must be greater than the one before, so that none is there
// twice.
func (y *yamlReader) newKey(p *plan, known *knownKeys, last []byte) (*knownKey, int) {
	quoted := y.b[y.i] == '"' || y.b[y.i] == '\''
	key := y.key()
	if y.bad || last != nil && bytes.Compare(key, last) <= 0 {
		y.fail()
		return nil, 0
	}
	k := knownKey{f: p.field(string(key))}
	if k.f == nil && (p.nearly(key) || !sureText(key) && string(key) != ".") {
		y.fail() // the library might take it for one of ours, or for no string
		return nil, 0
	}
	return known.add(k, key, quoted)
}

// newEntry reads a key of a map that is not known, and remembers it.
func (y *yamlReader) newEntry(known *knownKeys, last []byte) (*knownKey, int) {
	quoted := y.b[y.i] == '"' || y.b[y.i] == '\''
	key := y.key()
	if y.bad || last != nil && bytes.Compare(key, last) <= 0 || !quoted && !sureText(key) {
		y.fail()
		return nil, 0
	}
	k := knownKey{key: y.strings.get(key)}
	k.hash = hash(k.key)
	return known.add(k, key, quoted)
}

// add puts a key among the known ones, if there is room and it was not quoted, and gives it and the position behind it.
func (known *knownKeys) add(k knownKey, key []byte, quoted bool) (*knownKey, int) {
	k.text = append(slices.Clone(key), ':')
	at, there := slices.BinarySearchFunc(known.keys, key, func(e knownKey, key []byte) int { return bytes.Compare(e.name(), key) })
	if quoted || there || len(known.keys) >= maxKnownKeys {
		return &k, at
	}
	k.word, k.mask = firstWord(k.text)
	known.keys = slices.Insert(known.keys, at, k)
	return &k, at + 1
}

func (k *knownKey) name() []byte { return k.text[:len(k.text)-1] }

func firstWord(text []byte) (word, mask uint64) {
	for i, c := range text[:min(8, len(text))] {
		word |= uint64(c) << (8 * i)
		mask |= 0xff << (8 * i)
	}
	return word, mask
}
