package facts

import (
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// addReduced takes the pods of services that the reader reduced, each once, and gives the others that are no copy of
// one: describe text of such a pod adds nothing. Of two copies only the uid can contradict.
func (c *Cluster) addReduced(set *kube.Set) []*kube.Pod {
	if len(set.Services) == 0 {
		return set.Pods
	}
	whole := map[evidence.Ref]bool{}
	for _, p := range set.Pods {
		if p.Origin.Strength == evidence.Stored && !p.Origin.Truncated {
			whole[p.Ref()] = true
		}
	}
	at := make(map[evidence.Ref]int, len(set.Services))
	c.Reduced = make([]kube.ServicePod, 0, len(set.Services))
	for _, s := range set.Services {
		ref := s.Ref()
		i, twice := at[ref]
		switch {
		case whole[ref]:
		case !twice:
			at[ref] = len(c.Reduced)
			c.Reduced = append(c.Reduced, s)
		case c.Reduced[i].UID != s.UID:
			if s.Created.After(c.Reduced[i].Created.Time) {
				c.Reduced[i], s = s, c.Reduced[i]
			}
			c.Conflicts = append(c.Conflicts, Conflict{Object: ref, What: "metadata.uid: " + c.Reduced[i].UID + " and " + s.UID,
				From: []evidence.Evidence{uidOf(c.Reduced[i]), uidOf(s)}})
		}
	}
	var rest []*kube.Pod
	for _, p := range set.Pods {
		if _, copied := at[p.Ref()]; !copied {
			rest = append(rest, p)
		}
	}
	return rest
}

func uidOf(s kube.ServicePod) evidence.Evidence {
	return evidence.Evidence{Object: s.Ref().String(), Field: "metadata.uid", Value: s.UID, File: s.File, Line: s.Line}
}
