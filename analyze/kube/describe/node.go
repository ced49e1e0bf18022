package describe

import (
	"strings"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

func (d *Decoder) node(c *cursor) {
	node := &kube.Node{}
	lines := d.object(&node.Object, "Node", "v1", c)
	for c.more() {
		l := c.cur()
		switch {
		case c.meta(&node.Meta, lines):
			continue
		case l.is(0, "Taints"):
			d.taints(c, node, lines)
			continue
		case l.is(0, "Lease"):
			d.lease(c, node.Meta.Name)
			continue
		case l.is(0, "Conditions"):
			d.nodeConditions(c, node, lines)
			continue
		case l.is(0, "Events"):
			d.eventTable(c, kube.ObjectRef{Kind: "Node", Name: node.Meta.Name})
			continue
		case l.is(0, "System Info"):
			c.i++
			for c.more() && c.cur().indent == 2 {
				systemInfo(node, lines, c.cur())
				c.i++
			}
			continue
		case l.is(0, "Unschedulable"):
			node.Spec.Unschedulable, lines["spec.unschedulable"] = l.value == "true", l.number
		case l.is(0, "ProviderID"):
			node.Spec.ProviderID, lines["spec.providerID"] = l.value, l.number
		}
		c.i++
	}
	d.Set.Nodes = append(d.Set.Nodes, node)
}

func systemInfo(node *kube.Node, lines kube.LineMap, l line) {
	info := &node.Status.NodeInfo
	switch l.key {
	case "OS Image":
		info.OSImage, lines["status.nodeInfo.osImage"] = l.value, l.number
	case "Operating System":
		info.OperatingSystem, lines["status.nodeInfo.operatingSystem"] = l.value, l.number
	case "Container Runtime Version":
		info.ContainerRuntimeVersion, lines["status.nodeInfo.containerRuntimeVersion"] = l.value, l.number
	case "Kubelet Version":
		info.KubeletVersion, lines["status.nodeInfo.kubeletVersion"] = l.value, l.number
	}
}

// taints reads "Taints:  key=value:Effect" and the aligned lines below it.
func (d *Decoder) taints(c *cursor, node *kube.Node, lines kube.LineMap) {
	lines["spec.taints"] = c.cur().number
	text := c.cur().value
	for {
		if key, effect, ok := cutLast(text, ":"); ok {
			key, _, _ = strings.Cut(key, "=")
			node.Spec.Taints = append(node.Spec.Taints, struct {
				Key    string `json:"key,omitempty"`
				Effect string `json:"effect,omitempty"`
			}{Key: key, Effect: effect})
			lines["spec.taints[key="+key+"]"] = c.cur().number
		}
		c.i++
		if c.cur().indent < 4 {
			return
		}
		text = strings.TrimSpace(c.cur().text)
	}
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// lease keeps when the kubelet last reported, as the node lease of the same name.
func (d *Decoder) lease(c *cursor, node string) {
	lease := &kube.Lease{}
	lines := d.object(&lease.Object, "Lease", "coordination.k8s.io/v1", c)
	lease.Meta.Name, lease.Meta.Namespace = node, "kube-node-lease"
	c.i++
	for c.more() && c.cur().indent == 2 {
		l := c.cur()
		switch l.key {
		case "HolderIdentity":
			lease.Spec.HolderIdentity, lines["spec.holderIdentity"] = text(l.value), l.number
		case "RenewTime":
			lease.Spec.RenewTime, lines["spec.renewTime"] = kube.ParseTime(text(l.value)), l.number
		}
		c.i++
	}
	if !lease.Spec.RenewTime.IsZero() {
		d.Set.Leases = append(d.Set.Leases, lease)
	}
}

func (d *Decoder) nodeConditions(c *cursor, node *kube.Node, lines kube.LineMap) {
	lines["status.conditions"] = c.cur().number
	c.i++
	if !c.more() {
		return
	}
	cols := kube.NewColumns(c.cur().text)
	for c.i++; c.more() && c.cur().indent == 2; c.i++ {
		l := c.cur()
		cells, ok := cols.Cut(l.text)
		if !ok || len(cells) != 6 || strings.HasPrefix(cells[0], "---") {
			continue
		}
		node.Status.Conditions = append(node.Status.Conditions, kube.Condition{Type: cells[0], Status: cells[1],
			LastHeartbeatTime: kube.ParseTime(cells[2]), LastTransitionTime: kube.ParseTime(cells[3]), Reason: cells[4], Message: cells[5]})
		path := "status.conditions[type=" + cells[0] + "]"
		for _, f := range []string{"", ".status", ".reason", ".message", ".lastHeartbeatTime", ".lastTransitionTime"} {
			lines[path+f] = l.number
		}
	}
}
