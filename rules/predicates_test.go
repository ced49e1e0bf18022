package rules

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
)

// The names that issues may use and the observations that are implemented are the same: a name without an observation
// would silence its bugs, an observation without a name could not be asked for.
func TestEveryPredicateIsImplemented(t *testing.T) {
	known := map[string]bool{}
	for _, p := range knowledge.Predicates() {
		known[p.Name] = true
		if predicates[p.Name] == nil {
			t.Errorf("predicate %s (%s) has no implementation", p.Name, p.Means)
		}
	}
	for name := range predicates {
		if !known[name] {
			t.Errorf("predicate %s is not among those that package knowledge lists", name)
		}
	}
}
