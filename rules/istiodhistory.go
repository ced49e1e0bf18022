package rules

import (
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

// lastRollout finds when the present istiod of a revision was rolled out: its ReplicaSet's creation, else the moment
// that the Deployment's condition Progressing names for a finished rollout. What lacks both tells of none.
func lastRollout(plane *facts.ControlPlane) rollout {
	if rs := plane.PresentSet(); rs != nil {
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
