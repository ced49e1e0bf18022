package podgen

import (
	"slices"
	"strings"
)

// container is what the templates of a container and of its status are filled with.
type container struct {
	*pod
	Title, Image, ImageName, ID string
	Pull, Shell, Script, Arg    string
	Env                         string // lines
	Proxy                       bool
	EnvFrom, Serves, Bounded    bool
	Secured, Mounts             bool

	Ready, Running, Waits, Panics bool
	Restarts, Exit                int
}

// contain gives the pod its containers and their states.
func (p *pod) contain() {
	p.Main = p.newContainer(p.App, p.Owner == "Job", 6+p.IntN(12))
	p.settle(p.Main)
	p.Containers = []*container{p.Main}
	if p.Mesh {
		proxy := &container{pod: p, Title: "istio-proxy", Image: p.ProxyImage, ImageName: p.ProxyName, ID: p.Hex(64), Proxy: true,
			Serves: p.Main.Serves, Running: !p.Done, Ready: !p.Done || p.Native}
		switch {
		case p.Native:
			p.Natives = []*container{proxy}
		case p.in(0.5):
			p.Containers = append(p.Containers, proxy)
		default:
			p.Containers = slices.Insert(p.Containers, 0, proxy)
		}
	}
	if p.in(0.12) {
		helper := p.newContainer(p.Pick("helper"), true, 2)
		helper.Running, helper.Ready = !p.Done, !p.Done
		p.Containers = append(p.Containers, helper)
	}
}

// newContainer makes one that does the pod's work, or helps: it runs a script or serves.
func (p *pod) newContainer(name string, script bool, variables int) *container {
	c := &container{pod: p, Title: name, ID: p.Hex(64), Pull: "IfNotPresent", Serves: !script, EnvFrom: p.in(0.3), Bounded: !p.in(0.15),
		Secured: p.in(0.5), Mounts: p.in(0.4)}
	c.ImageName = "registry.example.com/team-" + p.letters("abc", 1) + "/" + name
	tag := p.Pick("tag")
	if strings.HasSuffix(tag, "-") {
		tag += p.Hex(7)
	}
	c.Image = c.ImageName + ":" + tag
	if p.in(0.5) {
		c.Pull = "Always"
	}
	switch c.Shell = "/bin/sh"; {
	case script || p.in(0.25):
		c.Script = p.one(scripts)
	case p.in(0.3):
		c.Arg = p.one(oddArgs)
	}
	var env []string
	for range variables {
		env = append(env, p.variable())
	}
	c.Env = strings.Join(env, "\n")
	return c
}

// variable makes one variable of a container's environment.
func (p *pod) variable() string {
	v := "      - name: " + strings.ToUpper(p.Pick("word")) + "_" + p.Pick("variable") + "\n"
	from := v + "        valueFrom:\n          "
	switch p.IntN(12) {
	case 0:
		return from + "fieldRef:\n            apiVersion: v1\n            fieldPath: " + p.Pick("field")
	case 1, 2:
		return from + "secretKeyRef:\n            key: password\n            name: " + p.Pick("word") + "-secret"
	case 3:
		return from + "configMapKeyRef:\n            key: level\n            name: " + p.Pick("word") + "-config\n            optional: true"
	case 4:
		return v + "        value: " + p.one(oddValues)
	case 5, 6:
		return v + "        value: https://" + p.Pick("word") + ".example.internal:8443/api/v1"
	case 7:
		return v + "        value: jdbc:postgresql://db." + p.Pick("word") + ":5432/app?sslmode=require"
	default:
		return v + "        value: " + p.Pick("plain")
	}
}

// settle gives the main container its state.
func (p *pod) settle(c *container) {
	c.Running = !p.stuck && !p.Done && !p.crashes
	c.Ready, c.Waits = c.Running, p.crashes
	if p.stuck {
		c.Exit = p.IntN(2)
	}
	if p.crashes || p.Owner != "Job" && p.in(0.08) {
		c.Restarts, c.Panics = p.Number(1, 40), p.in(0.5)
	}
}
