package main

import (
	"fmt"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// pageOf gives the page of a code.
func pageOf(code analyze.Code) (string, error) {
	return "", fmt.Errorf("the page of %s is not built in", code)
}
