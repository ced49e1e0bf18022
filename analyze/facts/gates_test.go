package facts

import (
	"testing"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

func TestGateOfCommand(t *testing.T) {
	words := func(list ...string) []string { return list }
	for name, c := range map[string]struct {
		command, args []string
		known, on     bool
		field, value  string
	}{
		"none":            {command: words("kube-apiserver", "--v=2")},
		"another gate":    {command: words("--feature-gates=SidecarContainersX=false,Other=true")},
		"off":             {command: words("x", "--feature-gates=A=true,SidecarContainers=false"), known: true, field: "command", value: "--feature-gates=A=true,SidecarContainers=false"},
		"True":            {command: words("--feature-gates=SidecarContainers=True"), known: true, on: true, field: "command", value: "--feature-gates=SidecarContainers=True"},
		"1":               {command: words("--feature-gates=SidecarContainers=1"), known: true, on: true, field: "command", value: "--feature-gates=SidecarContainers=1"},
		"t with spaces":   {command: words("--feature-gates= SidecarContainers = t "), known: true, on: true, field: "command", value: "--feature-gates= SidecarContainers = t "},
		"no boolean":      {command: words("--feature-gates=SidecarContainers=yes")},
		"no value":        {command: words("--feature-gates=SidecarContainers")},
		"args":            {command: words("x"), args: words("--feature-gates=SidecarContainers=false"), known: true, field: "args", value: "--feature-gates=SidecarContainers=false"},
		"two words":       {command: words("x", "--feature-gates", "SidecarContainers=false"), known: true, field: "command", value: "--feature-gates SidecarContainers=false"},
		"across the two":  {command: words("x", "--feature-gates"), args: words("SidecarContainers=false"), known: true, field: "command", value: "--feature-gates SidecarContainers=false"},
		"a flag's end":    {command: words("x", "--feature-gates")},
		"the last holds":  {args: words("--feature-gates=SidecarContainers=false", "--feature-gates=SidecarContainers=true"), known: true, on: true, field: "args", value: "--feature-gates=SidecarContainers=true"},
		"last in a list":  {args: words("--feature-gates=SidecarContainers=true,SidecarContainers=false"), known: true, field: "args", value: "--feature-gates=SidecarContainers=true,SidecarContainers=false"},
		"named component": {args: words("--feature-gates=kube:SidecarContainers=false"), known: true, field: "args", value: "--feature-gates=kube:SidecarContainers=false"},
	} {
		on, ev, known := gateOfCommand(&kube.Object{}, kube.Container{Name: "c", Command: c.command, Args: c.args})
		field := ""
		if c.field != "" {
			field = "spec.containers[name=c]." + c.field
		}
		if on != c.on || known != c.known || ev.Field != field || ev.Value != c.value {
			t.Errorf("%s: %v %v %s=%q", name, on, known, ev.Field, ev.Value)
		}
	}
}

func TestGateOfKubelet(t *testing.T) {
	for name, c := range map[string]struct {
		text      string
		known, on bool
	}{
		"nothing":      {},
		"true":         {"featureGates:\n  SidecarContainers: true\n", true, true},
		"a comment":    {"featureGates:\n  SidecarContainers: true # wanted by the mesh team\n", true, true},
		"True":         {"featureGates: {SidecarContainers: True}\n", true, true},
		"false":        {"kind: KubeletConfiguration\nfeatureGates:\n  A: true\n  SidecarContainers: false\n", true, false},
		"JSON":         {`{"featureGates":{"SidecarContainers":false}}`, true, false},
		"text":         {"featureGates:\n  SidecarContainers: \"true\"\n", false, false},
		"a comment's":  {"# SidecarContainers: false\nfeatureGates: {}\n", false, false},
		"elsewhere":    {"other:\n  SidecarContainers: false\n", false, false},
		"not readable": {"featureGates:\n\tSidecarContainers: false\n", false, false},
		"no mapping":   {"- a\n", false, false},
	} {
		if on, known := gateOfKubelet(c.text); on != c.on || known != c.known {
			t.Errorf("%s: %v %v", name, on, known)
		}
	}
}
