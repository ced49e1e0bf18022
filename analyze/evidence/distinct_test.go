package evidence

import (
	"slices"
	"strconv"
	"testing"
)

func TestDistinct(t *testing.T) {
	a, b, c := Evidence{Field: "a"}, Evidence{Field: "b"}, Evidence{Field: "a", Line: 1}
	if got := Distinct([]Evidence{a, b, a, c, b}); !slices.Equal(got, []Evidence{a, b, c}) {
		t.Errorf("%v", got)
	}
	list := []Evidence{a, b, c}
	if got := Distinct(list); &got[0] != &list[0] {
		t.Error("a list without repetitions is copied")
	}
	var long []Evidence
	for i := range 200 {
		long = append(long, Evidence{Field: strconv.Itoa(i % 100)})
	}
	if got := Distinct(long); len(got) != 100 {
		t.Errorf("%d", len(got))
	}
}
