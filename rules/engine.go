package rules

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/knowledge"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Engine is everything that a run needs from this package.
func Engine() analyze.Engine {
	return analyze.Engine{Rules: All(), Verdicts: Verdicts(), Judge: Judge, Next: Next, Columns: columnsIn, Cost: Cost, Remedy: Remedy, Otherwise: Otherwise, Now: Now, Apart: Apart}
}

// Printer gives the way in which the bundle's API server prints pods. With an unknown version it is the present way
// for everything that changed nothing but wording, and the counting of native sidecars, without which no READY column
// of a cluster with native sidecars comes out right.
func Printer(c *facts.Cluster, k *knowledge.Base) facts.Printer {
	does := func(feature string, unknown bool) bool {
		a, _ := k.Has(feature, c.Server.V)
		if !c.Server.Known || a == version.Maybe {
			return unknown
		}
		return a == version.Yes
	}
	return facts.Printer{
		CountsSidecars:   does("ready-counts-sidecars", true),
		HidesTerminating: does("terminating-hidden-for-finished", true),
		ShowsErrorReason: does("status-shows-error-reason", false),
		PlainRunning:     !does("status-says-not-ready", true),
	}
}

// HelperOf adapts the catalogue of known sidecars to what package facts asks for.
func HelperOf(k *knowledge.Base) func(name, image string) (facts.Helper, bool) {
	return func(name, image string) (facts.Helper, bool) {
		m, ok := k.Sidecar(name, readable(image))
		return helperOf(m), ok
	}
}

// OldKubeletOf adapts what is known of kubelets. A virtual one has the number of a library.
func OldKubeletOf(k *knowledge.Base) func(version.Version) bool {
	return func(v version.Version) bool {
		knows, _ := k.Has("kubelet-knows-sidecars", v)
		return knows == version.No && !v.IsVirtualKubelet()
	}
}

// BesideOf adapts what the catalogue recognises by an injector's init container.
func BesideOf(k *knowledge.Base) func(name string, inits []string) (facts.Helper, bool) {
	return func(name string, inits []string) (facts.Helper, bool) {
		m, ok := k.Beside(name, inits)
		h := helperOf(m)
		h.Beside = ok
		return h, ok
	}
}

func helperOf(m knowledge.Match) facts.Helper {
	return facts.Helper{ID: m.Helper.ID, Product: m.Helper.Product, Class: m.Helper.Class, Mesh: m.Helper.Mesh,
		EndsItself: m.Helper.EndsByItself(), OnceFlags: m.Helper.Once.Flags, OnceEnv: m.Helper.Once.Env,
		ByName: m.ByName, ByImage: m.ByImage, Conflict: m.Conflict}
}

// readable is an image as far as it tells a program: one that was masked, whole or at its end, is no other program's.
func readable(image string) string {
	ref, _ := version.SplitImage(image)
	if facts.Redacted(ref) || facts.Redacted(ref[strings.LastIndexByte(ref, '/')+1:]) {
		return ""
	}
	return image
}

// InitOf adapts the catalogue of known one-shot init containers.
func InitOf(k *knowledge.Base) func(name, image string) (facts.Helper, bool) {
	return func(name, image string) (facts.Helper, bool) {
		h, ok := k.KnownInit(name, readable(image))
		return facts.Helper{ID: h.ID, Product: h.Product, Class: initClass, Mesh: h.Mesh, ByName: true}, ok
	}
}
