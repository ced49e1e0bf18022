package rules

import (
	"slices"
	"strconv"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// settings is what one ReplicaSet of istiod was set to.
type settings struct {
	known   bool
	version version.Version
	env     facts.Setting
	from    []evidence.Evidence
}

// text says version and variable for a sentence.
func (s settings) text() analyze.Text {
	if !s.known {
		return say("of settings that are not in the bundle")
	}
	v := say("of an unknown version")
	if s.version.Known() {
		v = say("%s", s.version.Raw)
	}
	switch {
	case !s.env.Known:
		return v
	case !s.env.Set:
		return say("%s without %s", v, facts.NativeEnv)
	}
	return say("%s with %s=%s", v, facts.NativeEnv, s.env.Value)
}

// sameAs says that two settings lead to the same decision, as far as both are known.
func (s settings) sameAs(o settings) bool {
	order, sure := s.version.Compare(o.version)
	return s.known && o.known && sure == version.Yes && order == 0 && s.env.Known && o.env.Known && s.env.Set == o.env.Set && s.env.Value == o.env.Value
}

// rollout is when the present istiod came, and what it is set to.
type rollout struct {
	at time.Time
	settings
}

// revisionAnnotation counts the rollouts of a Deployment on its ReplicaSets. After a rollback the present one is not the
// youngest.
const revisionAnnotation = "deployment.kubernetes.io/revision"

// lastRollout finds when the present istiod of a revision was rolled out: its ReplicaSet's creation, else the moment
// that the Deployment's condition Progressing names for a finished rollout. What lacks both tells of none.
func lastRollout(plane *facts.ControlPlane) rollout {
	if rs := presentSet(plane); rs != nil {
		return rollout{rs.Meta.Created.Time, settingsOf(rs)}
	}
	d := plane.Deployment
	if d == nil {
		return rollout{}
	}
	s := settingsOf(d)
	for _, c := range d.Status.Conditions {
		if c.Type == "Progressing" && c.Reason == "NewReplicaSetAvailable" && !c.LastUpdateTime.IsZero() {
			s.from = append(s.from, d.Ev("status.conditions[type=Progressing].lastUpdateTime", c.LastUpdateTime.String()))
			return rollout{c.LastUpdateTime.Time, s}
		}
	}
	return rollout{}
}

// presentSet gives the ReplicaSet whose pods serve; where no pod tells, the one of the last rollout that is to have pods. What
// a rollout has not yet made ready is not the present one.
func presentSet(plane *facts.ControlPlane) *kube.Controller {
	var best *kube.Controller
	serving := func(rs *kube.Controller) bool { return owns(rs, plane.Serving) }
	anyServes := slices.ContainsFunc(plane.History, serving)
	for _, rs := range plane.History { // oldest first
		if anyServes && !serving(rs) {
			continue
		}
		if rs.Spec.Replicas != nil && *rs.Spec.Replicas == 0 {
			continue
		}
		if best == nil || rolloutNumber(rs) >= rolloutNumber(best) {
			best = rs
		}
	}
	return best
}

// owns says that one of the pods is of a ReplicaSet.
func owns(rs *kube.Controller, pods []*facts.Pod) bool {
	return slices.ContainsFunc(pods, func(p *facts.Pod) bool {
		return slices.ContainsFunc(p.Meta.Owners, func(o kube.Owner) bool { return o.Kind == rs.Kind && o.Name == rs.Meta.Name })
	})
}

func rolloutNumber(rs *kube.Controller) int {
	n, err := strconv.Atoi(rs.Meta.Annotations.Get(revisionAnnotation))
	if err != nil {
		return 0
	}
	return n
}

// inForce gives the settings of the ReplicaSet that was the youngest when a pod was created, leaving out the present
// one. A rollback in between is not seen.
func inForce(plane *facts.ControlPlane, created time.Time, now rollout) (settings, bool) {
	for i := len(plane.History) - 1; i >= 0; i-- {
		rs := plane.History[i]
		if !rs.Meta.Created.IsZero() && !rs.Meta.Created.After(created) && !rs.Meta.Created.Equal(now.at) {
			return settingsOf(rs), true
		}
	}
	return settings{}, false
}

func settingsOf(c *kube.Controller) settings {
	for _, ct := range c.Spec.Template.Spec.Containers {
		if ct.Name != "discovery" {
			continue
		}
		path := "spec.template.spec.containers[name=" + ct.Name + "]"
		s := settings{known: true, version: version.FromImage(ct.Image), env: facts.NativeSetting(&c.Object, ct, path, nil)}
		s.from = append([]evidence.Evidence{c.Ev("metadata.creationTimestamp", c.Meta.Created.String()), c.Ev(path+".image", ct.Image)}, s.env.From...)
		return s
	}
	return settings{from: []evidence.Evidence{c.Ev("metadata.creationTimestamp", c.Meta.Created.String())}}
}
