package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// ListKind marks the document that holds the reports of several bundles.
const ListKind = "ReportList"

// list is the document of several bundles.
type list struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Items      []*analyze.Report `json:"items"`
}

// document is what json and yaml print: the report itself when there is one, a list otherwise.
func document(reports []*analyze.Report) any {
	if len(reports) == 1 {
		return reports[0]
	}
	return list{APIVersion: analyze.APIVersion, Kind: ListKind, Items: reports}
}

func writeJSON(buf *bytes.Buffer, reports []*analyze.Report, _ Options) error {
	return encode(buf, document(reports), "  ")
}

// JSON writes a value of a command that makes no report, as the json format writes reports.
func JSON(w io.Writer, v any) error {
	var buf bytes.Buffer
	if err := encode(&buf, v, "  "); err != nil {
		return err
	}
	_, err := w.Write(buf.Bytes())
	return err
}

// encode writes v as JSON with a line break behind it. Characters that could act on a terminal are written as \u
// escapes, which changes nothing for a program; < and > stay readable.
func encode(buf *bytes.Buffer, v any, indent string) error {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return err
	}
	for b := raw.Bytes(); len(b) > 0; {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == '\n' || !unsafeRune(r): // the encoder itself has escaped every other control below 0x20
			buf.Write(b[:size])
		case r <= 0xffff:
			fmt.Fprintf(buf, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(buf, `\u%04x\u%04x`, high, low)
		}
		b = b[size:]
	}
	return nil
}

// Read is the inverse of the json format: it accepts a report or a list of reports, of this API version only.
func Read(r io.Reader) ([]*analyze.Report, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("reading a report: %w", err)
	}
	var head struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return nil, fmt.Errorf("reading a report: %w (expected what -o json prints)", err)
	}
	if head.APIVersion != analyze.APIVersion {
		return nil, fmt.Errorf("reading a report: apiVersion is %q, expected %q", head.APIVersion, analyze.APIVersion)
	}
	docs := head.Items
	switch head.Kind {
	case analyze.Kind:
		docs = []json.RawMessage{b}
	case ListKind:
	default:
		return nil, fmt.Errorf("reading a report: kind is %q, expected %s or %s", head.Kind, analyze.Kind, ListKind)
	}
	reports := make([]*analyze.Report, 0, len(docs))
	for i, d := range docs {
		var rep analyze.Report
		if err := json.Unmarshal(d, &rep); err != nil {
			return nil, fmt.Errorf("reading report %d: %w", i+1, err)
		}
		reports = append(reports, &rep)
	}
	return reports, nil
}
