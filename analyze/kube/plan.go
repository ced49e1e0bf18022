package kube

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// shape says how a value of a type is read.
type shape uint8

const (
	shapeUnknown shape = iota // skipped
	shapeString
	shapeScalar   // Scalar: any scalar, as text
	shapeFirstKey // EnvSource: the first key of a mapping
	shapeTime
	shapeBool
	shapeInt
	shapePointer
	shapeStruct
	shapeSlice
	shapeMap
)

// plan is what the decoders know of a type: made once, by reflection over the structs of this package and their json
// tags. One set of structs so serves JSON, kubectl's YAML and YAML of any other kind.
type plan struct {
	shape  shape
	typ    reflect.Type
	nested bool    // values have fields, items or keys of their own
	elem   *plan   // of a pointer, slice or map
	fields []field // of a struct, ordered by name
	// required counts the fields that a value without them would lie about: an exit code that is not there is not 0.
	required int
	// window is for types that pods of a cluster have few different values of: how many bytes of text to tell them by.
	window int
	// number tells plans apart.
	number int
	// lengths has a bit for the length of each field's name.
	lengths uint64
}

// field is one field of a struct.
type field struct {
	name     string
	id       byte // in line tables
	index    []int
	plan     *plan
	lean     *plan // of the same type, for pods of services; nil for none
	required bool
	// key says that list items are told apart by it, as kubectl's paths do: containers[name=app].
	key bool
}

// needed names the fields without which a value would lie.
func (p *plan) needed() string {
	var names []string
	for _, f := range p.fields {
		if f.required {
			names = append(names, f.name)
		}
	}
	return strings.Join(names, " and ")
}

// field gives the field of an exact name, nil when there is none.
func (p *plan) field(name string) *field {
	for i := range p.fields {
		if f := &p.fields[i]; f.name == name {
			return f
		}
	}
	return nil
}

// plans are the plans of all kinds, and the ids of all field names.
type plans struct {
	byKind map[string]*plan
	other  *plan // kinds of which only the metadata is kept
	ids    map[string]byte
	// texts are the names of fields that hold text, maps of those that hold maps of texts.
	texts, maps map[string]bool
	// count is the number of plans.
	count int
}

var allPlans = sync.OnceValue(func() *plans {
	b := &planBuilder{made: map[planID]*plan{}, plans: &plans{byKind: map[string]*plan{}, ids: map[string]byte{}, texts: map[string]bool{}, maps: map[string]bool{}}}
	controller := b.plan(reflect.TypeFor[Controller]())
	for kind, typ := range map[string]reflect.Type{"Pod": reflect.TypeFor[Pod](), "Job": reflect.TypeFor[Job](), "CronJob": reflect.TypeFor[CronJob](),
		"Node": reflect.TypeFor[Node](), "Lease": reflect.TypeFor[Lease](), "Event": reflect.TypeFor[Event](), "Namespace": reflect.TypeFor[Namespace](),
		"ConfigMap": reflect.TypeFor[ConfigMap](), "MutatingWebhookConfiguration": reflect.TypeFor[WebhookConfiguration]()} {
		b.plans.byKind[kind] = b.plan(typ)
	}
	for _, kind := range []string{"Deployment", "ReplicaSet", "DaemonSet", "StatefulSet"} {
		b.plans.byKind[kind] = controller
	}
	b.plans.byKind["Project"] = b.plans.byKind["Namespace"]
	b.plans.other = b.plan(reflect.TypeFor[Object]())
	b.number()
	return b.plans
})

// repeating are the types that are worth remembering, with the bytes of their text to tell values by.
var repeating = map[reflect.Type]int{reflect.TypeFor[Resources](): 128, reflect.TypeFor[*Probe](): 128, reflect.TypeFor[[]Port](): 64, reflect.TypeFor[EnvVar](): 40, reflect.TypeFor[[]string](): 64}

// planBuilder makes plans; types that occur in several places have one plan.
type planBuilder struct {
	*plans
	made map[planID]*plan
	// lean is set while the plans for pods of services are made.
	lean bool
}

type planID struct {
	typ  reflect.Type
	lean bool
}

func (b *planBuilder) plan(t reflect.Type) *plan {
	id := planID{t, b.lean}
	if p := b.made[id]; p != nil {
		return p
	}
	p := &plan{typ: t, window: repeating[t], number: b.count}
	b.count++
	b.made[id] = p
	switch {
	case t == reflect.TypeFor[Time]():
		p.shape = shapeTime
	case t == reflect.TypeFor[Scalar]():
		p.shape = shapeScalar
	case t == reflect.TypeFor[EnvSource]():
		p.shape = shapeFirstKey
	case t == reflect.TypeFor[Pairs]():
		p.shape, p.elem, p.nested = shapeMap, b.plan(reflect.TypeFor[string]()), true
	default:
		b.composite(p, t)
	}
	return p
}

func (b *planBuilder) composite(p *plan, t reflect.Type) {
	switch t.Kind() {
	case reflect.String:
		p.shape = shapeString
	case reflect.Bool:
		p.shape = shapeBool
	case reflect.Int64:
		p.shape = shapeInt
	case reflect.Pointer:
		p.shape, p.elem = shapePointer, b.plan(t.Elem())
		p.nested = p.elem.nested
	case reflect.Slice:
		p.shape, p.elem, p.nested = shapeSlice, b.plan(t.Elem()), true
	case reflect.Map:
		p.shape, p.elem, p.nested = shapeMap, b.plan(t.Elem()), true
	case reflect.Struct:
		p.shape, p.nested = shapeStruct, true
		b.structFields(p, t, nil)
		slices.SortFunc(p.fields, func(x, y field) int { return strings.Compare(x.name, y.name) })
	default:
		p.shape = shapeUnknown // no struct of this package has such a field: TestPlans
	}
}

func (b *planBuilder) structFields(p *plan, t reflect.Type, outer []int) {
	for i := range t.NumField() {
		sf := t.Field(i)
		index := append(slices.Clone(outer), i)
		name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if sf.Anonymous {
			b.structFields(p, sf.Type, index)
			continue
		}
		if name == "-" || name == "" {
			continue
		}
		if only := leanFields[t]; b.lean && only != nil && !slices.Contains(only, name) {
			continue
		}
		f := field{name: name, index: index, plan: b.plan(sf.Type)}
		if p.typ == reflect.TypeFor[Pod]() && (name == "metadata" || name == "spec" || name == "status") {
			b.lean = true
			f.lean = b.plan(sf.Type)
			b.lean = false
		}
		f.required = f.plan.shape == shapeInt && options == ""
		if f.required {
			p.required++
		}
		f.key = f.plan.shape == shapeString && (name == "name" || name == "type" || name == "kind" || name == "uid" || name == "key")
		switch {
		case f.plan.shape == shapeString || f.plan.shape == shapeScalar:
			b.texts[name] = true
		case f.plan.shape == shapeMap:
			b.maps[name] = true
		}
		p.lengths |= 1 << (len(name) & 63)
		p.fields = append(p.fields, f)
	}
}

// number gives each field name an id for line tables.
func (b *planBuilder) number() {
	var names []string
	for _, p := range b.made {
		for _, f := range p.fields {
			names = append(names, f.name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for i, n := range names {
		b.ids[n] = byte(i) // far fewer than 256: TestPlans
	}
	for _, p := range b.made {
		for i := range p.fields {
			p.fields[i].id = b.ids[p.fields[i].name]
		}
	}
}
