package main

import (
	"fmt"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules/docs"
)

// pageOf gives the page of a code, the same file that the documentation links to.
func pageOf(code analyze.Code) (string, error) {
	page, err := docs.FS.ReadFile(string(code) + ".md")
	if err != nil {
		return "", fmt.Errorf("the page of %s is not built in: %w", code, err)
	}
	return string(page), nil
}
