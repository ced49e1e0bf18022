package knowledge

import (
	"io/fs"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

type Base struct{}

func Load(fsys fs.FS) (*Base, error)                        { return &Base{}, nil }
func (b *Base) Overlay(fsys fs.FS) (*Base, []string, error) { return b, nil, nil }
func Lint(fsys fs.FS) []error                               { return nil }
func (b *Base) Revision() string                            { return "" }
func (b *Base) Source(id string) (Source, bool)             { return Source{}, false }
func (b *Base) Decide(in Inputs) Decision                   { return Decision{} }
func (b *Base) Has(f string, v version.Version) (version.Answer, Basis) {
	return version.Maybe, Basis{}
}

type Gate struct {
	Stage                   string // none | alpha | beta | ga | removed
	Exists, Default, Locked bool
}

func (b *Base) SidecarGate(v version.Version) (Gate, bool, Basis) { return Gate{}, false, Basis{} }

type IstioPoint struct {
	Minor          string
	Era            string
	EnvKind        string // none | exact | switch
	EnvDefault     string
	AnnotationRead bool
	CompatProfiles []string
	CompatDisables []string
	AutoKubeletMin int
	Supported      []string // Kubernetes minors
}

func (b *Base) Istio(v version.Version) (IstioPoint, bool, Basis) {
	return IstioPoint{}, false, Basis{}
}

type Helper struct {
	ID, Product, Class string
	Mesh               bool
	Native             string
	Stop               string
	Note               string
	Sources            []string
}
type Match struct {
	Helper          Helper
	ByName, ByImage bool
	Conflict        bool
}

func (b *Base) Sidecar(name, image string) (Match, bool)    { return Match{}, false }
func (b *Base) KnownInit(name, image string) (Helper, bool) { return Helper{}, false }

type Issue struct {
	ID, Ref, Component, Title string
	Affects                   version.Constraint
	FixedIn                   []string
	Predicates                []string
	Symptom, Workaround       string
	Caveat, Confidence        string
	Sources                   []string
}

func (b *Base) Issues() []Issue { return nil }

type TemplatePlace struct{ Kind, APIGroup, Path, Note string }

func (b *Base) TemplatePlace(group, kind string) (TemplatePlace, bool)   { return TemplatePlace{}, false }
func (b *Base) AnnotationMisspelling(key string) (meant string, ok bool) { return "", false }

type StopCall struct{ ID, Pattern, Helper, Note string }

func (b *Base) StopCalls() []StopCall { return nil }

type Matrix struct{}

func (b *Base) Matrix() Matrix { return Matrix{} }
