package kube

import (
	"regexp"
	"strconv"
	"strings"
	"time"
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

// ParseAge reads an age as kubectl prints it (45s, 5m30s, 4h10m, 13d, 2y40d; of events "5m (x11 over 59m)"). kubectl cuts
// what is below the last unit, so the true age is that or a little more.
func ParseAge(s string) (time.Duration, bool) {
	s, _, _ = strings.Cut(strings.TrimSpace(s), " ")
	var total time.Duration
	for s != "" {
		i := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
		if i <= 0 || i > 9 {
			return 0, false
		}
		n, err := strconv.Atoi(s[:i])
		if err != nil {
			return 0, false
		}
		unit, ok := ageUnit(s[i])
		if !ok {
			return 0, false
		}
		total += time.Duration(n) * unit
		s = s[i+1:]
	}
	return total, total > 0
}

func ageUnit(b byte) (time.Duration, bool) {
	switch b {
	case 's':
		return time.Second, true
	case 'm':
		return time.Minute, true
	case 'h':
		return time.Hour, true
	case 'd':
		return 24 * time.Hour, true
	case 'y':
		return 365 * 24 * time.Hour, true
	}
	return 0, false
}
