package bundle

import "errors"

// UnreadableError says that nothing could be read, and what to do about it. The command maps it to exit status 2.
type UnreadableError struct {
	// Source is what was given; Reason is what is wrong with it.
	Source, Reason string
	// Hint is what to do next, a sentence.
	Hint string
	// Err is the cause, if there is one.
	Err error
}

// Error gives one or two sentences: what is wrong, and what to do.
func (e *UnreadableError) Error() string {
	s := "cannot read " + e.Source + ": " + e.Reason
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// Unwrap gives the cause.
func (e *UnreadableError) Unwrap() error { return e.Err }

// IsUnreadable says whether err means that nothing was readable.
func IsUnreadable(err error) bool {
	var u *UnreadableError
	return errors.As(err, &u)
}
