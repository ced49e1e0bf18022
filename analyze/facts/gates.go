package facts

import (
	"sort"
	"strconv"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

const (
	gateFlag = "--feature-gates"
	gateName = "SidecarContainers"
	// maxConfigMap is what the API server takes at most of one ConfigMap; a longer text is none of its.
	maxConfigMap = 1 << 20
)

// findGates reads explicit settings of the feature gate from control-plane pods and the kubelet's ConfigMap.
func (c *Cluster) findGates(pods []*Pod) []Gate {
	var out []Gate
	for _, p := range pods {
		if p.Meta.Namespace != "kube-system" {
			continue
		}
		for _, ct := range p.Spec.Containers {
			if on, ev, ok := gateOfCommand(&p.Object, ct); ok {
				out = append(out, Gate{ct.Name, on, ev})
			}
		}
	}
	for _, cm := range c.configs {
		if cm.Meta.Namespace != "kube-system" || !strings.HasPrefix(cm.Meta.Name, "kubelet-config") {
			continue
		}
		if on, ok := gateOfKubelet(cm.Data["kubelet"]); ok {
			out = append(out, Gate{"kubelet", on, cm.Ev("data[kubelet]", gateName+": "+strconv.FormatBool(on))})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Evidence.Object < out[j].Evidence.Object })
	return out
}

// gateOfCommand reads the flag of a component, whose words are those of command and then those of args. A flag may stand
// several times; they are read one after the other, and the last word on a gate holds.
func gateOfCommand(o *kube.Object, ct kube.Container) (on bool, ev evidence.Evidence, ok bool) {
	words := append(append([]string{}, ct.Command...), ct.Args...)
	for i, word := range words {
		flag, list, joined := strings.Cut(word, "=")
		if flag != gateFlag {
			continue
		}
		if !joined {
			if i+1 == len(words) {
				break
			}
			list = words[i+1]
			word += " " + list
		}
		field := "command"
		if i >= len(ct.Command) {
			field = "args"
		}
		if v, found := gateIn(list); found {
			on, ev, ok = v, o.Ev("spec.containers[name="+ct.Name+"]."+field, word), true
		}
	}
	return on, ev, ok
}

// gateIn reads a list of gates as Kubernetes does (component-base, featureGate.Set): strconv.ParseBool of the trimmed
// value, the last of several. From 1.31 on a gate may name its component, kube:Name=value. A value that is no boolean
// keeps the component from starting, so it says nothing of one that runs.
func gateIn(list string) (on, ok bool) {
	for _, item := range strings.Split(list, ",") {
		name, value, _ := strings.Cut(item, "=")
		if strings.TrimPrefix(strings.TrimSpace(name), "kube:") != gateName {
			continue
		}
		if v, err := strconv.ParseBool(strings.TrimSpace(value)); err == nil {
			on, ok = v, true
		}
	}
	return on, ok
}

// gateOfKubelet reads featureGates of a KubeletConfiguration, which are booleans: a kubelet does not take text for one.
func gateOfKubelet(text string) (on, ok bool) {
	if text == "" || len(text) > maxConfigMap {
		return false, false
	}
	read, err := kube.Generic(kube.Text{Format: kube.YAML, Raw: []byte(text)})
	if err != nil {
		return false, false
	}
	config, _ := read.(map[string]any)
	gates, _ := config["featureGates"].(map[string]any)
	on, ok = gates[gateName].(bool)
	return on, ok
}
