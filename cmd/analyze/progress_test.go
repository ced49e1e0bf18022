package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
)

func TestProgressIsForTerminalsOnly(t *testing.T) {
	for name, a := range map[string]*app{
		"no terminal": {},
		"quiet":       {IO: IO{StderrIsTerminal: true}, global: globalFlags{quiet: true}},
	} {
		p := a.newProgress("ticket.tgz")
		p.update(bundle.Progress{Files: 1})
		p.done()
		if p != nil {
			t.Errorf("%s: a display was made", name)
		}
	}
}

func TestProgressShowsUpWhenItTakesLong(t *testing.T) {
	var out bytes.Buffer
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	a := &app{IO: IO{Stderr: &out, StderrIsTerminal: true, Now: func() time.Time { return now }}}
	p := a.newProgress("ticket.tgz")
	p.update(bundle.Progress{Files: 1, Bytes: 10})
	if p.bar != nil {
		t.Fatal("a short read must stay quiet")
	}
	now = now.Add(2 * time.Second)
	p.update(bundle.Progress{Files: 7, Bytes: 12 << 20})
	p.done()
	if text := out.String(); !strings.Contains(text, "reading ticket.tgz: 7 files, 12.00 MiB") {
		t.Errorf("got %q", text)
	}
}
