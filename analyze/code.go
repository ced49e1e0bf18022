package analyze

// Code names a verdict or a finding in CamelCase. Codes are never renamed: scripts and tickets hold them.
type Code string

// Severity says how bad a thing is.
type Severity string

// Severities, worst first.
const (
	// Error breaks jobs now.
	Error Severity = "error"
	// Warning will, or hides something, or could not be judged.
	Warning Severity = "warning"
	// Info is worth knowing.
	Info Severity = "info"
)

// rank orders severities, worst lowest.
func (s Severity) rank() int {
	switch s {
	case Error:
		return 0
	case Warning:
		return 1
	default:
		return 2
	}
}

// Worse says that s is worse than o.
func (s Severity) Worse(o Severity) bool { return s.rank() < o.rank() }

// AtLeast says that s is as bad as o or worse.
func (s Severity) AtLeast(o Severity) bool { return s.rank() <= o.rank() }

// Status is how a rule came out for an object.
type Status string

// A rule returns one of these on every path, so that falling through cannot pose as "clean".
const (
	// Fired: the bundle shows it.
	Fired Status = "fired"
	// Clear: the bundle shows that it is not so; the outcome says on what grounds.
	Clear Status = "clear"
	// Undecided: something is missing; the outcome names it.
	Undecided Status = "undecided"
	// NotApplicable: the question does not arise (no Istio here); nothing is reported.
	NotApplicable Status = "notApplicable"
)
