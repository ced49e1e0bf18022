package evidence

import "slices"

// Distinct gives the observations without those that stand before already. A list in which none does is given as it is.
func Distinct(list []Evidence) []Evidence {
	const short = 32
	if len(list) <= short && !repeats(list) {
		return list
	}
	seen := make(map[Evidence]bool, len(list))
	out := make([]Evidence, 0, len(list))
	for _, e := range list {
		if !seen[e] {
			seen[e] = true
			out = append(out, e)
		}
	}
	return out
}

func repeats(list []Evidence) bool {
	for i, e := range list {
		if slices.Contains(list[:i], e) {
			return true
		}
	}
	return false
}
