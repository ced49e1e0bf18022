package kube

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Pairs are labels or annotations, in ascending order of their keys and each key once. A pod has few of them, and a map
// would take more memory and time than the rest of its metadata.
type Pairs []Pair

// Pair is one label or annotation.
type Pair struct{ Key, Value string }

// PairsOf puts a map in order; nil stays nil.
func PairsOf(m map[string]string) Pairs {
	if m == nil {
		return nil
	}
	out := make(Pairs, 0, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		out = append(out, Pair{key, m[key]})
	}
	return out
}

// Lookup gives the value of a key, and whether it is there.
func (p Pairs) Lookup(key string) (value string, ok bool) {
	i, ok := slices.BinarySearchFunc(p, key, func(e Pair, key string) int { return strings.Compare(e.Key, key) })
	if !ok {
		return "", false
	}
	return p[i].Value, true
}

// Get gives the value of a key, empty when it is not there.
func (p Pairs) Get(key string) string {
	value, _ := p.Lookup(key)
	return value
}

// Has says whether a key is there.
func (p Pairs) Has(key string) bool {
	_, ok := p.Lookup(key)
	return ok
}

// MarshalJSON writes an object of texts.
func (p Pairs) MarshalJSON() ([]byte, error) {
	m := make(map[string]string, len(p))
	for _, e := range p {
		m[e.Key] = e.Value
	}
	return json.Marshal(m)
}

// UnmarshalJSON reads an object of texts.
func (p *Pairs) UnmarshalJSON(b []byte) error {
	var m map[string]string
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	*p = PairsOf(m)
	return nil
}
