package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/fixtures/demo"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules"
	"github.com/sidecar-must-gather/sidecar-must-gather/rules/data"
)

// standardInput is the path that stands for it.
const standardInput = "-"

// engine is the one way through the house: bundle, facts, rules, report.
type engine struct {
	app      *app
	settings settings
	// whole keeps the pods of services whole: they are asked for by name.
	whole    bool
	base     *knowledge.Base
	replaced []string
	// ran are the bundles so far, to be judged once for each language that an output asks for.
	ran []*ran
}

// start checks the flags and loads the knowledge.
func (a *app) start(cmd *cobra.Command) (*engine, error) {
	s, err := a.resolve()
	if err != nil {
		return nil, usage(cmd, err)
	}
	base, replaced, err := a.knowledge()
	if err != nil {
		return nil, err
	}
	return &engine{app: a, settings: s, base: base, replaced: replaced}, nil
}

// errNoRuleData says that there is no folder of rule data to read.
var errNoRuleData = errors.New("no rule data")

// knowledge loads the built-in rule data, with the site's own laid over it, and says what that replaced.
func (a *app) knowledge() (*knowledge.Base, []string, error) {
	base, err := knowledge.Load(data.FS)
	if err != nil {
		return nil, nil, fmt.Errorf("loading the built-in rule data: %w", err)
	}
	dir := a.global.rulesDir
	if dir == "" {
		return base, nil, nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, nil, fmt.Errorf("%w: %s is no folder; give the one that holds the newer YAML files", errNoRuleData, dir)
	}
	base, replaced, err := base.Overlay(os.DirFS(dir))
	if err != nil {
		return nil, nil, fmt.Errorf("loading the rule data in %s: %w", dir, err)
	}
	return base, replaced, nil
}

// analyze reads and judges the bundle at path. The error says that nothing was readable; the report is given all the
// same, as its problems say why. Without a report the run cannot go on.
func (e *engine) analyze(ctx context.Context, path string, stdin io.Reader) (*analyze.Report, error) {
	return e.analyzeAs(ctx, "", path, stdin)
}

// analyzeAs is analyze for a source that is to be named otherwise than by its path; an empty name keeps the path.
func (e *engine) analyzeAs(ctx context.Context, name, path string, stdin io.Reader) (*analyze.Report, error) {
	o, err := e.open(ctx, path, stdin)
	if o == nil {
		return nil, err
	}
	if name != "" {
		err = nameSource(o.read, err, name)
	}
	r := &ran{opened: o, in: map[string]*analyze.Report{}}
	e.ran = append(e.ran, r)
	for _, out := range e.settings.outputs {
		if _, failed := e.report(r, e.app.language(out.format)); failed != nil {
			return nil, failed
		}
	}
	report := r.in[e.app.language(e.settings.outputs[0].format)]
	if e.app.global.job == "" && e.app.global.namespace == "" {
		r.opened = nil // all is said; bundles may be many and large
	}
	return report, err
}

// ran is a bundle that was read, with its reports by language.
type ran struct {
	// opened is nil once nobody asks for it any more.
	*opened
	in map[string]*analyze.Report
}

// report gives the report about a bundle in a language.
func (e *engine) report(r *ran, language string) (*analyze.Report, error) {
	if known := r.in[language]; known != nil {
		return known, nil
	}
	translate, err := wordsOf(language)
	if err != nil {
		return nil, err
	}
	opt := e.reportOptions()
	opt.Translate = translate
	report := rules.Engine().Run(r.cluster, e.base, opt)
	report.Tool = analyze.Tool{Version: e.app.Version, Rules: e.base.Revision(), RulesReplaced: e.replaced}
	report.Bundle = bundleOf(translate, r.read, r.cluster)
	r.in[language] = report
	return report, nil
}

// reportsIn gives the reports of the run in a language.
func (e *engine) reportsIn(language string) ([]*analyze.Report, error) {
	var all []*analyze.Report
	for _, r := range e.ran {
		report, err := e.report(r, language)
		if err != nil {
			return nil, err
		}
		all = append(all, report)
	}
	return all, nil
}

// opened is a bundle with what it says.
type opened struct {
	read    *bundle.Bundle
	cluster *facts.Cluster
}

// open reads a bundle. With an error it is given too where its problems say why nothing was readable.
func (e *engine) open(ctx context.Context, path string, stdin io.Reader) (*opened, error) {
	read, err := e.read(ctx, path, stdin)
	if err != nil && (read == nil || !bundle.IsUnreadable(err)) {
		return nil, err
	}
	return &opened{read: read, cluster: facts.Build(read.Set, e.factOptions(read))}, err
}

// consult opens a bundle for an answer that has no place for the bundle's problems: that there are some is said beside it.
func (e *engine) consult(ctx context.Context, path string) (*opened, error) {
	o, err := e.open(ctx, path, e.app.Stdin)
	if err != nil {
		return nil, err
	}
	if n := len(o.read.Problems) + len(unanswered(o.read)); n > 0 {
		e.app.complain(fmt.Errorf("problems in %s: %d; they may bear on this answer, and '%s BUNDLE' lists them", quote(path), n, e.app.name()))
	}
	return o, nil
}

func (e *engine) read(ctx context.Context, path string, stdin io.Reader) (*bundle.Bundle, error) {
	return e.readWith(ctx, path, stdin, func(*bundle.Options) {})
}

// readWith reads with options of the caller's own.
func (e *engine) readWith(ctx context.Context, path string, stdin io.Reader, change func(*bundle.Options)) (*bundle.Bundle, error) {
	show := e.app.newProgress(path)
	defer show.done()
	opt := bundle.Options{
		MaxBytes: e.settings.maxBytes,
		MaxFiles: e.app.global.maxFiles,
		Layout:   e.app.global.layout,
		Reduce:   !e.whole && !e.app.global.all,
		Progress: show.update,
	}
	change(&opt)
	at, in, err := from(path, stdin)
	if err != nil {
		return nil, err
	}
	read, err := bundle.Read(ctx, at, in, opt)
	if read != nil && isDemo(path) {
		err = nameSource(read, err, demo.Name)
	}
	return read, err
}

// nameSource names what was read otherwise than by its path, in what is said of it too.
func nameSource(read *bundle.Bundle, err error, name string) error {
	read.Source = name
	if unreadable := new(bundle.UnreadableError); errors.As(err, &unreadable) {
		unreadable.Source = name
	}
	return err
}

func (e *engine) reportOptions() analyze.Options {
	g := e.app.global
	return analyze.Options{All: g.all, Namespace: g.namespace, Job: g.job}
}
