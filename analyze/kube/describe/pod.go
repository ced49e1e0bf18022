package describe

import (
	"slices"
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// podOrder is what kubectl prints of a pod at column 0, in its order.
var podOrder = order{"Name", "Namespace", "Priority", "Priority Class Name", "PriorityClassName", "Runtime Class Name",
	"Service Account", "Node", "Start Time", "Labels", "Annotations", "Status", "Termination Grace Period", "Reason", "Message",
	"SeccompProfile", "LocalhostProfile", "IP", "IPs", "Controlled By", "NominatedNodeName", "Resources", "Init Containers",
	"Containers", "Ephemeral Containers", "Readiness Gates", "Conditions", "Volumes", "QoS Class", "Node-Selectors", "Tolerations",
	"Topology Spread Constraints", "Events"}

// podText reads one pod.
type podText struct {
	*cursor
	d     *Decoder
	pod   *kube.Pod
	where kube.LineMap
	// messages says that there was a termination message before here, which may be longer than it seems.
	messages bool
	// ended is the container that the last one is of; doubted are the lines from one to what contradicts it.
	ended   *containerText
	doubted []doubt
}

// doubt is the lines of the file that a message may have written, and the path of the status that the message is of.
type doubt struct {
	from, to int
	status   string
}

// forged says that what stands between the last message and a line may be of that message, and that the state it stands in
// may end elsewhere than it seems.
func (p *podText) forged(to int) {
	p.pod.Origin.Forgeable = true
	if p.ended == nil {
		return
	}
	status := p.ended.status
	if !slices.ContainsFunc(p.doubted, func(s doubt) bool { return s.status == status }) {
		p.d.Report(to, "pod "+p.pod.Meta.Name+": how container "+p.ended.name+" ended cannot be told from the text of its termination message; it was left out, and so was what stands between them")
	}
	p.doubted = append(p.doubted, doubt{p.ended.first, to, status})
}

// dropDoubted leaves out the states of containers that a message may have written. Of the container that the message is of
// it is known that it had ended: that stands before.
func (p *podText) dropDoubted(path string, list *[]kube.ContainerStatus) {
	*list = slices.DeleteFunc(*list, func(c kube.ContainerStatus) bool {
		status := path + "[name=" + c.Name + "]"
		return slices.ContainsFunc(p.doubted, func(s doubt) bool { return s.status != status && s.from < p.where[status] && p.where[status] <= s.to })
	})
	for i := range *list {
		c := &(*list)[i]
		if !slices.ContainsFunc(p.doubted, func(s doubt) bool { return s.status == path+"[name="+c.Name+"]" }) {
			continue
		}
		if t := c.State.Terminated; t != nil {
			c.State = kube.ContainerState{Uncoded: &kube.Terminated{Reason: t.Reason}}
		}
		c.LastState = kube.ContainerState{}
	}
}

func (d *Decoder) pod(c *cursor) {
	p := &podText{cursor: c, d: d, pod: &kube.Pod{}}
	p.where = d.object(&p.pod.Object, "Pod", "v1", c)
	at := -1
	for p.more() {
		l := p.cur()
		place := podOrder.place(l.key)
		if l.indent != 0 || place < 0 {
			within := at == podOrder.place("Containers") || at == podOrder.place("Init Containers")
			p.pod.Origin.Truncated = p.pod.Origin.Truncated || within && strings.TrimSpace(l.text) != "" // something was cut out here
			p.i++
			continue
		}
		if place <= at {
			p.odd(l)
			if section.MatchString(l.text) {
				p.forged(l.number)
			}
			p.i++
			continue
		}
		at = place
		p.section(l)
	}
	p.dropDoubted("status.initContainerStatuses", &p.pod.Status.InitContainerStatuses)
	p.dropDoubted("status.containerStatuses", &p.pod.Status.ContainerStatuses)
	if p.pod.Meta.Name == "" {
		return
	}
	p.pod.Origin.Truncated = p.pod.Origin.Truncated || at <= podOrder.place("Containers")
	d.Set.Pods = append(d.Set.Pods, p.pod)
}

// odd reports a line that kubectl does not print there. After a termination message it is taken for its work.
func (p *podText) odd(l line) {
	if !p.messages {
		return
	}
	if !p.pod.Origin.Forgeable {
		p.d.Report(l.number, "pod "+p.pod.Meta.Name+": this line is out of place in describe text; a termination message above may have written it")
	}
	p.pod.Origin.Forgeable = true
}

func (p *podText) section(l line) {
	pod, st := p.pod, &p.pod.Status
	if p.meta(&pod.Meta, p.where) {
		return
	}
	switch l.key {
	case "Init Containers":
		p.containers("spec.initContainers", "status.initContainerStatuses", &pod.Spec.InitContainers, &st.InitContainerStatuses)
		return
	case "Containers":
		p.containers("spec.containers", "status.containerStatuses", &pod.Spec.Containers, &st.ContainerStatuses)
		return
	case "Ephemeral Containers":
		var ignored []kube.Container
		p.containers("spec.ephemeralContainers", "status.ephemeralContainerStatuses", &ignored, &st.EphemeralContainerStatuses)
		return
	case "Conditions":
		p.conditions()
		return
	case "Message":
		p.i++
		p.message(&st.Message, l)
		return
	case "Events":
		p.d.eventTable(p.cursor, kube.ObjectRef{Kind: "Pod", Namespace: pod.Meta.Namespace, Name: pod.Meta.Name})
		return
	}
	p.field(l)
	p.i++
}

func (p *podText) field(l line) {
	pod, st := p.pod, &p.pod.Status
	switch l.key {
	case "Service Account":
		pod.Spec.ServiceAccountName, p.where["spec.serviceAccountName"] = l.value, l.number
	case "Node":
		node, _, _ := strings.Cut(text(l.value), "/")
		pod.Spec.NodeName, p.where["spec.nodeName"] = node, l.number
	case "Start Time":
		st.StartTime, p.where["status.startTime"] = kube.ParseTime(l.value), l.number
	case "Status":
		if since, ok := strings.CutPrefix(l.value, "Terminating"); ok {
			// The phase is not printed then, and of the time only how long ago it was.
			pod.Meta.Deleted = kube.Time{Raw: strings.Trim(since, " ()")}
			p.where["metadata.deletionTimestamp"] = l.number
			return
		}
		st.Phase, p.where["status.phase"] = l.value, l.number
	case "Termination Grace Period":
		pod.Meta.DeletionGracePeriodSeconds, p.where["metadata.deletionGracePeriodSeconds"] = number(l.value), l.number
	case "Reason":
		st.Reason, p.where["status.reason"] = l.value, l.number
	}
}

// message reads the pod's own message, which may run over several lines up to the address that always follows.
func (p *podText) message(into *string, first line) {
	p.where["status.message"] = first.number
	*into = first.value
	for p.more() && !p.cur().is(0, "IP") && !p.cur().is(0, "SeccompProfile") {
		*into += "\n" + p.cur().text
		p.messages = true
		p.i++
	}
}

func (p *podText) conditions() {
	p.where["status.conditions"] = p.cur().number
	p.i++
	for p.more() && p.cur().indent == 2 {
		l := p.cur()
		p.i++
		f := strings.Fields(l.text)
		if len(f) != 2 || f[0] == "Type" {
			continue
		}
		p.pod.Status.Conditions = append(p.pod.Status.Conditions, kube.Condition{Type: f[0], Status: f[1]})
		p.where["status.conditions[type="+f[0]+"]"] = l.number
		p.where["status.conditions[type="+f[0]+"].status"] = l.number
	}
}
