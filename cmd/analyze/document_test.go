package main

import "testing"

func TestCapital(t *testing.T) {
	for s, want := range map[string]string{
		"save the evidence":                 "Save the evidence",
		"report exited 1":                   "report exited 1",
		"report: exited 1":                  "report: exited 1",
		"ttlSecondsAfterFinished: no":       "ttlSecondsAfterFinished: no",
		"kubectl delete --force: no":        "kubectl delete --force: no",
		"istio-proxy holds it":              "istio-proxy holds it",
		"readiness settings: they are none": "Readiness settings: they are none",
	} {
		if got := capital(s, []string{"report"}); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
