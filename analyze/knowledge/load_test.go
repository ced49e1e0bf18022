package knowledge

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/rules/data"
)

// base loads the real tables.
func base(t testing.TB) *Base {
	t.Helper()
	b, err := Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRealDataIsClean(t *testing.T) {
	for _, err := range Lint(data.FS) {
		t.Error(err)
	}
}
