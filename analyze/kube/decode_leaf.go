package kube

import "reflect"

// pointer reads a value that may be absent. Truth values and small numbers are all the same few.
func (y *yamlReader) pointer(p *plan, v reflect.Value, parent int) {
	switch p.shape {
	case shapeBool:
		v.Set(reflect.ValueOf(&y.few.truths[y.truth(parent)]))
	case shapeInt:
		n := y.number(parent)
		if n < 0 || n >= int64(len(y.few.numbers)) {
			v.Set(reflect.ValueOf(&n))
			return
		}
		v.Set(reflect.ValueOf(&y.few.numbers[n]))
	default:
		n := reflect.New(p.typ)
		y.value(p, n.Elem(), parent)
		v.Set(n)
	}
}

// fewValues are what pointers to truth values and to small numbers point to.
type fewValues struct {
	truths  [2]bool
	numbers [64]int64
}

func newFewValues() *fewValues {
	f := &fewValues{truths: [2]bool{false, true}}
	for i := range f.numbers {
		f.numbers[i] = int64(i)
	}
	return f
}

// leaf reads a scalar.
func (y *yamlReader) leaf(p *plan, v reflect.Value, parent int) {
	switch p.shape {
	case shapeString, shapeScalar:
		text := y.text(p, parent)
		y.within(text, longestText)
		v.SetString(text)
	case shapeTime:
		*v.Addr().Interface().(*Time) = y.time(y.text(p, parent))
	case shapeInt:
		v.SetInt(y.number(parent))
	case shapeBool:
		v.SetBool(y.truth(parent) == 1)
	}
}

func (y *yamlReader) number(parent int) int64 {
	text, kind := y.bare(parent)
	n, ok := smallInt(text)
	if kind != plainScalar || !ok {
		y.fail()
	}
	return n
}

// truth reads true as 1 and false as 0.
func (y *yamlReader) truth(parent int) int {
	text, kind := y.bare(parent)
	switch {
	case kind == plainScalar && string(text) == "true":
		return 1
	case kind != plainScalar || string(text) != "false":
		y.fail()
	}
	return 0
}

// time parses a time, or gives the one that it gave for the same text lately: those of one pod are few.
func (y *yamlReader) time(text string) Time {
	if len(text) < 8 {
		return ParseTime(text)
	}
	known := &y.times[(text[len(text)-2]^text[len(text)-3]<<3)%byte(len(y.times))]
	if known.Raw != text {
		*known = ParseTime(text)
	}
	return *known
}

// bare reads a scalar that must be there.
func (y *yamlReader) bare(parent int) ([]byte, scalarKind) {
	if !y.inline() {
		y.fail()
		return nil, plainScalar
	}
	if text, ok := y.easy(parent); ok {
		return text, plainScalar
	}
	return y.scalar(parent)
}

// text reads a scalar where text or a time belongs: null and nothing at all are no text.
func (y *yamlReader) text(p *plan, parent int) string {
	if !y.inline() {
		if y.next(); y.col > parent {
			y.fail()
		}
		return ""
	}
	if text, ok := y.easy(parent); ok {
		if len(text) <= 5 && knownWord(text) {
			if string(text) != "null" {
				y.fail()
			}
			return ""
		}
		return y.strings.get(text)
	}
	text, kind := y.scalar(parent)
	switch {
	case y.bad:
		return ""
	case kind != plainScalar, sureText(text), isTimestamp(text), p.shape == shapeScalar && sureNumber(text):
		return y.strings.get(text)
	case string(text) != "null":
		y.fail()
	}
	return ""
}

// smallInt reads up to nine digits.
func smallInt(b []byte) (int64, bool) {
	d := b
	if len(d) > 1 && d[0] == '-' && d[1] != '0' {
		d = d[1:]
	}
	if len(d) == 0 || len(d) > 9 || !digits(d) || d[0] == '0' && len(d) > 1 {
		return 0, false
	}
	var n int64
	for _, c := range d {
		n = n*10 + int64(c-'0')
	}
	if len(d) < len(b) {
		n = -n
	}
	return n, true
}

// sureNumber says that a number or truth value comes back as the text that it is written with.
func sureNumber(b []byte) bool {
	_, ok := smallInt(b)
	return ok || string(b) == "true" || string(b) == "false"
}
