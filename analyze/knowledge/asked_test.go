package knowledge

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestFeaturesAskedForExist: a rule that asks for a feature nobody wrote down would get "maybe" for ever.
func TestFeaturesAskedForExist(t *testing.T) {
	b := base(t)
	asks := regexp.MustCompile(`(?:\bHas|\bdoes)\("([a-z0-9-]+)"`)
	files, err := filepath.Glob("../../rules/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asks.FindAllStringSubmatch(string(raw), -1) {
			if _, ok := b.Feature(m[1]); !ok {
				t.Errorf("%s asks for feature %s, which rules/data does not have", filepath.Base(name), m[1])
			}
		}
	}
}
