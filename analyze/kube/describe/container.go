package describe

import (
	"regexp"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// containerOrder is what kubectl prints of a container at column 4, in its order.
var containerOrder = order{"Container ID", "Image", "Image ID", "Port", "Ports", "Host Port", "Host Ports", "SeccompProfile",
	"Command", "Args", "State", "Last State", "Ready", "Restart Count", "Limits", "Requests", "Liveness", "Readiness", "Startup",
	"Environment Variables from", "Environment", "Mounts", "Devices"}

// maxMessage is the kubelet's bound for one termination message, in bytes: text further away is kubectl's own.
const maxMessage = 4096

var containerName = regexp.MustCompile(`^[a-z0-9*]([-a-z0-9*]{0,61}[a-z0-9*])?$`)

// containers reads one block of containers: names at column 2, fields at column 4, their parts at column 6.
func (p *podText) containers(specPath, statusPath string, specs *[]kube.Container, statuses *[]kube.ContainerStatus) {
	p.where[specPath] = p.cur().number
	p.i++
	seen := map[string]bool{}
	for p.more() {
		l := p.cur()
		if strings.TrimSpace(l.text) == "" { // no line of kubectl's here, but people part things
			p.i++
			continue
		}
		if l.indent == 0 {
			break
		}
		if l.indent != 2 || l.value != "" || !containerName.MatchString(l.key) {
			p.odd(l)
			p.i++
			continue
		}
		p.i++
		ct := &containerText{podText: p, name: l.key, spec: specPath + "[name=" + l.key + "]", status: statusPath + "[name=" + l.key + "]"}
		p.where[ct.spec] = l.number
		ct.c.Name = l.key
		ct.read()
		if seen[l.key] {
			p.d.Report(l.number, "pod "+p.pod.Meta.Name+": container "+l.key+" cannot be told from the text of a termination message; it was left out")
			p.forged(p.lines[p.i-1].number)
			continue
		}
		if ct.broken {
			p.forged(p.lines[p.i-1].number)
		}
		seen[l.key] = true
		*specs = append(*specs, ct.c)
		if ct.hasStatus {
			*statuses = append(*statuses, ct.s)
		}
	}
}

// containerText reads one container.
type containerText struct {
	*podText
	name         string
	spec, status string // paths
	c            kube.Container
	s            kube.ContainerStatus
	hasStatus    bool
	broken       bool
	first        int // line of the State when a message was read
}

func (ct *containerText) read() {
	at := -1
	for ct.more() && ct.cur().indent >= 4 {
		l := ct.cur()
		place := containerOrder.place(l.key)
		if l.indent != 4 || place < 0 {
			ct.i++
			continue
		}
		if place <= at {
			ct.broken = ct.broken || ct.messages
			ct.i++
			continue
		}
		at = place
		ct.i++
		ct.field(l)
	}
}

func (ct *containerText) field(l line) {
	switch l.key {
	case "Image":
		ct.c.Image, ct.where[ct.spec+".image"] = l.value, l.number
	case "Command":
		ct.c.Command, ct.where[ct.spec+".command"] = ct.words(), l.number
	case "Args":
		ct.c.Args, ct.where[ct.spec+".args"] = ct.words(), l.number
	case "Port", "Ports":
		ct.ports(l)
	case "State":
		ct.hasStatus = true
		ct.s.Name = ct.name
		ct.where[ct.status] = l.number
		ct.s.State = ct.state(l, ct.status+".state")
	case "Last State":
		ct.s.LastState = ct.state(l, ct.status+".lastState")
	case "Ready":
		ct.s.Ready, ct.where[ct.status+".ready"] = l.value == "True", l.number
	case "Restart Count":
		if n := number(l.value); n != nil {
			ct.s.RestartCount = *n
		}
		ct.where[ct.status+".restartCount"] = l.number
	case "Limits":
		ct.c.Resources.Limits = ct.quantities(l, ".resources.limits")
	case "Requests":
		ct.c.Resources.Requests = ct.quantities(l, ".resources.requests")
	case "Liveness":
		ct.c.LivenessProbe = ct.probe(l, ".livenessProbe")
	case "Readiness":
		ct.c.ReadinessProbe = ct.probe(l, ".readinessProbe")
	case "Startup":
		ct.c.StartupProbe = ct.probe(l, ".startupProbe")
	case "Environment":
		ct.environment(l)
	}
}

// words reads Command or Args: kubectl prints a line for each line of each argument, so a script of several lines
// comes back as several arguments.
func (ct *containerText) words() []string {
	var out []string
	for {
		l, ok := ct.deeper(6)
		if !ok {
			return out
		}
		out = append(out, l.text[min(6, len(l.text)):])
	}
}

func (ct *containerText) quantities(l line, path string) kube.Quantities {
	q := kube.Quantities{}
	ct.where[ct.spec+path] = l.number
	for ct.more() && ct.cur().indent == 6 {
		q[ct.cur().key] = kube.Scalar(ct.cur().value)
		ct.where[ct.spec+path+"."+ct.cur().key] = ct.cur().number
		ct.i++
	}
	return q
}

var portNumber = regexp.MustCompile(`(\d+)/[A-Z]+`)

func (ct *containerText) ports(l line) {
	for _, m := range portNumber.FindAllStringSubmatch(l.value, -1) {
		if n := number(m[1]); n != nil {
			ct.c.Ports = append(ct.c.Ports, kube.Port{ContainerPort: *n})
		}
	}
	ct.where[ct.spec+".ports"] = l.number
}

var probeTiming = regexp.MustCompile(`(delay|period|#failure|failureThreshold)=(\d+)`)

// probe reads "http-get http://:15021/healthz/ready delay=0s timeout=3s period=1s #success=1 #failure=600".
func (ct *containerText) probe(l line, path string) *kube.Probe {
	ct.where[ct.spec+path] = l.number
	p := &kube.Probe{}
	for _, m := range probeTiming.FindAllStringSubmatch(l.value, -1) {
		n := number(m[2])
		if n == nil {
			continue
		}
		switch m[1] {
		case "delay":
			p.InitialDelaySeconds = *n
		case "period":
			p.PeriodSeconds = *n
		default:
			p.FailureThreshold = *n
		}
	}
	return p
}
