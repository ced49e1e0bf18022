package rules

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/facts"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// proxyUser is the user that Istio's proxy runs as, whose traffic is not redirected to it.
const proxyUser = 1337

// exemption says what keeps a call of an init container from the redirection: Yes where the bundle shows it, Maybe where something
// is set that may.
type exemption struct {
	holds   version.Answer
	why     analyze.Text
	because []evidence.Evidence
}

// outbound is one setting of what leaves the pod: an annotation, for the whole pod, and the flag by which the injector hands the
// setting, or the mesh's own, to the init container that redirects or checks.
type outbound struct{ annotation, flag string }

var (
	excludePorts  = outbound{"traffic.sidecar.istio.io/excludeOutboundPorts", "-o"}
	excludeRanges = outbound{"traffic.sidecar.istio.io/excludeOutboundIPRanges", "-x"}
	includeRanges = outbound{"traffic.sidecar.istio.io/includeOutboundIPRanges", "-i"}
	includePorts  = outbound{"traffic.sidecar.istio.io/includeOutboundPorts", "-q"}
)

// read gives what a pod sets; ok is false where nothing sets it.
func (o outbound) read(pod *facts.Pod) (value string, at evidence.Evidence, ok bool) {
	for _, c := range pod.Of(facts.IsPlaced(facts.InitContainer)) {
		if c.Helper == nil || !c.Helper.Mesh || c.Spec == nil {
			continue
		}
		if i := slices.Index(c.Spec.Args, o.flag); i >= 0 && i+1 < len(c.Spec.Args) {
			return c.Spec.Args[i+1], pod.Ev(c.Path("args"), o.flag+" "+c.Spec.Args[i+1]), true
		}
	}
	value, ok = pod.Meta.Annotations.Lookup(o.annotation)
	return value, pod.Ev("metadata.annotations["+o.annotation+"]", value), ok
}

// target is an address as programs print it when it refuses them.
var target = regexp.MustCompile(`(\d{1,3}(?:\.\d{1,3}){3}|\[[0-9A-Fa-f:]+\]):(\d{1,5})\b`)

// exempt says whether what an init container calls is kept from Istio's redirection: by its user, or by what the pod leaves out.
func exempt(pod *facts.Pod, c *facts.Container, message string) exemption {
	if user, at := userOf(pod, c); user != nil && *user == proxyUser {
		return exemption{version.Yes, say("it runs as user %d, the proxy's own, whose traffic is not redirected", *user), []evidence.Evidence{at}}
	}
	var address netip.Addr
	port := ""
	if found := target.FindAllStringSubmatch(message, 2); len(found) == 1 {
		address, _ = netip.ParseAddr(strings.Trim(found[0][1], "[]"))
		port = found[0][2]
	}
	if list, at, ok := excludePorts.read(pod); ok && strings.TrimSpace(list) != "" {
		switch {
		case port == "":
			return mayBe(at)
		case slices.Contains(items(list), port):
			return left(at)
		}
	}
	if list, at, ok := excludeRanges.read(pod); ok && strings.TrimSpace(list) != "" {
		switch covers(list, address) {
		case version.Yes:
			return left(at)
		case version.Maybe:
			return mayBe(at)
		}
	}
	list, at, ok := includeRanges.read(pod)
	if !ok || strings.TrimSpace(list) == "*" {
		return exemption{holds: version.No}
	}
	switch covers(list, address) {
	case version.No:
		if ports, asked, _ := includePorts.read(pod); strings.TrimSpace(ports) != "" && (port == "" || slices.Contains(items(ports), port) || strings.TrimSpace(ports) == "*") {
			if port == "" {
				return mayBe(asked)
			}
			return exemption{holds: version.No}
		}
		return left(at)
	case version.Maybe:
		return mayBe(at)
	}
	return exemption{holds: version.No}
}

func left(at evidence.Evidence) exemption {
	return exemption{version.Yes, say("what the pod sets leaves that address out of the redirection"), []evidence.Evidence{at}}
}

func mayBe(at evidence.Evidence) exemption {
	return exemption{version.Maybe, say("the pod leaves addresses out of the redirection, and which one was refused is not told"), []evidence.Evidence{at}}
}

// covers says whether one of the ranges holds an address; Maybe where the address, or a range, is not known.
func covers(list string, address netip.Addr) version.Answer {
	ranges := items(list)
	if !address.IsValid() && len(ranges) > 0 {
		return version.Maybe
	}
	answer := version.No
	for _, r := range ranges {
		prefix, err := netip.ParsePrefix(r)
		switch {
		case err != nil:
			answer = version.Maybe
		case prefix.Contains(address):
			return version.Yes
		}
	}
	return answer
}

func items(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// userOf gives the user that a container is told to run as, and where; nil where only its image tells.
func userOf(pod *facts.Pod, c *facts.Container) (*int64, evidence.Evidence) {
	if c.Spec != nil && c.Spec.SecurityContext.RunAsUser != nil {
		return c.Spec.SecurityContext.RunAsUser, pod.Ev(c.Path("securityContext.runAsUser"), count(c.Spec.SecurityContext.RunAsUser))
	}
	if u := pod.Spec.SecurityContext.RunAsUser; u != nil {
		return u, pod.Ev("spec.securityContext.runAsUser", count(u))
	}
	return nil, evidence.Evidence{}
}
