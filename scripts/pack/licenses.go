package main

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licenseFile is how licences and the notices that belong to them are called.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-.].*)?$`)

// ownTerms are those of them that are a licence by name; a notice or a grant of patents only goes with one.
var ownTerms = regexp.MustCompile(`(?i)^(licen[cs]e|copying)([-.].*)?$`)

// read adds the licences in one folder of a module.
func (m *module) read(top, dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !f.Type().IsRegular() || !licenseFile.MatchString(f.Name()) || strings.HasSuffix(f.Name(), ".go") {
			continue
		}
		rel, err := filepath.Rel(top, filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if slices.ContainsFunc(m.texts, func(t licenseText) bool { return t.name == rel }) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		m.texts = append(m.texts, licenseText{rel, identify(string(text)), strings.ReplaceAll(string(text), "\r\n", "\n")})
	}
	return nil
}

// phrase is a part of a licence that only it has.
type phrase struct{ id, text string }

var phrases = []phrase{
	{"Apache-2.0", "apache license version 2.0"},
	{"Apache-2.0", "licensed under the apache license, version 2.0"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted"},
	{"MPL-2.0", "mozilla public license"},
	{"GPL", "gnu general public license"},
	{"GPL", "gnu lesser general public license"},
}

const bsd = "redistribution and use in source and binary forms"

// identify names the licences in a text by their SPDX identifiers. What is none (a notice, a grant of patents) has none.
func identify(text string) []string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	var ids []string
	for _, p := range phrases {
		if strings.Contains(text, p.text) && !slices.Contains(ids, p.id) {
			ids = append(ids, p.id)
		}
	}
	switch {
	case strings.Contains(text, bsd) && strings.Contains(text, "endorse or promote products"):
		ids = append(ids, "BSD-3-Clause")
	case strings.Contains(text, bsd):
		ids = append(ids, "BSD-2-Clause")
	}
	slices.Sort(ids)
	return ids
}

// ids names the licences of a module; of some its parts have another than the rest.
func (m module) ids() []string {
	var ids []string
	for _, t := range m.texts {
		ids = append(ids, t.ids...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// permissive are the licences that ask for no more than to be passed on with the program. Any other needs a decision.
var permissive = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}

// decided refuses a module without a known licence, or with one that nobody has decided about.
func (m module) decided() error {
	ids := m.ids()
	if len(ids) == 0 {
		return fmt.Errorf("%s %s: no licence was recognised; read it and teach scripts/pack/licenses.go", m.path, m.version)
	}
	for _, t := range m.texts {
		if len(t.ids) == 0 && ownTerms.MatchString(path.Base(t.name)) {
			return fmt.Errorf("%s %s: the licence in %s was not recognised; read it and teach scripts/pack/licenses.go", m.path, m.version, t.name)
		}
	}
	for _, id := range ids {
		if !slices.Contains(permissive, id) {
			return fmt.Errorf("%s %s has the licence %s: decide about it first", m.path, m.version, id)
		}
	}
	return nil
}

const licensesHead = `# Licences of what the program is made of

The program is under Apache-2.0 (LICENSE). It is linked from the Go libraries below; their licences ask for no more than
to be passed on, and every archive holds their texts in THIRD_PARTY_LICENSES.txt. The list is made from the modules'
own files by ` + "`go run ./scripts/pack licenses`" + ` in a checkout, and a test fails when it is not current or when a licence is new.

`

// licenses prints docs/licenses.md.
func licenses(root string, out io.Writer) error {
	all, err := modules(root)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(licensesHead)
	for _, linked := range []bool{true, false} {
		if linked {
			b.WriteString("## In the program, on one platform or more\n\n")
		} else {
			b.WriteString("\n## In tests only\n\n")
		}
		b.WriteString("| module | version | licence |\n|---|---|---|\n")
		for _, m := range all {
			if m.linked != linked {
				continue
			}
			if err := m.decided(); err != nil {
				return err
			}
			version := m.version
			if m.path == standardLibrary {
				version = "that of the build"
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", m.path, version, strings.Join(m.ids(), ", "))
		}
	}
	_, err = io.WriteString(out, b.String())
	return err
}

// notices prints the texts of everything that is linked.
func notices(root string, out io.Writer) error {
	all, err := modules(root)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("Licences of the libraries that this program is linked from.\n")
	for _, m := range all {
		if !m.linked {
			continue
		}
		if err := m.decided(); err != nil {
			return err
		}
		for _, t := range m.texts {
			fmt.Fprintf(&b, "\n%s\n%s  %s\n\n%s\n", strings.Repeat("=", 80), strings.TrimSpace(m.path+" "+m.version), t.name,
				strings.TrimRight(t.text, "\n"))
		}
	}
	_, err = io.WriteString(out, b.String())
	return err
}
