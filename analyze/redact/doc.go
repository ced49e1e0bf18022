// Package redact makes a copy of a bundle without the values in which secrets hide, from which the same can be concluded.
//
// It works on what package bundle recognises, piece by piece: an object, a table row, the describe text of one object.
// An object is decoded, cut down to the fields of its kind that are known here, and written anew; text is taken apart by
// kubectl's own layout. So the copy holds what was understood, and nothing else: logs, prose, unknown fields and whatever
// cannot be followed stay out and are counted. docs/redaction.md lists what goes and what stays.
//
// It is NOT a search for secrets: it takes out places, and the list of patterns only helps where a place must stay
// (arguments, messages). It is NOT a second reader: what package bundle does not recognise it never sees.
package redact

// Mark stands where a value was taken out. Rules know it, and so does the collector, which writes the same.
const Mark = "REDACTED"

// What is counted in the manifest, as it is worded there.
const (
	ofEnv       = "values of environment variables"
	ofArgs      = "arguments and command lines"
	ofNotes     = "annotations"
	ofApplied   = "last applied configurations, reduced"
	ofProxy     = "proxy configurations, reduced"
	ofForm      = "texts with the form of a secret"
	ofOwn       = "texts in which a --pattern matches"
	ofHeaders   = "HTTP headers of probes and hooks"
	ofOptions   = "options of volumes, certificates and credentials"
	ofConfig    = "ConfigMap entries removed or reduced"
	ofKinds     = "objects of other kinds, reduced to their metadata"
	ofFields    = "fields that are not known here"
	ofManaged   = "managedFields"
	ofDescribed = "lines of describe text"
	ofRows      = "rows of other tables"
	ofMessages  = "other messages of kubectl"
	ofUnclear   = "objects that could not be followed, left out"
	ofLines     = "lines in which nothing was recognised"
)
