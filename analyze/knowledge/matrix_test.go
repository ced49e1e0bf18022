package knowledge

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestMatrixGolden makes a change of data visible as changed cells.
func TestMatrixGolden(t *testing.T) {
	const golden = "testdata/matrix.golden"
	got := base(t).Matrix().Text()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the matrix changed; look at the difference and run with -update if it is meant:\n%s", got)
	}
}
