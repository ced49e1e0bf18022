package redact

import (
	"encoding/json"
	"strings"
)

// A policy gives what stands in the copy for one value of an object; gone{} leaves the field out.
type policy func(f *file, v any) any

type gone struct{}

// fields is an object of which these fields may stay. Any other is left out: a field that is not known can hold anything.
type fields map[string]policy

func (fs fields) of(f *file, v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return scalar(f, v)
	}
	out := make(map[string]any, len(m))
	for key, value := range m {
		p := fs[key]
		switch {
		case key == "managedFields":
			f.count(ofManaged)
			continue
		case p == nil:
			f.count(ofFields)
			continue
		}
		if kept := p(f, value); kept != (gone{}) {
			out[key] = kept
		}
	}
	return out
}

// with gives the fields and some more.
func (fs fields) with(more fields) fields {
	out := make(fields, len(fs)+len(more))
	for k, p := range fs {
		out[k] = p
	}
	for k, p := range more {
		out[k] = p
	}
	return out
}

// each applies a policy to the items of a list.
func each(p policy) policy {
	return func(f *file, v any) any {
		list, ok := v.([]any)
		if !ok {
			return scalar(f, v)
		}
		out := make([]any, 0, len(list))
		for _, item := range list {
			if kept := p(f, item); kept != (gone{}) {
				out = append(out, kept)
			}
		}
		return out
	}
}

// scalar is for a value that stands where an object or a list belongs: of those nothing is kept.
func scalar(f *file, v any) any {
	switch v := v.(type) {
	case nil, bool, json.Number:
		return v
	case string:
		return plainText(f, v)
	}
	f.count(ofFields)
	return gone{}
}

// plainText keeps a text that has not the form of a secret.
func plainText(f *file, s string) any {
	if f.patterns.secret(s) {
		f.count(whyTaken(s))
		return Mark
	}
	return s
}

// name is for names, versions and the like: patterns of the user's do not touch what ties the objects together.
func name(f *file, v any) any {
	s, ok := v.(string)
	if !ok {
		return scalar(f, v)
	}
	if formed(s) {
		f.count(ofForm)
		return Mark
	}
	return s
}

// message is for texts that say what happened.
func message(f *file, v any) any {
	s, ok := v.(string)
	if !ok {
		return scalar(f, v)
	}
	return f.scrubbed(s)
}

// removed takes a value out, whatever it is.
func removed(what string) policy {
	return func(f *file, v any) any {
		if v == nil || v == "" || v == Mark {
			return v
		}
		f.count(what)
		return Mark
	}
}

// plain keeps everything below but what can hold any value by its place, and texts with the form of a secret. It is for
// parts of an object whose fields are all names, numbers and switches.
func plain(f *file, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			if kept := placed(key)(f, value); kept != (gone{}) {
				out[key] = kept
			}
		}
		return out
	case []any:
		out := make([]any, 0, len(v))
		for _, item := range v {
			out = append(out, plain(f, item))
		}
		return out
	}
	return scalar(f, v)
}

// placed is the policy for a field of a part that is plain.
func placed(key string) policy {
	low := strings.ToLower(key)
	switch low {
	case "annotations":
		return annotations
	case "message", "note":
		return message
	case "env":
		return each(envVar)
	case "args", "command":
		return arguments
	case "httpheaders":
		return headers
	case "volumeattributes", "options", "cabundle", "gmsacredentialspec":
		return removed(ofOptions)
	case "data", "binarydata", "stringdata":
		return removed(ofConfig)
	case "managedfields":
		return dropped(ofManaged)
	}
	if secretKeyRx.MatchString(low) {
		return removed(ofForm)
	}
	return plain
}

// dropped leaves a field out.
func dropped(what string) policy {
	return func(f *file, _ any) any {
		f.count(what)
		return gone{}
	}
}
