package facts

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/sentence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/version"
)

// Build joins the objects of one bundle. It never fails: what cannot be joined stays apart and says so.
func Build(set *kube.Set, opt Options) *Cluster {
	markManifests(set)
	c := &Cluster{
		Namespaces: map[string]*kube.Namespace{},
		nodeByName: map[string]*Node{},
		Webhooks:   latest(set.Webhooks, nil),
		Owners:     set.Others,
		Notes:      set.Notes,
		Rows:       newestRows(set.Rows),
		Refused:    opt.Refused,
		Unread:     opt.Unread,
		LeftOut:    opt.LeftOut,
		configs:    latest(set.ConfigMaps, nil),
	}
	for _, n := range latest(set.Namespaces, nil) {
		c.Namespaces[n.Meta.Name] = n
	}
	c.events = indexEvents(set.Events)
	c.At, c.AtFrom = referenceTime(set, opt)
	c.AtFloor = opt.At.IsZero() && opt.CollectedAt.IsZero()
	c.Server = serverVersion(set.Servers)
	c.addNodes(set, opt)
	c.CronJobs = latest(set.CronJobs, nil)
	jobs := latest(set.Jobs, c.jobConflicts)
	pods := c.buildPods(c.addReduced(set))
	c.addWorkloads(jobs, pods)
	known := newHelpers(opt)
	for _, w := range c.Workloads {
		for _, p := range w.Pods {
			assignRoles(p, w, known)
		}
	}
	for _, p := range c.Services {
		assignRoles(p, nil, known)
	}
	c.addRows()
	c.addControllers(set)
	c.Gates = c.findGates(pods)
	return c
}

func serverVersion(list []kube.ServerVersion) evidence.Fact[version.Version] {
	var best evidence.Fact[version.Version]
	for _, s := range list {
		v := version.Parse(s.GitVersion)
		if !best.Known && v.Known() {
			best = evidence.Know(v, s.Evidence)
			continue
		}
		if best.Known && v.Known() && v.Raw != best.V.Raw {
			// Two API servers in one bundle: neither may decide anything.
			return evidence.Fact[version.Version]{Why: "the bundle holds two API server versions: " + best.V.Raw + " and " + v.Raw,
				From: append(best.From, s.Evidence)}
		}
	}
	if !best.Known {
		best.Why = sentence.Fixed("no kubectl version output and no /version answer in the bundle")
	}
	return best
}

func (c *Cluster) addNodes(set *kube.Set, opt Options) {
	leases := map[string]*kube.Lease{}
	for _, l := range latest(set.Leases, nil) {
		if l.Meta.Namespace == "kube-node-lease" || l.Meta.Namespace == "" {
			leases[l.Meta.Name] = l
		}
	}
	for _, n := range latest(set.Nodes, nil) {
		node := &Node{Node: n, Kubelet: version.Parse(n.Status.NodeInfo.KubeletVersion), Lease: leases[n.Meta.Name]}
		node.OldKubelet = opt.OldKubelet != nil && opt.OldKubelet(node.Kubelet)
		c.Nodes = append(c.Nodes, node)
		c.nodeByName[n.Meta.Name] = node
	}
	sort.SliceStable(c.Nodes, func(i, j int) bool { return c.Nodes[i].Meta.Name < c.Nodes[j].Meta.Name })
}

// indexEvents keys events by the object they are about, oldest first, repeats dropped: must-gathers hold them twice, and
// describe text repeats what the events file has. Stored events come first whichever file was read first: a second
// witness, which has an age for a time, is the same event as any stored one of these words.
func indexEvents(list []*kube.Event) map[evidence.Ref][]*kube.Event {
	index := map[evidence.Ref][]*kube.Event{}
	type identity struct {
		ref          evidence.Ref
		reason, text string
		at           time.Time
	}
	seen := map[identity]bool{}
	for _, stored := range []bool{true, false} {
		for _, e := range list {
			if (e.Origin.Strength == evidence.Stored) != stored {
				continue
			}
			about := e.About()
			ref := evidence.Ref{Kind: about.Kind, Namespace: about.Namespace, Name: about.Name}
			undated := identity{ref: ref, reason: e.Reason, text: e.Text()}
			id := undated
			if stored {
				id.at = e.Last().UTC()
			}
			if seen[id] {
				continue
			}
			seen[id], seen[undated] = true, true
			index[ref] = append(index[ref], e)
		}
	}
	for _, events := range index {
		slices.SortStableFunc(events, func(a, b *kube.Event) int {
			return cmp.Or(a.Last().Compare(b.Last().Time), strings.Compare(a.Meta.Name, b.Meta.Name))
		})
	}
	return index
}
