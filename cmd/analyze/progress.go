package main

import (
	"io"
	"time"

	"github.com/cheggaaa/pb/v3"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render"
)

// progressAfter keeps short inputs quiet: a display that flashes up tells nobody anything.
const progressAfter = time.Second

// progressLine shows no bar: how much is still to come is not known before an archive ends.
const progressLine = `{{string . "prefix"}} {{string . "files"}} files, {{counters . }} {{speed . }}`

// progress shows how far reading has come, on a terminal only.
type progress struct {
	to      io.Writer
	now     func() time.Time
	source  string
	started time.Time
	bar     *pb.ProgressBar
}

// newProgress gives nil, which shows nothing, when standard error is no terminal or --quiet is given.
func (a *app) newProgress(source string) *progress {
	if !a.StderrIsTerminal || a.global.quiet {
		return nil
	}
	return &progress{to: a.Stderr, now: a.Now, source: render.Text(source), started: a.Now()}
}

// update is called by the bundle reader now and then.
func (p *progress) update(at bundle.Progress) {
	if p == nil || p.now().Sub(p.started) < progressAfter {
		return
	}
	if p.bar == nil {
		p.bar = pb.New64(0).SetTemplateString(progressLine).SetWriter(p.to).Set(pb.Bytes, true).
			Set(pb.CleanOnFinish, true).Set("prefix", "reading "+p.source+":").Start()
	}
	p.bar.Set("files", at.Files).SetCurrent(at.Bytes)
}

// done takes the display away.
func (p *progress) done() {
	if p != nil && p.bar != nil {
		p.bar.Finish()
	}
}
