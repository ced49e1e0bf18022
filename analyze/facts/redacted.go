package facts

import "strings"

// Redacted says that a value was taken out of the bundle by a tool or by hand and is not what the cluster has: the
// marks of this project's collector (<redacted>, and with the length), of troubleshoot (***HIDDEN***), of must-gather
// cleaners and of people (********, xxxxx, REDACTED).
func Redacted(value string) bool {
	v := strings.ToLower(strings.Trim(strings.TrimSpace(value), "\"'<>[](){}*- "))
	switch {
	case value == "":
		return false
	case v == "": // nothing but stars, brackets and dashes
		return strings.ContainsAny(value, "*<[")
	case strings.HasPrefix(v, "redacted"), strings.HasPrefix(v, "hidden"), strings.HasPrefix(v, "masked"), strings.HasPrefix(v, "removed"):
		return true
	}
	return len(v) >= 3 && strings.Trim(v, "x") == ""
}
