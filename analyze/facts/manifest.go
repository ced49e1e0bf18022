package facts

import (
	"reflect"

	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/evidence"
	"github.com/sidecar-must-gather/sidecar-must-gather/analyze/kube"
)

// markManifests marks what somebody wrote and no API server returned: it says what is wanted, and of what is the case
// nothing. A manifest that names no namespace gets that of the object it is of: kubectl took it from its context.
func markManifests(set *kube.Set) {
	homeless := map[kindName]*home{}
	var waiting []*kube.Object
	eachObject(set, func(o object) {
		if !isManifest(o) {
			return
		}
		b := o.Base()
		b.Origin.Strength = evidence.Manifest
		if b.Meta.Namespace == "" && b.Meta.Name != "" {
			homeless[kindName{b.Kind, b.Meta.Name}] = &home{}
			waiting = append(waiting, b)
		}
	})
	if len(waiting) == 0 {
		return
	}
	findHomes(set, homeless)
	for _, b := range waiting {
		if h := homeless[kindName{b.Kind, b.Meta.Name}]; !h.many {
			b.Meta.Namespace = h.namespace
		}
	}
}

// isManifest goes by what the API server writes into every object, and a controller into most: a manifest has none of it.
func isManifest(o object) bool {
	b := o.Base()
	if b.Meta.UID != "" || b.Meta.ResourceVersion != "" || b.Meta.Created.Raw != "" || b.Described() {
		return false
	}
	status := reflect.ValueOf(o).Elem().FieldByName("Status")
	return !status.IsValid() || status.IsZero()
}

// kindName is an object whose namespace is in question.
type kindName struct{ kind, name string }

// home is the namespace in which the bundle has an object of that name, many when there are several.
type home struct {
	namespace string
	many      bool
}

// findHomes looks for objects of these names, as they stand in the bundle or as their pods, Jobs and events name them.
func findHomes(set *kube.Set, homes map[kindName]*home) {
	see := func(kind, namespace, name string) {
		h := homes[kindName{kind, name}]
		if h == nil || namespace == "" {
			return
		}
		h.many = h.many || h.namespace != "" && h.namespace != namespace
		h.namespace = namespace
	}
	eachObject(set, func(o object) {
		b := o.Base()
		if b.Manifest() {
			return
		}
		see(b.Kind, b.Meta.Namespace, b.Meta.Name)
		for _, owner := range b.Meta.Owners {
			see(owner.Kind, b.Meta.Namespace, owner.Name)
		}
	})
	for _, p := range set.Pods {
		if ref, _, ok := jobOf(p); ok && !p.Manifest() {
			see(ref.Kind, ref.Namespace, ref.Name)
		}
	}
	for _, e := range set.Events {
		about := e.About()
		see(about.Kind, about.Namespace, about.Name)
	}
	for _, r := range set.Rows {
		see(r.Kind, r.Cells["NAMESPACE"], r.Cells["NAME"])
	}
}

// eachObject calls f for every object of a bundle but its events. It goes by reflection so that no list added to
// kube.Set can be forgotten here.
func eachObject(set *kube.Set, f func(object)) {
	v := reflect.ValueOf(set).Elem()
	for i := range v.NumField() {
		list := v.Field(i)
		if t := list.Type().Elem(); t == reflect.TypeFor[*kube.Event]() || !t.Implements(reflect.TypeFor[object]()) {
			continue
		}
		for j := range list.Len() {
			f(list.Index(j).Interface().(object))
		}
	}
}
