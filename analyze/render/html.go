package render

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/render/columns"
)

//go:embed assets
var assets embed.FS

// writeHTML writes one self-contained page. The policy in it lets the browser load nothing, and run and apply only the
// script and the style whose hashes it names; text from a bundle is made safe by clean and escaped by the template.
func writeHTML(buf *bytes.Buffer, reports []*analyze.Report, opt Options) error {
	c, err := newCatalogue(opt.Language)
	if err != nil {
		return err
	}
	p, err := newHTMLPage(c, reports)
	if err != nil {
		return err
	}
	t, err := template.New("page.html").Funcs(htmlFuncs(c)).ParseFS(assets, "assets/*.html")
	if err != nil {
		return err
	}
	return t.Execute(buf, p)
}

// asset reads an embedded style or script.
func asset(name string) (string, error) {
	b, err := assets.ReadFile("assets/" + name)
	return string(b), err
}

// hash is a source of the content security policy that allows exactly this text.
func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// htmlFuncs is what the templates may call: the catalogue, and the words that other formats use too.
func htmlFuncs(c catalogue) template.FuncMap {
	return template.FuncMap{
		"say":             c.say,
		"count":           c.count,
		"overviewColumns": overviewColumns,
		"hidden":          func(r *analyze.Report) []string { return hiddenTexts(c, r) },
		"none":            func(r *analyze.Report) string { return noneText(c, r) },
		"proofRuns":       proofRuns,
		"fixLabel":        fixLabel[htmlTodo],
		"remedy":          func(r *analyze.Remedy, said bool) htmlRemedy { return htmlRemedy{r, said} },
		"now":             func(w analyze.Workload, named bool) string { return nowLabel(c, w, named) },
		"object":          c.object,
		"heading":         c.heading,
		"severity":        c.severity,
		"sentence":        c.sentence,
		"class":           severityClass,
		"kind":            func(k analyze.Container) string { return kindText(c, k) },
		"state":           func(k analyze.Container) string { return stateText(c, k, false) },
		"held":            func(w analyze.Workload) string { return heldText(c, w) },
		"heldFor":         func(w analyze.Workload) string { return heldFor(c, w) },
		"heldBy":          func(w analyze.Workload) string { return heldBy(c, w, same) },
		"job":             func(w analyze.Workload) string { return jobText(c, w) },
		"cost":            func(w analyze.Workload, named bool) []string { return costTexts(c, w, named) },
		"placement":       func(s string) string { return placement(c, s) },
		"absent":          func(e evidence.Evidence) string { return absentText(c, e, e.Field) },
		"where":           func(e evidence.Evidence) string { return strings.Trim(whereText(c, e), "[]") },
		"witness":         func(s string) string { return witness(c, evidence.Strength(s)) },
		"source":          func(s string) string { return sourceText(c, s) },
		"problem":         problemText,
		"undecided":       func(f analyze.Finding) string { return undecidedText(c, f) },
		"closing":         func(r *analyze.Report) string { return closingText(c, count(r)) },
		"kubernetes":      func(k analyze.Cluster) string { return kubernetesText(c, k, false) },
		"istio":           func(k analyze.Cluster) []string { return istioTexts(c, k) },
		"bundleFacts":     func(b analyze.Bundle) string { return bundleFacts(c, b) },
		"nextPod":         func(b htmlBundle) string { return nextPodText(c, b.Report) },
		"dash":            orDash,
		"join":            c.names,
		"codes":           func(cs []analyze.Code) string { return joinCodes(c, cs) },
		"firstLine":       func(s string) string { first, _, _ := strings.Cut(s, "\n"); return first },
		"otherLines":      func(s string) string { _, rest, _ := strings.Cut(s, "\n"); return rest },
		"percent":         func(f float64) string { return fmt.Sprintf("%.2f%%", f) },
		"add":             func(a, b int) int { return a + b },
		"edge":            func(s *span) float64 { return s.X + s.W },
		"clock":           func(t time.Time, layout string) string { return t.Format(layout) },
		"stamp":           func(t time.Time) string { return t.Format(time.RFC3339) },
		"short":           func(s string) string { return columns.Shorten(s, 40) },
		"barClass":        barClass,
		"eventsOf":        eventsOf,
		"broken":          breakable,
		"eventColumns":    func(es []analyze.Event) []string { ids, _ := eventTable(es); return ids },
		"eventRows":       func(es []analyze.Event) [][]string { _, rows := eventTable(es); return rows },
		"happenings":      func(r row) []string { return happenings(c, r) },
		"earlier":         func(k *analyze.Container) string { return earlierText(c, k) },
		"int":             func(n int64) int { return int(n) },
		"barText":         func(k *analyze.Container) string { return barText(c, k) },
		"anchor":          anchor,
		"beside":          beside,
		"nudge":           func(x float64) int { return map[string]int{"start": 4, "end": -4}[beside(x)] },
	}
}

// severityClass is the CSS class of a severity; whatever is unknown looks like info.
func severityClass(s analyze.Severity) string {
	switch s {
	case analyze.Error, analyze.Warning:
		return string(s)
	default:
		return string(analyze.Info)
	}
}

// heading gives a column's name for running text: HELD FOR becomes Held for.
func (c catalogue) heading(id string) string {
	s := strings.ToLower(c.say(id))
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}
