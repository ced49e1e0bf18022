package knowledge

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Lint checks a complete folder of rule data and returns everything that is wrong with it: text that YAML would twist,
// unknown or duplicate keys, versions that are not three parts, timelines out of order, overlapping ranges, missing,
// unknown or unused sources, unknown predicates, duplicate ids, patterns that do not compile.
func Lint(fsys fs.FS) []error {
	errs := lintText(fsys)
	t, err := read(fsys, false)
	if err != nil {
		return append(errs, err)
	}
	return append(errs, lintTables(t, strictSources)...)
}

type sourceRule bool

const (
	strictSources  sourceRule = true  // every source must be used
	lenientSources sourceRule = false // an overlay may leave one of ours without use
)

// linter gathers problems under the name of file and entry.
type linter struct {
	errs    []error
	sources map[string]bool // id -> used
	where   string
}

func lintTables(t *tables, unused sourceRule) []error {
	l := &linter{sources: map[string]bool{}}
	l.sourceTable(t.sources)
	l.kubernetesTable(t.kubernetes)
	l.istioTable(t.istio)
	l.unique("features", t.kubernetes.Features, featureID, t.istio.Features...)
	l.sidecarTable(t.sidecars)
	l.issueTable(t.issues)
	l.placementTable(t.placement)
	if unused == strictSources {
		for _, s := range t.sources.Sources {
			if !l.sources[s.ID] {
				l.at("sources.yaml", s.ID).bad("source is not used")
			}
		}
	}
	return l.errs
}

func (l *linter) at(file, entry string) *linter {
	l.where = file + ": " + entry
	return l
}

func (l *linter) bad(format string, args ...any) {
	l.errs = append(l.errs, fmt.Errorf("%s: %s", l.where, fmt.Sprintf(format, args...)))
}

func (l *linter) cite(ids []string) {
	if len(ids) == 0 {
		l.bad("no source")
	}
	for _, id := range ids {
		if _, ok := l.sources[id]; !ok {
			l.bad("unknown source %q", id)
			continue
		}
		l.sources[id] = true
	}
}

func (l *linter) text(field, value string) {
	if strings.TrimSpace(value) == "" {
		l.bad("%s is empty", field)
	}
}

func (l *linter) oneOf(field, value string, allowed ...string) {
	if !slices.Contains(allowed, value) {
		l.bad("%s is %q, not one of %s", field, value, strings.Join(allowed, ", "))
	}
}

// release checks a version that must have three parts and nothing but a pre-release behind them.
func (l *linter) release(field, value string) version.Version {
	v := version.Parse(value)
	if v.Precision != 3 || v.Vendor != "" || v.String() != value {
		l.bad("%s %q is not a three-part version", field, value)
	}
	return v
}

// before checks that a range is not empty.
func (l *linter) before(low, high string) {
	if low == "" || high == "" {
		return
	}
	if version.Parse(low).AtLeast(version.Parse(high)) != version.No {
		l.bad("range from %s to %s is empty", low, high)
	}
}

// increasing checks that a timeline's points come one after the other.
func (l *linter) increasing(since []string) {
	for i, s := range since {
		l.release("since", s)
		if i > 0 && version.Parse(since[i-1]).AtLeast(version.Parse(s)) != version.No {
			l.bad("since %s does not come after %s", s, since[i-1])
		}
	}
}

func (l *linter) regexp(field, pattern string) {
	if _, err := regexp.Compile(pattern); err != nil {
		l.bad("%s: %v", field, err)
	}
	l.text(field, pattern)
}

func (l *linter) globs(field string, patterns []string) {
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil || p == "" {
			l.bad("%s has a pattern that cannot be read: %q", field, p)
		}
	}
}

// unique checks that no id is missing or given twice.
func (l *linter) unique(table string, list []Feature, key func(Feature) string, more ...Feature) {
	checkUnique(l, table, append(slices.Clone(list), more...), key)
}

func checkUnique[T any](l *linter, table string, list []T, key func(T) string) {
	seen := map[string]bool{}
	for _, e := range list {
		id := key(e)
		l.where = table
		switch {
		case id == "":
			l.bad("an entry has no id")
		case seen[id]:
			l.bad("duplicate id %s", id)
		}
		seen[id] = true
	}
}
