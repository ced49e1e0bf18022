package facts

import (
	"slices"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Policy gives the restartPolicy by which the kubelet decides about an ordinary container that has ended, "" where the bundle
// does not show it, and where it stands: the container's own, which API servers keep since they honour it, else the pod's
// (kubernetes/kubernetes pkg/api/v1/pod/util.go ContainerShouldRestart, v1.35.4).
func (c *Container) Policy() (string, evidence.Evidence) {
	if c.ownPolicy() {
		return c.Spec.RestartPolicy, c.Pod.Ev(c.Path("restartPolicy"), c.Spec.RestartPolicy)
	}
	return c.Pod.RestartPolicy()
}

// ownPolicy says that the container has one; a native sidecar's is what makes it one.
func (c *Container) ownPolicy() bool {
	return c.Placement == Ordinary && c.Spec != nil && c.Spec.RestartPolicy != ""
}

// RestartsAfter says whether the kubelet starts an ordinary container again that ended with this exit code. Rules of the
// container's own come before its policy, and count only beside one.
func (c *Container) RestartsAfter(code int64) version.Answer {
	if c.RuleFor(code) {
		return version.Yes // every action that there is starts it again
	}
	switch policy, _ := c.Policy(); policy {
	case "Always":
		return version.Yes
	case "OnFailure":
		return version.AnswerOf(code != 0)
	case "Never":
		return version.No
	}
	return version.Maybe
}

// RuleFor says that a rule of the container's own restartPolicyRules is about this exit code.
func (c *Container) RuleFor(code int64) bool {
	return c.ownPolicy() && slices.ContainsFunc(c.Spec.RestartPolicyRules, func(r kube.RestartRule) bool {
		in := slices.Contains(r.ExitCodes.Values, code)
		return in && r.ExitCodes.Operator == "In" || !in && r.ExitCodes.Operator == "NotIn"
	})
}
