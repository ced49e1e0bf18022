package bundle

import (
	"errors"
	"io/fs"
	"strings"
)

// UnreadableError says that nothing could be read, and what to do about it. The command maps it to exit status 2.
type UnreadableError struct {
	// Source is what was given; Reason is what is wrong with it.
	Source, Reason string
	// Hint is what to do next.
	Hint string
	// Err is the cause, if there is one.
	Err error
}

// Error says what is wrong, and what to do.
func (e *UnreadableError) Error() string {
	s := strings.ReplaceAll("cannot read "+e.Source+": "+e.Reason, "\n", `\n`) // names of files may hold any byte
	if e.Hint != "" {
		s += "\n" + e.Hint
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

const hintGive = "give a must-gather, support bundle or other dump as tarball, zip or folder, or the output of: " +
	"kubectl get job,cronjob,pod,node,event -A -o yaml"

var errNoStdin = errors.New("there is no standard input")

// plainPathError leaves out what a user knows: the path, and the name of the system call.
func plainPathError(err error) string {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.As(err, &p):
		return p.Err.Error()
	}
	return err.Error()
}

// nothingReadable makes the error for a bundle without anything in it that is of use. emptyLists counts the files that
// hold a list without items.
func nothingReadable(b *Bundle, emptyLists int) *UnreadableError {
	e := &UnreadableError{Source: b.Source, Hint: hintGive}
	switch {
	case len(b.Problems) == 0 && emptyLists > 0:
		e.Reason = "it holds only empty lists; kubectl prints one also when it is not allowed to look, and says so on " +
			"standard error alone"
	case len(b.Problems) == 1:
		e.Reason = b.Problems[0].Message
		if b.Problems[0].File != "" && b.Files > 1 {
			e.Reason = b.Problems[0].File + ": " + e.Reason
		}
	case len(b.Problems) > 1:
		e.Reason = "it holds no Kubernetes objects that could be read; the first problem: " +
			strings.TrimPrefix(b.Problems[0].File+": "+b.Problems[0].Message, ": ")
	case b.Files == 0:
		e.Reason = "it is empty"
	case len(b.Ignored) == 1 && b.Files == 1:
		e.Reason = b.Ignored[0].Reason
	default:
		e.Reason = "it holds no Kubernetes objects of use here"
	}
	return e
}
