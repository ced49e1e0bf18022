package knowledge

import "slices"

func (l *linter) istioTable(t istioFile) {
	const file = "istio.yaml"
	l.at(file, "checkedThrough").release("checkedThrough", t.CheckedThrough)
	l.at(file, "matrixFrom").release("matrixFrom", t.MatrixFrom)
	if t.Previewed != "" {
		l.at(file, "previewed").release("previewed", t.Previewed)
	}
	l.at(file, "names").text("envName", t.EnvName)
	l.text("annotationKey", t.AnnotationKey)
	l.text("defaultTemplate", t.DefaultTemplate)
	l.eras(file, t.Eras)
	l.notes(file, t.Steps, "template-kind", "template-skew", "kube-inject", "auto")
	for _, m := range []string{"true", "false", "auto"} {
		if len(t.Meanings[m]) == 0 {
			l.at(file, "meanings").bad("no spelling of %s", m)
		}
	}
	l.at(file, "misspelled").cite(t.MisspelledSources)
	checkUnique(l, file, t.Templates, func(i InjectionTemplate) string { return i.Name })
	for _, i := range t.Templates {
		if l.at(file, "template "+i.Name); !slices.Contains([]string{Ordinary, None, Refused}, i.Gives) {
			l.bad("gives %q", i.Gives)
		}
	}
	for _, f := range t.Foreign {
		l.at(file, "foreign "+f.Key).cite(f.Sources)
	}
	l.istioTimelines(file, t)
	l.features(file, t.Features)
	checkUnique(l, file, t.Fingerprints, func(f Fingerprint) string { return f.ID })
	for _, f := range t.Fingerprints {
		l.at(file, "fingerprint "+f.ID).cite(f.Sources)
		if f.Since == "" && f.Until == "" {
			l.bad("tells nothing")
		}
		for _, v := range []string{f.Since, f.Until} {
			if v != "" {
				l.release("since or until", v)
			}
		}
		l.before(f.Since, f.Until)
	}
	checkUnique(l, file, t.ControlPlanes, func(c ControlPlane) string { return c.ID })
	for _, c := range t.ControlPlanes {
		l.at(file, "control plane "+c.ID).cite(c.Sources)
		l.text("note", c.Note)
		l.globs("revisions", c.Revisions)
		l.globs("imageTags", c.ImageTags)
	}
}

func (l *linter) istioTimelines(file string, t istioFile) {
	var since []string
	for _, p := range t.Profiles {
		since = append(since, p.Since)
		l.at(file, "profiles "+p.Since).cite(p.Sources)
		for _, d := range p.Disabling {
			l.oneOf("disabling", d, p.Shipped...)
		}
	}
	l.at(file, "profiles").increasing(since)
	since = nil
	for _, p := range t.Supports {
		since = append(since, p.Since)
		l.at(file, "supports "+p.Since).cite(p.Sources)
		l.release("min", p.Min)
		l.release("max", p.Max)
		l.oneOf("confidence", p.Confidence, "high", "medium", "low")
	}
	l.at(file, "supports").increasing(since)
}

func (l *linter) eras(file string, list []era) {
	checkUnique(l, file, list, func(e era) string { return e.ID })
	var since []string
	for _, e := range list {
		since = append(since, e.Since)
		l.at(file, "era "+e.ID).cite(e.Sources)
		l.text("title", e.Title)
		l.oneOf("envKind", e.EnvKind, "none", "exact", "switch")
		if (e.EnvKind == "none") != (e.Env == nil) {
			l.bad("envKind and env disagree")
		}
		if e.NeedsIstiod != "" {
			l.release("needsIstiod", e.NeedsIstiod)
			l.oneOf("onOlderIstiod", e.OnOlderIstiod, "error", "unknown")
		}
		if e.Env != nil {
			l.outcomes("env", *e.Env, "unset", "auto")
			l.oneOf("env unset", e.Env.Unset, Native, Ordinary, "auto")
			if e.Env.Other != Native && e.Env.Other != Ordinary {
				l.bad("env other must be native or ordinary")
			}
		}
		if e.Annotation != nil {
			l.outcomes("annotation", *e.Annotation, "ignored")
		}
	}
	l.at(file, "eras").increasing(since)
}

func (l *linter) outcomes(field string, r valueRule, more ...string) {
	allowed := append([]string{Native, Ordinary}, more...)
	for _, v := range sortedKeys(r.Values) {
		l.oneOf(field+" value "+v, r.Values[v], allowed...)
	}
	l.oneOf(field+" other", r.Other, allowed...)
}
