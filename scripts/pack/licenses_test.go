package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// TestLicensesPageIsCurrent holds docs/licenses.md to the modules; UPDATE_GOLDEN=1 rewrites it.
func TestLicensesPageIsCurrent(t *testing.T) {
	var want strings.Builder
	if err := licenses(root, &want); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(root, "docs/licenses.md")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(page, []byte(want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil || string(got) != want.String() {
		t.Errorf("docs/licenses.md is not current (scripts/update-golden makes it so): %v\n%s", err, want.String())
	}
}

func TestPlatformsAreThoseOfTheRelease(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(root, "scripts/release"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(script), " platforms=")
	list, _, _ = strings.Cut(list, "\n")
	built := strings.Split(list, ",")
	slices.Sort(built)
	if !slices.Equal(built, platforms) {
		t.Errorf("scripts/release builds for %v, the licences are those of %v", built, platforms)
	}
}

func TestIdentify(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n   Version 2.0, January 2004": "Apache-2.0",
		"Permission is hereby granted, free of charge, to any person obtaining a copy of this software and\nassociated documentation files":                                  "MIT",
		"Redistribution and use in source and binary forms, with or without":                                                                                                 "BSD-2-Clause",
		"Redistribution and use in source and binary forms ... Neither the name of Google Inc. nor the names of its contributors may be used to endorse or promote products": "BSD-3-Clause",
		"GNU General Public License":           "GPL",
		"Additional IP Rights Grant (Patents)": "",
	} {
		if got := strings.Join(identify(text), ","); got != want {
			t.Errorf("%q is taken for %q, want %q", text, got, want)
		}
	}
}

func TestDecided(t *testing.T) {
	mit := licenseText{name: "LICENSE", ids: []string{"MIT"}}
	for says, texts := range map[string][]licenseText{
		"":                                  {mit, {name: "NOTICE"}, {name: "PATENTS"}},
		"no licence was recognised":         nil,
		"has the licence GPL":               {mit, {name: "part/COPYING", ids: []string{"GPL"}}},
		"part/LICENSE.txt was not recognis": {mit, {name: "part/LICENSE.txt"}},
	} {
		err := module{path: "x", texts: texts}.decided()
		if (says == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v, want %q", texts, err, says)
		}
	}
}
