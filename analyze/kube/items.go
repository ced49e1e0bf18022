package kube

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// object decodes one object into the struct of its kind and keeps it.
func (d *Decoder) object(text []byte, src Text, apiVersion, kind, hint string) error {
	if kind == "" {
		kind = hint
	}
	if kind == "" {
		return ErrNoObject
	}
	if kind == "Status" {
		return d.refusal(text, src)
	}
	if src.Truncated && kind != "Pod" {
		return fmt.Errorf("the text ends within this %s", kind)
	}
	s := d.Set
	switch group := group(apiVersion); {
	case kind == "Pod":
		return keep(d, &s.Pods, new(Pod), text, src, kind)
	case kind == "Job" && group != "batch.volcano.sh":
		return keep(d, &s.Jobs, new(Job), text, src, kind)
	case kind == "CronJob":
		return keep(d, &s.CronJobs, new(CronJob), text, src, kind)
	case kind == "Node":
		return keep(d, &s.Nodes, new(Node), text, src, kind)
	case kind == "Lease":
		return keep(d, &s.Leases, new(Lease), text, src, kind)
	case kind == "Event":
		return keep(d, &s.Events, new(Event), text, src, kind)
	case kind == "Namespace" || kind == "Project":
		return keep(d, &s.Namespaces, new(Namespace), text, src, kind)
	case kind == "Deployment", kind == "ReplicaSet", kind == "DaemonSet", kind == "StatefulSet":
		return keep(d, &s.Controllers, new(Controller), text, src, kind)
	case kind == "ConfigMap":
		return keep(d, &s.ConfigMaps, new(ConfigMap), text, src, kind)
	case kind == "MutatingWebhookConfiguration":
		return keep(d, &s.Webhooks, new(WebhookConfiguration), text, src, kind)
	}
	return keep(d, &s.Others, new(Object), text, src, kind)
}

// based is any kind: a struct with an embedded Object, or an Object.
type based[T any] interface {
	*T
	Base() *Object
}

// keep decodes text into obj and appends it. A field with a value of the wrong type, such as a redacted number, is
// dropped and listed; it does not cost the object.
func keep[T any, P based[T]](d *Decoder, list *[]P, obj P, text []byte, src Text, kind string) error {
	err := json.Unmarshal(text, obj)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		line := max(src.Line, src.lineOf(wrong.Field))
		d.Report(line, fmt.Sprintf("%s: %s is a %s where a %s belongs; the field was left out", kind, wrong.Field, wrong.Value, wrong.Type))
	} else if err != nil {
		return fmt.Errorf("reading a %s: %w", kind, err)
	}
	base := obj.Base()
	if base.Kind == "" {
		base.Kind = kind
	}
	if base.Meta.Name == "" && base.Meta.GenerateName == "" && base.Meta.UID == "" {
		return ErrNoObject
	}
	base.Origin = Origin{File: d.File, Line: src.Line, Strength: d.Strength, Truncated: src.Truncated, Lines: &src}
	*list = append(*list, obj)
	return nil
}

func group(apiVersion string) string {
	if i := strings.IndexByte(apiVersion, '/'); i >= 0 {
		return apiVersion[:i]
	}
	return ""
}

// versionHead holds the fields of the documents that tell a server's version: kubectl version -o yaml, the raw
// /version, the support bundle's cluster_version.json, OpenShift's ClusterVersion is a kind of its own.
type versionHead struct {
	ServerVersion *gitVersion `json:"serverVersion"`
	Info          *gitVersion `json:"info"`
	GitVersion    string      `json:"gitVersion"`
}

type gitVersion struct {
	GitVersion string `json:"gitVersion"`
}

func (v versionHead) version() string {
	switch {
	case v.ServerVersion != nil:
		return v.ServerVersion.GitVersion
	case v.Info != nil:
		return v.Info.GitVersion
	}
	return v.GitVersion
}

// refusal keeps what an API server answered instead of an object.
func (d *Decoder) refusal(text []byte, src Text) error {
	var st struct {
		Message string `json:"message"`
		Reason  string `json:"reason"`
		Status  string `json:"status"`
	}
	if err := lenient(json.Unmarshal(text, &st)); err != nil {
		return fmt.Errorf("reading a Status: %w", err)
	}
	if st.Status == "Success" {
		return nil
	}
	class := "other"
	switch st.Reason {
	case "Forbidden", "Unauthorized":
		class = "forbidden"
	case "NotFound", "Gone":
		class = "notFound"
	case "Invalid", "BadRequest":
		class = "invalid"
	case "Timeout", "ServerTimeout", "ServiceUnavailable":
		class = "unreachable"
	}
	d.Set.Notes = append(d.Set.Notes, Note{Class: class, Text: oneLine(st.Message), File: d.File, Line: src.Line})
	return nil
}
