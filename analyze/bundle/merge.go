package bundle

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// merger puts results together in the order of the files.
type merger struct {
	mu      sync.Mutex
	set     *kube.Set
	next    int
	waiting map[int]result
	// problems in order, at most maxProblems of them; more counts the others.
	problems []Problem
	more     int
	// strange are files in which nothing was recognised; the first of them, moreStrange counts the others.
	strange     []Problem
	moreStrange int
	// empty counts files that were recognised and hold nothing: empty lists.
	empty int
	// found counts what was recognised in all files.
	found int
}

type result struct {
	set      kube.Set
	problems []Problem
	// found counts objects that were read and are not in set.
	found int
	// file says that it is that of a file's content.
	file bool
}

func newMerger() *merger { return &merger{set: &kube.Set{}, waiting: map[int]result{}} }

// put takes result number seq, and adds it and those that waited for it.
func (m *merger) put(seq int, r result) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.waiting[seq] = r
	for {
		r, ok := m.waiting[m.next]
		if !ok {
			return
		}
		delete(m.waiting, m.next)
		m.next++
		appendSet(m.set, &r.set)
		found := r.found + setSize(&r.set)
		m.found += found
		if r.file && len(r.problems) == 0 && found == 0 {
			m.empty++
		}
		for _, p := range r.problems {
			m.addProblem(p)
		}
	}
}

func (m *merger) addProblem(p Problem) {
	p.File, p.Message = clip(p.File, maxName), clip(p.Message, 1000)
	switch {
	case p.unrecognised && len(m.strange) < maxStrange:
		m.strange = append(m.strange, p)
	case p.unrecognised:
		m.moreStrange++
	case len(m.problems) < maxProblems:
		m.problems = append(m.problems, p)
	default:
		m.more++
	}
}

// listed gives the problems, with a last line for those that are only counted.
func (m *merger) listed() []Problem {
	if m.more == 0 {
		return m.problems
	}
	return append(m.problems, Problem{Message: fmt.Sprintf("not listed: %d more; a part of the bundle that is given by itself, such as one of its folders, has them listed", m.more)})
}

// appendSet adds every list of src to that of dst. It goes by reflection so that no list added to kube.Set can be
// forgotten here.
func appendSet(dst, src *kube.Set) {
	d, s := reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem()
	for i := range s.NumField() {
		if from := s.Field(i); from.Len() > 0 {
			d.Field(i).Set(reflect.AppendSlice(d.Field(i), from))
		}
	}
}

// setSize counts everything in a set.
func setSize(set *kube.Set) int {
	n := 0
	v := reflect.ValueOf(set).Elem()
	for i := range v.NumField() {
		n += v.Field(i).Len()
	}
	return n
}
