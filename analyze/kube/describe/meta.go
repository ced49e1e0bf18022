package describe

import (
	"strconv"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// object begins an object's common part.
func (d *Decoder) object(o *kube.Object, kind, apiVersion string, c *cursor) kube.LineMap {
	lines := kube.LineMap{}
	d.last = o
	o.Kind, o.APIVersion = kind, apiVersion
	o.Origin = kube.Origin{File: d.File, Line: c.cur().number, Strength: evidence.Described, Lines: lines, Forgeable: d.doubt}
	return lines
}

// meta reads the lines that all kinds have; it advances past them and gives false for others.
func (c *cursor) meta(m *kube.Meta, lines kube.LineMap) bool {
	l := c.cur()
	if l.indent != 0 {
		return false
	}
	switch l.key {
	case "Name":
		m.Name, lines["metadata.name"] = l.value, l.number
	case "Namespace":
		m.Namespace, lines["metadata.namespace"] = l.value, l.number
	case "CreationTimestamp":
		m.Created, lines["metadata.creationTimestamp"] = kube.ParseTime(l.value), l.number
	case "Labels":
		m.Labels = kube.PairsOf(c.labels(lines, "metadata.labels", 0))
		return true
	case "Annotations":
		m.Annotations = kube.PairsOf(c.annotations(lines, "metadata.annotations", 0))
		return true
	case "Controlled By":
		lines["metadata.ownerReferences"] = l.number
		kind, name, _ := strings.Cut(l.value, "/")
		yes := true
		o := kube.Owner{Kind: kind, Name: name, Controller: &yes, APIVersion: ownerVersion(kind)}
		if kind == "Job" {
			o.UID = firstOf(m.Labels, "batch.kubernetes.io/controller-uid", "controller-uid")
		}
		m.Owners = []kube.Owner{o}
		lines["metadata.ownerReferences[kind="+kind+"]"] = l.number
	default:
		return false
	}
	c.i++
	return true
}

// ownerVersion gives the API version of owners that kubectl prints by kind alone; empty when several groups have it.
func ownerVersion(kind string) string {
	switch kind {
	case "Job", "CronJob":
		return "batch/v1"
	case "ReplicaSet", "DaemonSet", "StatefulSet", "Deployment":
		return "apps/v1"
	case "Node":
		return "v1"
	}
	return ""
}

func firstOf(m kube.Pairs, keys ...string) string {
	for _, k := range keys {
		if v := m.Get(k); v != "" {
			return v
		}
	}
	return ""
}

// labels reads "Labels:  a=b" and the aligned lines below it.
func (c *cursor) labels(lines kube.LineMap, path string, indent int) map[string]string {
	var out map[string]string
	lines[path] = c.cur().number
	text := c.cur().value
	for {
		if k, v, ok := strings.Cut(text, "="); ok {
			if out == nil {
				out = map[string]string{}
			}
			out[k] = v
			lines[path+"["+k+"]"] = c.cur().number
		}
		c.i++
		if l := c.cur(); l.indent < indent+4 || strings.TrimSpace(l.text) == "" {
			return out
		}
		text = strings.TrimSpace(c.cur().text)
	}
}

// annotations reads "Annotations:  a: b". A long value stands below its key, two columns further in, and is cut.
func (c *cursor) annotations(lines kube.LineMap, path string, indent int) map[string]string {
	out := map[string]string{}
	lines[path] = c.cur().number
	col := len(c.cur().text) - len(c.cur().value)
	text, key := c.cur().value, ""
	for {
		deep := c.cur().indent > col && c.cur().key != "Annotations"
		k, v, ok := strings.Cut(text, ":")
		switch {
		case deep && key != "" && out[key] == "":
			out[key] = text
		case deep && key != "":
			out[key] += "\n" + text
		case ok && (v == "" || v[0] == ' '):
			key = k
			out[k] = strings.TrimSpace(v)
			lines[path+"["+k+"]"] = c.cur().number
		}
		c.i++
		if l := c.cur(); l.indent < indent+4 || strings.TrimSpace(l.text) == "" {
			break
		}
		text = strings.TrimSpace(c.cur().text)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// number reads a count; nil when the text is none (masked, <unset>).
func number(s string) *int64 {
	n, err := strconv.ParseInt(strings.TrimSuffix(s, "s"), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

// text drops what kubectl prints for an empty value.
func text(s string) string {
	switch s {
	case "<none>", "<unset>", "<nil>":
		return ""
	}
	return s
}
