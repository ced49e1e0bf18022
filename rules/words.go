package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
)

func contains(list []string, s string) bool { return slices.Contains(list, s) }

// list joins names, or Texts, for a sentence.
func list[T any](items []T) sentence.List { return sentence.ListOf(items) }

// listOr joins names of which one holds.
func listOr(names []string) sentence.List {
	l := sentence.ListOf(names)
	l.Join = sentence.Or
	return l
}

// fewOf gives at most ten names, and how many more there are.
func fewOf(names []string) []analyze.Text {
	const most = 10
	var out []analyze.Text
	for _, name := range names[:min(len(names), most)] {
		out = append(out, say("%s", name))
	}
	if rest := len(names) - most; rest > 0 {
		out = append(out, say("%d more", rest))
	}
	return out
}

func names(cs []*facts.Container) []string {
	var out []string
	for _, c := range cs {
		out = append(out, c.Name)
	}
	return out
}

// stamp gives a time as the report prints it.
func stamp(t time.Time) string {
	if t.IsZero() {
		return sentence.Fixed("an unknown time")
	}
	return t.UTC().Format(time.RFC3339)
}

// atTime gives the first of times that is set.
func atTime(times ...kube.Time) string {
	for _, t := range times {
		if !t.IsZero() {
			return stamp(t.Time)
		}
	}
	return sentence.Fixed("an unknown time")
}

func span(d time.Duration) string { return analyze.Span(d) }

func count(n *int64) string {
	if n == nil {
		return sentence.Fixed("not set")
	}
	return strconv.FormatInt(*n, 10)
}

func orNone(s string) string {
	if s == "" {
		return sentence.Fixed("not shown")
	}
	return s
}

func evCount(j *kube.Job, path string, n *int64) evidence.Evidence {
	if n == nil {
		return j.EvAbsent(path)
	}
	return j.Ev(path, count(n))
}

// evEvent is the evidence of an event.
func evEvent(e *kube.Event) evidence.Evidence {
	about := e.About()
	ref := evidence.Ref{Kind: about.Kind, Namespace: about.Namespace, Name: about.Name}
	value := e.Reason + ": " + e.Text()
	if n := e.Times(); n > 1 {
		value += fmt.Sprintf(" (x%d)", n)
	}
	return evidence.Evidence{Object: ref.String(), Field: "event", Value: value, File: e.Origin.File, Line: e.Origin.LineOf("message"),
		Strength: e.Origin.Strength}
}

func trueCondition(list []kube.Condition, typ string) *kube.Condition {
	if c := kube.FindCondition(list, typ); c != nil && c.Status == "True" {
		return c
	}
	return nil
}

// exits gives how each regular container of a pod ended, for the argument of a verdict.
func exits(p *facts.Pod) []evidence.Evidence {
	var out []evidence.Evidence
	for _, c := range p.Of(facts.IsPlaced(facts.Ordinary)) {
		if c.Terminated() != nil {
			out = append(out, evEnd(c)...)
		}
	}
	return out
}

// evWaiting is the state of a container that waits, with the message that the kubelet put beside the reason: a registry's
// answer, or what is missing.
func evWaiting(c *facts.Container) []evidence.Evidence {
	out := []evidence.Evidence{c.EvState()}
	if w := c.Waiting(); w != nil && w.Message != "" {
		out = append(out, c.Pod.Ev(c.StatusPath("state.waiting.message"), w.Message))
	}
	return out
}

// evEnd is the evidence of how a container ended.
func evEnd(c *facts.Container) []evidence.Evidence {
	return append([]evidence.Evidence{c.EvState()}, evReason(c, "state.terminated", c.Terminated())...)
}

// evReason is the evidence of why a container ended, with the path of that end, where the exit code does not say as much.
func evReason(c *facts.Container, path string, t *kube.Terminated) []evidence.Evidence {
	if t.Reason == "" || t.Reason == "Completed" || t.Reason == "Error" {
		return nil
	}
	out := []evidence.Evidence{c.Pod.Ev(c.StatusPath(path+".reason"), t.Reason)}
	if t.Reason == oomKilled && c.Spec != nil && c.Spec.Resources.Limits["memory"] != "" {
		out = append(out, c.Pod.Ev(c.Path("resources.limits.memory"), string(c.Spec.Resources.Limits["memory"])))
	}
	return out
}

// allExitedZero says that every one of at least one container ended with 0, and when the last did.
func allExitedZero(cs []*facts.Container) (last time.Time, ok bool) {
	for _, c := range cs {
		t := c.Terminated()
		if t == nil || t.ExitCode != 0 {
			return time.Time{}, false
		}
		if t.FinishedAt.After(last) {
			last = t.FinishedAt.Time
		}
	}
	return last, len(cs) > 0
}

func rowText(r kube.Row) string {
	var parts []string
	for _, title := range []string{"NAMESPACE", "NAME", "READY", "STATUS", "COMPLETIONS", "RESTARTS", "DURATION", "AGE"} {
		if v := r.Cells[title]; v != "" {
			parts = append(parts, title+" "+v)
		}
	}
	return strings.Join(parts, ", ")
}

// getCommand is the command that supplies a workload with its pods.
func getCommand(w *facts.Workload) string {
	ns := w.Ref.Namespace
	if w.IsJob() {
		return command("kubectl get job/%s pod -n %s -o yaml", w.Ref.Name, ns)
	}
	return command("kubectl get pod %s -n %s -o yaml", w.Ref.Name, ns)
}

func say(format string, args ...any) analyze.Text { return analyze.Say(format, args...) }

func whereOf(list []evidence.Evidence) string {
	if len(list) == 0 {
		return ""
	}
	return list[0].Where()
}

// startOf is when a workload was made.
func startOf(w *facts.Workload) time.Time {
	if j := w.Live(); j != nil {
		return j.Meta.Created.Time
	}
	if p := newest(w.Pods); p != nil {
		return p.Meta.Created.Time
	}
	return time.Time{}
}

// unnamedNamespace stands in commands where the bundle does not tell the namespace.
const unnamedNamespace = "NAMESPACE"

// command gives a shell command with its arguments quoted. They come from the bundle, and a person will paste the line. For
// a namespace that the bundle does not name it has a word to be replaced.
func command(format string, args ...string) string {
	quoted := make([]any, len(args))
	before := strings.Split(format, "%s")
	for i, a := range args {
		if a == "" && (strings.HasSuffix(before[i], " -n ") || strings.HasSuffix(before[i], " namespace ")) {
			a = unnamedNamespace
		}
		quoted[i] = quoteShell(a)
	}
	return fmt.Sprintf(format, quoted...)
}

// quoteShell leaves names as Kubernetes allows them as they are and puts everything else between single quotes. No quotes keep
// kubectl from taking a name that begins with a dash, which none has that an API server took, for an option: with a mark before
// it kubectl refuses it as a name.
func quoteShell(s string) string {
	if strings.HasPrefix(s, "-") {
		s = "?" + s
	}
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._/:", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
