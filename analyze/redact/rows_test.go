package redact

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/bundle"
)

// TestEventRowsAreThoseOfTheReader: in a copy of describe text the same events are read, wherever their cells stand, and of what
// follows a message of several lines nothing stays.
func TestEventRowsAreThoseOfTheReader(t *testing.T) {
	const titles = "  Type     Reason        Age   From            Message\n  ----     ------        ----  ----            -------\n"
	const refused = "  Warning  FailedCreate  2m    job-controller  Error creating: pods \"rep-\" is forbidden: exceeded quota: q\n"
	for name, tc := range map[string]struct {
		table string
		want  int
		gone  string
	}{
		"as kubectl prints them":     {titles + refused, 1, ""},
		"cells moved":                {titles + "  Warning  FailedCreate  2m (x9 over 10m)  job-controller  Error creating: pods \"rep-\" is forbidden\n", 1, ""},
		"indent lost":                {titles + "Warning FailedCreate 2m job-controller Error creating: pods \"rep-\" is forbidden\n", 1, ""},
		"titles moved as well":       {"Type Reason Age From Message\n---- ------ ---- ---- -------\nWarning FailedCreate 2m job-controller Error creating\n", 1, ""},
		"several":                    {titles + refused + "  Normal  SuccessfulCreate  1m  job-controller  Created pod: rep-x\n" + refused, 3, ""},
		"with a secret":              {titles + "  Warning  FailedCreate  2m  job-controller  denied: password=hunter2\n", 1, "hunter2"},
		"with a secret in a cell":    {titles + "  Warning  FailedCreate  2m  token=hunter2  denied\n", 0, "hunter2"},
		"behind a message's lines":   {titles + refused + "hunter2 is the word\n  Normal  Pulled  1m  hunter2  of it\n", 1, "hunter2"},
		"behind those, where titles": {titles + refused + "hunter2 is the word\n" + refused, 2, "hunter2"},
	} {
		text := "Name:             rep\nNamespace:        team\nParallelism:      1\nCompletions:      1\nStart Time:       Fri, 20 Nov 2026 10:00:00 +0000\n" +
			"Pods Statuses:    0 Active (0 Ready) / 0 Succeeded / 0 Failed\nEvents:\n" + tc.table
		source := folder(t, map[string]string{"job.txt": text})
		copied, _ := redacted(t, source, Tar)
		before, after := eventsIn(t, source), eventsIn(t, folder(t, withoutFolders(copied)))
		if len(after) != tc.want || tc.gone == "" && strings.Join(before, "\n") != strings.Join(after, "\n") {
			t.Errorf("%s: want %d\nbefore %q\nafter  %q", name, tc.want, before, after)
		}
		if out := copied["redacted/job.txt"]; tc.gone != "" && strings.Contains(out, tc.gone) || out == "" {
			t.Errorf("%s: it stays\n%s", name, out)
		}
	}
}

// TestRowsAreThoseOfTheReader: in a copy of a table the same rows are read, wherever their cells stand.
func TestRowsAreThoseOfTheReader(t *testing.T) {
	const titles = "NAME               READY   STATUS      RESTARTS   AGE\n"
	for name, row := range map[string]string{
		"as kubectl prints it": "rep-abcde          0/2     Completed   0          26m\n",
		"with an age":          "rep-abcde          0/2     Error       9 (10s ago)   26m\n",
		"squeezed":             "rep-abcde 0/2 Completed 0 26m\n",
		"moved":                "rep-abcde     0/2     Init:CrashLoopBackOff  9 (10s ago)  26m\n",
	} {
		source := folder(t, map[string]string{"pods.txt": titles + row})
		copied, _ := redacted(t, source, Tar)
		before, after := rowsIn(t, source), rowsIn(t, folder(t, withoutFolders(copied)))
		if len(before) != 1 || strings.Join(before, "\n") != strings.Join(after, "\n") {
			t.Errorf("%s: before %q, after %q\n%s", name, before, after, copied["redacted/pods.txt"])
		}
	}
}

func rowsIn(t *testing.T, path string) []string {
	t.Helper()
	read, err := bundle.Read(context.Background(), path, nil, bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range read.Set.Rows {
		out = append(out, fmt.Sprint(r.Kind, r.Cells))
	}
	return out
}

func eventsIn(t *testing.T, path string) []string {
	t.Helper()
	read, err := bundle.Read(context.Background(), path, nil, bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range read.Set.Events {
		out = append(out, fmt.Sprint(e.Type, " ", e.Reason, " ", e.Age, " ", e.Source.Component, " ", e.Message, " ", e.Origin.Forgeable))
	}
	return out
}
