package render

import (
	"bytes"
	"encoding/xml"
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
)

// The elements of JUnit's XML that pipelines read: a suite for each bundle, a case for each workload and finding.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name      string      `xml:"name,attr"`
		Tests     int         `xml:"tests,attr"`
		Failures  int         `xml:"failures,attr"`
		Skipped   int         `xml:"skipped,attr"`
		Timestamp string      `xml:"timestamp,attr,omitempty"`
		Cases     []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitFailure `xml:"failure,omitempty"`
		Skipped *junitSkipped `xml:"skipped,omitempty"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",cdata"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
)

// writeJUnit writes a case that fails for what is an error and is skipped for what could not be judged. Warnings pass:
// the exit status and --fail-on are the place to be stricter.
func writeJUnit(buf *bytes.Buffer, reports []*analyze.Report, opt Options) error {
	c, err := newCatalogue(opt.Language)
	if err != nil {
		return err
	}
	all := junitSuites{Name: "sidecar-must-gather"}
	for _, r := range reports {
		s := junitSuite{Name: sourceText(c, r.Bundle.Source), Timestamp: junitTime(r.Bundle.CollectedAt)}
		for _, w := range r.Workloads {
			s.Cases = append(s.Cases, workloadCase(c, w))
		}
		for _, f := range r.Findings {
			s.Cases = append(s.Cases, findingCase(c, f))
		}
		s.add()
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Skipped += s.Skipped
		all.Suites = append(all.Suites, s)
	}
	buf.WriteString(xml.Header)
	enc := xml.NewEncoder(buf)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	buf.WriteByte('\n')
	return nil
}

// add counts the suite's cases.
func (s *junitSuite) add() {
	for _, c := range s.Cases {
		s.Tests++
		if c.Failure != nil {
			s.Failures++
		}
		if c.Skipped != nil {
			s.Skipped++
		}
	}
}

func workloadCase(c catalogue, w analyze.Workload) junitCase {
	said := c.severity(w.Severity) + " " + string(w.Verdict) + c.say("colon") + c.sentence(w.Summary)
	out := junitCase{Class: w.Kind + "." + w.Namespace, Name: w.Ref().String(), Out: said}
	switch {
	case !w.Judged():
		out.Skipped = &junitSkipped{Message: said}
	case w.Severity == analyze.Error:
		text := proofLines(c, w.Evidence)
		out.Failure = &junitFailure{Type: string(w.Verdict), Message: c.sentence(w.Summary), Text: text}
	}
	return out
}

func findingCase(c catalogue, f analyze.Finding) junitCase {
	object := c.object(f.Object.String())
	said := c.severity(f.Severity) + " " + string(f.Code) + c.say("colon") + c.sentence(f.Message)
	out := junitCase{Class: "finding." + string(f.Code), Name: string(f.Code) + " " + object, Out: said}
	switch {
	case f.Status == analyze.Undecided:
		out.Skipped = &junitSkipped{Message: undecidedText(c, f)}
	case f.Severity == analyze.Error:
		out.Failure = &junitFailure{Type: string(f.Code), Message: c.sentence(f.Message), Text: proofLines(c, f.Evidence)}
	}
	return out
}

// proofLines is the evidence with an observation on each line.
func proofLines(c catalogue, es []evidence.Evidence) string {
	var b strings.Builder
	for _, e := range es {
		b.WriteString("\n" + strings.TrimSpace(e.Object+" "+evidenceText(c, e, true)))
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// junitTime gives the bundle's time in the form that JUnit's schema asks for, without a zone.
func junitTime(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05")
}
