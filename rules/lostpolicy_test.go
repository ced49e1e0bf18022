package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
)

// TestLostPolicy: a container of the init list that runs beside the application is a native sidecar whose restartPolicy
// the bundle's copy of the pod lost, and is judged as one.
func TestLostPolicy(t *testing.T) {
	c := fixtureCluster(t, "rules", "KnownIssue", "clear-b08-field-lost-in-bundle")
	j := Judge(c, c.Workloads[0])
	if len(j.Pods) != 1 || len(lostPolicy(j.Pods[0].Pod)) == 0 {
		t.Fatalf("%s: nothing was seen to be lost", j.Code)
	}
	for _, m := range j.Pods[0].Missing {
		if strings.Contains(m.What.String(), "loses the field") {
			return
		}
	}
	t.Errorf("%s: %v does not say that restartPolicy is missing", j.Code, j.Pods[0].Missing)
}

// TestFrozenStatusIsHedged: a native sidecar that has stood as ended for long beside a running application makes the
// status doubtful, and the verdict says so.
func TestFrozenStatusIsHedged(t *testing.T) {
	c := fixtureCluster(t, "rules", "KnownIssue", "fires-b01-frozen-status")
	j := Judge(c, c.Workloads[0])
	if j.Code != AppRunning || !strings.Contains(j.Summary.String(), "the status may have stood still") {
		t.Errorf("%s: %s", j.Code, j.Summary)
	}
}

// TestLostPolicyIsOneForAll: the published bugs are looked for in the sidecars that the verdict sees.
func TestLostPolicyIsOneForAll(t *testing.T) {
	c := fixtureCluster(t, "rules", "KnownIssue", "clear-b08-field-lost-in-bundle")
	w := c.Workloads[0]
	judged := newPodView(c, w, w.Pods[0])
	v := issueViews(&analyze.Pass{Cluster: c, Know: base(t), Workload: w})[0]
	if len(judged.lost) == 0 || !slices.Equal(v.natives, judged.natives) {
		t.Fatalf("the verdict sees %v, the issues %v", names(judged.natives), names(v.natives))
	}
	if s := seesNativeSidecar(v); !s.seen || !strings.HasPrefix(s.because[0].Field, "status.initContainerStatuses[") {
		t.Errorf("%+v", s)
	}
}
