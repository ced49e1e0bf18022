package kube

import (
	"regexp"
	"strconv"
)

var ageCount = regexp.MustCompile(`\(x(\d+) over `)

// AgeCount gives how often an event happened as its age in a table tells it: 11 for "5m (x11 over 59m)", else 1.
func AgeCount(age string) int64 {
	if m := ageCount.FindStringSubmatch(age); m != nil {
		if n, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			return n
		}
	}
	return 1
}
