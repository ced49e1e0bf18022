package bundle

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// header is the title line of a table of kubectl get: titles in capitals, at least two spaces apart.
var header = regexp.MustCompile(`^(?:NAMESPACE|NAME|LAST SEEN)(?:(?: {2,}|\t+)[A-Z][A-Z0-9()/ -]*?)+ *$`)

// table is one table that is being read.
type table struct {
	titles []string
	cols   kube.Columns
	tabs   bool // pasted with tabs between the cells
	kind   string
	line   int // of the titles
}

func startsTable(line []byte) bool {
	return len(line) < 4096 && (bytes.HasPrefix(line, []byte("NAME")) || bytes.HasPrefix(line, []byte("LAST SEEN"))) && header.Match(line)
}

// readTable reads rows up to the first line that is none: a blank one, a prompt, a message.
func (c *content) readTable() {
	line, next, _ := c.w.lineAt(0)
	t := newTable(string(line))
	t.line = c.w.line
	c.recognised = true
	c.emit(Piece{Kind: PieceTable, What: t.kind, Lines: []string{string(line)}})
	c.w.advance(next)
	for {
		line, next, ok := c.w.lineAt(0)
		if !ok || len(line) == 0 || len(line) > 64<<10 {
			return
		}
		text := string(line)
		if _, is := prompt(line); is || fence(line) || startsTable(line) || startsYAML(line) || startsJSON(line) || bytes.HasPrefix(line, []byte("---")) {
			return
		}
		if c.noise(line) {
			c.w.advance(next)
			continue
		}
		cells, ok := t.cut(text)
		switch {
		case !ok && t.kind == "Event" && eventLike(text):
			c.report(c.w.line, unalignedRow)
			c.w.advance(next)
			continue
		case !ok || !t.fits(cells) || c.startsDescribe([]byte(text), nil):
			return
		}
		c.emit(Piece{Kind: PieceRow, What: t.kind, Lines: []string{text}})
		c.row(t, cells)
		c.w.advance(next)
	}
}

func newTable(header string) table {
	t := table{tabs: strings.Contains(header, "\t")}
	if t.tabs {
		t.titles = splitTabs(header)
	} else {
		t.cols = kube.NewColumns(header)
		t.titles, _ = t.cols.Cut(header)
	}
	t.kind = tableKind(t.titles)
	return t
}

func splitTabs(s string) []string {
	var out []string
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r == '\t' }) {
		out = append(out, strings.TrimSpace(f))
	}
	return out
}

// cut gives the cells of a row. Where somebody has squeezed the blanks the words are counted instead.
func (t table) cut(line string) ([]string, bool) {
	if t.tabs {
		cells := splitTabs(line)
		return cells, len(cells) == len(t.titles)
	}
	if len(t.titles) < 2 || line == "" {
		return nil, false
	}
	if cells, ok := t.cols.Cut(line); ok && (cells[0] != "" || t.titles[0] == "NAMESPACE" && cells[1] != "") {
		return cells, true
	}
	if line[0] == ' ' {
		return nil, false
	}
	if cells := strings.Fields(line); len(cells) == len(t.titles) {
		return cells, true
	}
	if cells := gap.Split(strings.TrimRight(line, " "), len(t.titles)); len(cells) == len(t.titles) {
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		return cells, true // typed anew or cut out of a page: the cells stand apart and not under their titles
	}
	return nil, false
}

// fits says that the cells of a row are what such a table has under its titles: prose that follows a table is no row.
func (t table) fits(cells []string) bool {
	for i, title := range t.titles {
		form := cellForms[title]
		if title == "STATUS" && t.kind == "Node" {
			form = nodeStatus
		}
		if form != nil && !form.MatchString(cells[i]) {
			return false
		}
	}
	return true
}

// cellForms are the forms of cells that kubectl prints, by title. A name may be masked by whoever pasted it, but it is one word.
var (
	cellForms = map[string]*regexp.Regexp{
		"NAME":        regexp.MustCompile(`^[\pL\pN<\[*][^\s|│]*$`),
		"NAMESPACE":   regexp.MustCompile(`^[^\s|│]*$`),
		"READY":       regexp.MustCompile(`^(?:\d+/\d+|\d+|True|False|)$`),
		"COMPLETIONS": regexp.MustCompile(`^(?:\d+/\d+(?: of \d+)?|\d+|<none>|)$`),
		"SUSPEND":     regexp.MustCompile(`^(?:True|False|true|false|<none>|)$`),
	}
	nodeStatus = regexp.MustCompile(`Ready|Unknown|Disabled`)
)

