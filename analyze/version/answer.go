package version

// Answer is a truth value that may be missing. The order No < Maybe < Yes makes the three-valued logic a minimum and a
// maximum. The zero value is No; code that has nothing to go by must say Maybe.
type Answer int

// The three answers.
const (
	No Answer = iota
	Maybe
	Yes
)

// AnswerOf turns a known truth value into an Answer.
func AnswerOf(b bool) Answer {
	if b {
		return Yes
	}
	return No
}

// String gives "no", "maybe" or "yes".
func (a Answer) String() string {
	switch a {
	case No:
		return "no"
	case Yes:
		return "yes"
	default:
		return "maybe"
	}
}

// And is Yes only if both are, and No as soon as one is.
func (a Answer) And(b Answer) Answer { return min(a, b) }

// Or is Yes as soon as one is, and No only if both are.
func (a Answer) Or(b Answer) Answer { return max(a, b) }

// Not swaps Yes and No and keeps Maybe.
func (a Answer) Not() Answer { return Yes - a }
