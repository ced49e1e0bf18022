package knowledge

import (
	"slices"
	"strings"
)

// misspellingDistance is how many letters a key may be off to be taken for a misspelling of the annotation.
const misspellingDistance = 3

// AnnotationMisspelling reports whether a key was most likely meant to be the annotation that Istio reads, and gives the
// right key. Listed misspellings count, and keys that differ in a few letters or only in case.
func (b *Base) AnnotationMisspelling(key string) (meant string, ok bool) {
	right := b.t.istio.AnnotationKey
	if key == right || key == "" {
		return "", false
	}
	if slices.Contains(b.t.istio.Misspelled, key) || strings.EqualFold(key, right) {
		return right, true
	}
	domain, name, found := strings.Cut(key, "/")
	rightDomain, rightName, _ := strings.Cut(right, "/")
	if !found || distance(domain, rightDomain) > 2 {
		return "", false
	}
	if distance(strings.ToLower(name), strings.ToLower(rightName)) <= misspellingDistance {
		return right, true
	}
	return "", false
}

// ForeignAnnotation reports whether a key is another product's annotation of the same purpose, and names the product.
func (b *Base) ForeignAnnotation(key string) (product string, ok bool) {
	for _, f := range b.t.istio.Foreign {
		if f.Key == key {
			return f.Product, true
		}
	}
	return "", false
}

// MisspellingSources gives references for the misspellings.
func (b *Base) MisspellingSources() []string { return b.refs(b.t.istio.MisspelledSources) }

// distance is the Levenshtein distance in bytes, as far as it matters: texts of very different lengths are far apart.
func distance(a, b string) int {
	if apart := max(len(a), len(b)) - min(len(a), len(b)); apart > misspellingDistance {
		return apart // at least, and far enough
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(row[j]+1, row[j+1]+1, diagonal+cost)
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