// gap is what stands between two cells.
var gap = regexp.MustCompile(` {2,}`)

// unalignedRow is said of a row of events that was not read; what it told is not known to anybody then.
const unalignedRow = "a row of this table of events was not read: its cells do not stand under their titles"

// eventLike says that a line is a row of events, wherever its cells stand: it has the type of one.
func eventLike(line string) bool {
	words := strings.Fields(line)
	for _, w := range words[:min(len(words), 5)] {
		if w == "Normal" || w == "Warning" {
			return true
		}
	}
	return false
}

// tableKind tells the kind of object from the columns, which each kind has its own of.
func tableKind(titles []string) string {
	has := map[string]bool{}
	for _, t := range titles {
		has[t] = true
	}
	switch {
	case has["LAST SEEN"] && has["REASON"] && has["OBJECT"]:
		return "Event"
	case has["READY"] && has["STATUS"] && has["RESTARTS"]:
		return "Pod"
	case has["SCHEDULE"] && has["SUSPEND"]:
		return "CronJob"
	case has["COMPLETIONS"] && has["DURATION"]:
		return "Job"
	case has["ROLES"] && has["VERSION"]:
		return "Node"
	case has["READY"] && has["UP-TO-DATE"]:
		return "Deployment"
	}
	return ""
}

// row keeps one row. Events become events, with an age instead of times.
func (c *content) row(t table, cells []string) {
	row := kube.Row{Kind: t.kind, Cells: make(map[string]string, len(cells)), File: c.name, Line: c.w.line, Table: t.line}
	for i, title := range t.titles {
		row.Cells[title] = cells[i]
	}
	if _, ok := row.Cells["NAMESPACE"]; !ok && c.namespace != "" && t.kind != "Node" {
		row.Cells["NAMESPACE"] = c.namespace
	}
	if t.kind == "Event" {
		c.eventRow(row)
		return
	}
	if prefix, name, ok := strings.Cut(row.Cells["NAME"], "/"); ok {
		row.Kind, row.Cells["NAME"] = kindOf(prefix), name
	}
	c.dst.Rows = append(c.dst.Rows, row)
}

func (c *content) eventRow(row kube.Row) {
	cell := row.Cells
	kind, name, ok := strings.Cut(cell["OBJECT"], "/")
	if !ok {
		if cell["REASON"] != "" {
			c.report(row.Line, unalignedRow)
		}
		return
	}
	e := &kube.Event{Type: cell["TYPE"], Reason: cell["REASON"], Message: cell["MESSAGE"], Age: cell["LAST SEEN"],
		Count: kube.AgeCount(cell["LAST SEEN"]), Involved: kube.ObjectRef{Kind: kindOf(kind), Namespace: cell["NAMESPACE"], Name: name}}
	if n := kube.AgeCount("(x" + cell["COUNT"] + " over "); n > 1 {
		e.Count = n
	}
	e.Kind, e.APIVersion, e.Meta.Namespace, e.Meta.Name = "Event", "v1", cell["NAMESPACE"], cell["NAME"]
	e.Involved.FieldPath, e.Source.Component = cell["SUBOBJECT"], cell["SOURCE"]
	e.Origin = kube.Origin{File: row.File, Line: row.Line, Strength: evidence.Table}
	c.dst.Events = append(c.dst.Events, e)
}

// kindOf turns the name of a resource, as kubectl prints it before a name (job.batch/x), into its kind. Of a kind that
// is not read the name is given as it stands.
func kindOf(resource string) string {
	name, _, _ := strings.Cut(strings.ToLower(resource), ".")
	switch strings.TrimSuffix(name, "s") {
	case "pod":
		return "Pod"
	case "job":
		if strings.HasPrefix(resource, "job.") && !strings.HasPrefix(resource, "job.batch") || strings.HasSuffix(resource, "volcano.sh") {
			return resource
		}
		return "Job"
	case "cronjob":
		return "CronJob"
	case "node":
		return "Node"
	case "namespace":
		return "Namespace"
	case "deployment":
		return "Deployment"
	case "replicaset":
		return "ReplicaSet"
	case "daemonset":
		return "DaemonSet"
	case "statefulset":
		return "StatefulSet"
	}
	return resource
}
