package podgen

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// sort is a sort of pods: who owns it, and whether and how it is in the mesh.
type sort struct {
	below            float64 // upper bound of the sort's share, all before it included
	Owner, OwnerAPI  string
	workloads        string
	Mesh, Native     bool
	systemNamespaces bool
}

// mixture is what a cluster consists of.
var mixture = []sort{
	{below: 0.50, Owner: "ReplicaSet", OwnerAPI: "apps/v1", workloads: "deployments", Mesh: true},
	{below: 0.58, Owner: "StatefulSet", OwnerAPI: "apps/v1", workloads: "statefulsets", Mesh: true},
	{below: 0.72, Owner: "Job", OwnerAPI: "batch/v1", workloads: "cronjobs", Mesh: true},
	{below: 0.76, Owner: "Job", OwnerAPI: "batch/v1", workloads: "cronjobs", Mesh: true, Native: true},
	{below: 0.80, Owner: "ReplicaSet", OwnerAPI: "apps/v1", workloads: "deployments", Mesh: true, Native: true},
	{below: 0.84, Owner: "Job", OwnerAPI: "batch/v1"},
	{below: 0.93, Owner: "ReplicaSet", OwnerAPI: "apps/v1"},
	{below: 0.98, Owner: "DaemonSet", OwnerAPI: "apps/v1", systemNamespaces: true},
	{below: 1, Owner: "Node", OwnerAPI: "v1", systemNamespaces: true},
}

// pod is what the templates are filled with.
type pod struct {
	chance
	sort
	App, Name, Namespace, UID string
	Stem, Hash, Index         string // of names
	OwnerName, OwnerUID       string
	Node, Token               string
	HostIP, PodIP             string

	Annotated, Restarted, Applied, Careful, Holds, Exits, Ending bool
	Notes                                                        []string
	Revision, ProxyName, ProxyImage                              string
	RestartPolicy                                                string
	Main                                                         *container
	Containers, Natives                                          []*container

	state
}

// state is how far a pod has come.
type state struct {
	Phase, Unready string
	Start, End     string
	Done           bool // has succeeded
	stuck, crashes bool // its main container is done and the proxy is not; its main container waits for a restart
}

func newPod(i int) *pod {
	p := &pod{chance: newChance(1, i)}
	roll := p.Float64()
	p.sort = mixture[slices.IndexFunc(mixture, func(s sort) bool { return roll < s.below })]
	p.Namespace = fmt.Sprintf("%s-%03d", p.Pick("namespace"), p.IntN(120))
	if p.systemNamespaces {
		p.Namespace = p.Pick("system")
	}
	p.Node, p.Token = nodeName(i/perNode), "kube-api-access-"+p.Suffix(5)
	p.UID, p.OwnerUID = p.NewUID(), p.NewUID()
	p.HostIP, p.PodIP = p.address("10.0"), p.address("10.128")
	p.names(i)
	p.progress()
	p.decorate()
	p.contain()
	return p
}

// names gives the pod names as its owner would; the number makes them unique.
func (p *pod) names(i int) {
	p.App = p.Pick("word") + "-" + p.Pick("part")
	end := p.Suffix(5)
	switch p.Owner {
	case "ReplicaSet":
		p.Hash = p.Suffix(10)
		p.OwnerName = p.App + "-" + p.Hash
	case "Job":
		p.App = p.Pick("word") + "-job"
		p.OwnerName = fmt.Sprintf("%s-%d", p.App, 28900000+i)
	case "StatefulSet":
		p.Index = fmt.Sprint(i)
		p.OwnerName, end = p.App, p.Index
	case "DaemonSet":
		p.OwnerName = p.App
	default:
		p.OwnerName, p.Name = p.Node, p.App+"-"+end+"-"+p.Node
		return
	}
	p.Stem = p.OwnerName + "-"
	p.Name = p.Stem + end
}

// progress decides how far the pod has come: jobs end or are held by the proxy, services run or crash.
func (p *pod) progress() {
	start := p.ago(40 * 24 * time.Hour)
	if p.Owner == "Job" {
		start = p.ago(7 * 24 * time.Hour)
	}
	end := p.ago(time.Hour)
	if end.Before(start) {
		end = now
	}
	p.Start, p.End, p.Phase, p.RestartPolicy = stamp(start), stamp(end), "Running", "Always"
	switch {
	case p.Owner != "Job":
		if p.crashes = p.in(0.03); p.crashes {
			p.Unready = "ContainersNotReady"
		}
		return
	case p.Mesh && !p.Native && p.in(0.6):
		p.stuck, p.Unready = true, "ContainersNotReady"
	case p.in(0.6):
		p.Done, p.Phase, p.Unready = true, "Succeeded", "PodCompleted"
	}
	p.RestartPolicy = "Never"
	if !p.stuck && p.in(0.5) {
		p.RestartPolicy = "OnFailure"
	}
}

// decorate adds what pods of one sort differ in.
func (p *pod) decorate() {
	p.Restarted, p.Applied, p.Careful, p.Ending = p.in(0.5), p.in(0.15), p.in(0.4), p.in(0.02)
	if p.Mesh {
		p.Revision, p.Holds, p.Exits = p.Pick("revision"), p.in(0.3), p.in(0.1)
		p.ProxyName = p.Pick("hub") + "/proxyv2"
		p.ProxyImage = p.ProxyName + ":" + p.Pick("proxy")
	}
	for _, key := range []string{"owner", "stage"} { // as long as the key in scalars.yaml
		if p.in(0.5) {
			p.Notes = append(p.Notes, strings.Replace(p.one(oddNotes), "value", key, 1))
		}
	}
	p.Annotated = p.Restarted || p.Applied || p.Mesh || len(p.Notes) > 0
}

// Tracked says that the Job has not counted the pod yet.
func (p *pod) Tracked() bool { return p.Owner == "Job" && !p.Done }

// Workload is the part of an API path that names the pod's workload.
func (p *pod) Workload() string { return "apps/v1/namespaces/" + p.Namespace + "/" + p.workloads }

// node is what the template of a node is filled with.
type node struct {
	chance
	Node string
}

func newNode(i int) *node { return &node{newChance(2, i), nodeName(i)} }

// Fifty gives as many images as a kubelet lists.
func (n *node) Fifty() []struct{} { return make([]struct{}, 50) }

func nodeName(i int) string {
	return fmt.Sprintf("ip-10-%d-%d-%d.eu-west-1.compute.internal", i>>16&255, i>>8&255, i&255)
}
