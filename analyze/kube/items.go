package kube

import (
	"fmt"
	"reflect"
	"strings"
)

// object decodes one object into the struct of its kind and keeps it. A field with a value of the wrong type, such as
// a redacted number, is left out and listed; it does not cost the object.
func (d *Decoder) object(text []byte, src Text, apiVersion, kind string) error {
	switch {
	case kind == "":
		return ErrNoObject
	case kind == "Status":
		return d.refusal(text, src)
	case src.Truncated && kind != "Pod":
		return fmt.Errorf("the text ends within this %s", kind)
	}
	p := planOf(apiVersion, kind)
	obj := reflect.New(p.typ)
	r := &jsonReader{cursor: cursor{b: text}, line: src.Line, fixed: src.Format == YAML, lines: d.lines, strings: &d.yaml().strings}
	r.report = func(line int, message string) { d.Report(src.fieldLine(line, r.at()), kind+": "+message) }
	r.lines.reset(src.Line)
	r.space()
	ok := r.object(p, obj.Elem())
	d.lines = r.lines
	if !ok {
		return fmt.Errorf("not readable as a %s", kind)
	}
	o := baseOf(obj)
	if o.Meta.Name == "" && o.Meta.GenerateName == "" && o.Meta.UID == "" {
		return ErrNoObject
	}
	if o.Kind == "" {
		o.Kind = kind
	}
	o.Origin = Origin{File: d.File, Line: src.Line, Strength: d.Strength, Truncated: src.Truncated, Lines: &src}
	if src.Format == JSON {
		o.Origin.Lines = d.lines.table(src.Line)
	}
	d.keep(obj.Interface())
	return nil
}

// fieldLine gives the line of a field that a problem is about, as exactly as the notation allows.
func (t *Text) fieldLine(line int, path string) int {
	if t.Format != YAML {
		return line
	}
	return Origin{Line: t.Line, Lines: t}.LineOf(path)
}

func baseOf(obj reflect.Value) *Object {
	return obj.Interface().(interface{ Base() *Object }).Base()
}

// planOf gives the plan for a kind. Kinds of other API groups may share the name of one of ours.
func planOf(apiVersion, kind string) *plan {
	all := allPlans()
	p := all.byKind[kind]
	if p == nil || apiVersion != "" && !ownGroup(kind, apiVersion) {
		return all.other
	}
	return p
}

func ownGroup(kind, apiVersion string) bool {
	group, _, ok := strings.Cut(apiVersion, "/")
	if !ok {
		group = ""
	}
	switch kind {
	case "Pod", "Node", "ConfigMap", "Namespace":
		return group == ""
	case "Job", "CronJob":
		return group == "batch"
	case "Event":
		return group == "" || group == "events.k8s.io"
	case "Lease":
		return group == "coordination.k8s.io"
	case "Deployment", "ReplicaSet", "DaemonSet", "StatefulSet":
		return group == "apps" || group == "extensions"
	}
	return true
}

func (d *Decoder) count() {
	if d.Kept != nil {
		d.Kept.Add(1)
	}
}

// keep appends an object to the list of its kind.
func (d *Decoder) keep(obj any) {
	d.count()
	s := d.Set
	switch o := obj.(type) {
	case *Pod:
		if d.Reduce && o.ordinaryService() {
			d.keepService(o)
			return
		}
		s.Pods = append(s.Pods, o)
	case *Job:
		s.Jobs = append(s.Jobs, o)
	case *CronJob:
		s.CronJobs = append(s.CronJobs, o)
	case *Node:
		s.Nodes = append(s.Nodes, o)
	case *Lease:
		s.Leases = append(s.Leases, o)
	case *Event:
		s.Events = append(s.Events, o)
	case *Namespace:
		s.Namespaces = append(s.Namespaces, o)
	case *Controller:
		s.Controllers = append(s.Controllers, o)
	case *ConfigMap:
		s.ConfigMaps = append(s.ConfigMaps, o)
	case *WebhookConfiguration:
		s.Webhooks = append(s.Webhooks, o)
	case *Object:
		s.Others = append(s.Others, o)
	}
}

// guessKind tells the kind of an object that names none by fields that only that kind has. Items of typed lists name
// none, and the list names its kind behind them.
func guessKind(c cursor) string {
	if !c.path("metadata") {
		return ""
	}
	switch {
	case c.path("spec", "containers"):
		return "Pod"
	case c.path("spec", "jobTemplate"):
		return "CronJob"
	case c.path("spec", "template") && (c.path("spec", "backoffLimit") || c.path("spec", "completions") || c.path("spec", "completionMode")):
		return "Job"
	case c.path("status", "nodeInfo"):
		return "Node"
	case c.path("involvedObject"):
		return "Event"
	}
	return ""
}

// refusal keeps what an API server answered instead of an object.
func (d *Decoder) refusal(text []byte, src Text) error {
	c := cursor{b: text}
	if c.text("status") == "Success" {
		return nil
	}
	class := "other"
	switch c.text("reason") {
	case "Forbidden", "Unauthorized":
		class = "forbidden"
	case "NotFound", "Gone":
		class = "notFound"
	case "Invalid", "BadRequest":
		class = "invalid"
	case "Timeout", "ServerTimeout", "ServiceUnavailable":
		class = "unreachable"
	}
	d.Set.Notes = append(d.Set.Notes, Note{Class: class, Text: oneLine(c.text("message")), File: d.File, Line: src.Line})
	return nil
}
