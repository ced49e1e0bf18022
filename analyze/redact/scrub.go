package redact

import (
	"regexp"
	"strings"
)

// Messages are evidence, so they are not removed but scrubbed: from what looks like a secret to the end of its line.

var (
	// namedInText is a named secret in prose: "password: x", "--token x". openLine is one whose value is on the next line.
	namedInText = regexp.MustCompile(secretWord + `["'\\]* *[:=]|` + beforeFlag + `--?[a-z0-9_.-]*` + secretWord + `["',]* +[^ ]`)
	pemEnd      = regexp.MustCompile(`-----END[^\n]*-----`)
	// dumped is a whole object in Go's notation, which the API server quotes when a field must not change.
	dumped = regexp.MustCompile(`Invalid value: [A-Za-z0-9_.*\[\]&]*\{|\b(Value|StringData|Data|Args|Command): *["\[{]|map\[string\](string|\[\]byte)\{`)
	// quotedCommand is where the kubelet and the container runtime quote a command line; the second group is the command.
	quotedCommand = regexp.MustCompile(`(?s)(lifecycle hook \(\[)(.*?)(\]\) for Container|$)|(command ')(.*?)(' exited with|$)|(exec: ")(.*?)(": |$)`)
	// typed is what hides a command line wherever it stands, quoting that a message quotes one in any way, and quotedArgs
	// what then hides the rest of a line; all in lower case.
	typed      = regexp.MustCompile(typedArgs)
	quoting    = regexp.MustCompile(`: +exec |(exec|hook|command)(: | +[^ a-z])`)
	quotedArgs = regexp.MustCompile(beforeFlag + `-(p[^ ]|a +[^ ])|` + inArgs)
	openLine   = regexp.MustCompile(secretWord + `["'\\]* *[:=][|>"' -]*$`)
)

// scrub gives a message without what in it has the form of a secret, and says whether anything was.
func (p patterns) scrub(t string) (string, bool) {
	t, changed := withoutPEM(t)
	if hidden := p.withoutCommands(t); hidden != t {
		t, changed = hidden, true
	}
	quotes := quoting.MatchString(strings.ToLower(t))
	lines := strings.Split(t, "\n")
	out := lines[:0]
	follows := false
	for _, line := range lines {
		at := len(line)
		if follows && strings.TrimSpace(line) != "" {
			at = len(line) - len(strings.TrimLeft(line, " "))
		}
		low := strings.ToLower(line)
		follows = openLine.MatchString(low)
		at = min(at, p.first(line, low))
		if m := quotedArgs.FindStringIndex(low); quotes && m != nil && len(low) == len(line) {
			at = min(at, flagAt(low, m))
		} else if quotes && m != nil {
			at = 0
		}
		if at < len(line) && strings.TrimSpace(line[at:]) != Mark {
			line, changed = line[:at]+Mark, true
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n"), changed
}

// first gives the offset of the first thing in a line that must go, the line's length if there is none.
func (p patterns) first(line, low string) int {
	at := len(line)
	try := func(m []int) {
		if m != nil {
			at = min(at, m[0])
		}
	}
	try(formsRx.FindStringIndex(line))
	try(dumped.FindStringIndex(line))
	for _, rx := range p.own {
		try(rx.FindStringIndex(line))
	}
	if len(low) != len(line) {
		// Lower case has other offsets in some scripts: the whole line goes.
		if at > 0 && (loweredRx.MatchString(low) || named(low) != nil) {
			return 0
		}
		return at
	}
	try(loweredRx.FindStringIndex(low))
	try(named(low))
	if containsAny(low, typedStarts) {
		if m := typed.FindStringIndex(low); m != nil {
			at = min(at, flagAt(low, m))
		}
	}
	return at
}

// flagStart is a flag with what stands before it.
var flagStart = regexp.MustCompile(`^` + beforeFlag + `-`)

// flagAt gives where a match begins, without what stands before a flag: that is no part of what must go.
func flagAt(t string, m []int) int {
	if before := flagStart.FindStringIndex(t[m[0]:]); before != nil {
		return m[0] + before[1] - 1
	}
	return m[0]
}

// typedStarts are texts of which each match of typed holds one.
var typedStarts = []string{"-u", "mysql", "mariadb", "sshpass", "redis-cli"}

// withoutCommands hides the command lines that a message quotes, each as a whole: it is hidden as the arguments would be
// from which the kubelet has put it together.
func (p patterns) withoutCommands(t string) string {
	if !containsAny(t, []string{"lifecycle hook (", "command '", `exec: "`}) {
		return t
	}
	return quotedCommand.ReplaceAllStringFunc(t, func(quote string) string {
		m := quotedCommand.FindStringSubmatch(quote)
		for i := 1; i < len(m); i += 3 {
			command := m[i+1]
			hidden, _ := p.hides(command, "")
			if m[i] != "" && !hasMark(command) && (hidden || p.hidesAny(strings.Fields(command))) {
				return m[i] + p.hiddenText(command) + m[i+2]
			}
		}
		return quote
	})
}

// named finds a named secret in a line in lower case.
func named(low string) []int {
	if !strings.ContainsAny(low, "=:") && !strings.Contains(low, "-") {
		return nil
	}
	// As long as what it stands for, so that offsets stay.
	low = namesRx.ReplaceAllStringFunc(low, func(name string) string { return strings.Repeat("i", len(name)) })
	m := namedRx.FindStringIndex(low)
	n := namedInText.FindStringIndex(low)
	if n != nil {
		n[0] = flagAt(low, n)
	}
	if n != nil && (m == nil || n[0] < m[0]) {
		m = n
	}
	return m
}

// withoutPEM takes out keys and certificates, which run over many lines.
func withoutPEM(t string) (string, bool) {
	const begin = "-----BEGIN"
	changed := false
	for {
		from := strings.Index(t, begin)
		if from < 0 {
			return t, changed
		}
		changed = true
		to := len(t)
		if m := pemEnd.FindStringIndex(t[from:]); m != nil {
			to = from + m[1]
		}
		t = t[:from] + Mark + t[to:]
	}
}
