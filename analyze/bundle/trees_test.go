package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"sort"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// The builder of fixtures/layouts: one small cluster, stored as each tool stores it.

const (
	fixtureLayouts = "../../fixtures/layouts/"
	fixtureCluster = "../../fixtures/bundles/ordinary-sidecar-holding-job/"
	secretData     = "bm90LWZvci1yZWFkZXJz"
)

// tree is the cluster in one layout.
type tree struct {
	name   string // of the folder
	layout string // as recognised
	roots  int
	files  map[string]string
	// lacks are the kinds that the tool does not collect.
	lacks []string
	// bare says that items have no apiVersion.
	bare bool
}

func (tr *tree) add(name, text string) { tr.files[name] = text }

// object is a Kubernetes object as a map.
type object map[string]any

func (o object) meta() map[string]any { m, _ := o["metadata"].(map[string]any); return m }
func (o object) kind() string         { return fmt.Sprint(o["kind"]) }
func (o object) name() string         { return fmt.Sprint(o.meta()["name"]) }

func (o object) namespace() string {
	if ns, ok := o.meta()["namespace"].(string); ok {
		return ns
	}
	return ""
}

func (o object) group() string {
	group, _, ok := strings.Cut(fmt.Sprint(o["apiVersion"]), "/")
	if !ok {
		return "core"
	}
	return group
}

func (o object) plural() string { return strings.ToLower(o.kind()) + "s" }

// without copies the object and leaves out the top-level keys.
func (o object) without(keys ...string) object {
	out := object{}
	for k, v := range o {
		out[k] = v
	}
	for _, k := range keys {
		delete(out, k)
	}
	return out
}

// cluster gives all objects, in order of kind, namespace and name.
func cluster(t testing.TB) []object {
	t.Helper()
	var all []object
	var list struct{ Items []object }
	if err := yaml.Unmarshal(fixtureFile(t, fixtureCluster+"all.yaml"), &list); err != nil {
		t.Fatal(err)
	}
	all = append(all, list.Items...)
	for doc := range strings.SplitSeq(string(fixtureFile(t, fixtureLayouts+"cluster.yaml")), "\n---\n") {
		var o object
		if err := yaml.Unmarshal([]byte(doc), &o); err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	sort.SliceStable(all, func(i, j int) bool {
		return all[i].kind()+all[i].namespace()+all[i].name() < all[j].kind()+all[j].namespace()+all[j].name()
	})
	return all
}

func fixtureFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// group sorts objects by namespace and plural, each group one file of a tool that writes lists.
func grouped(all []object, key func(object) string) (keys []string, groups map[string][]object) {
	groups = map[string][]object{}
	for _, o := range all {
		k := key(o)
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], o)
	}
	sort.Strings(keys)
	return keys, groups
}

// yamlList writes a list as kubectl does, or with another kind of list.
func yamlList(kind string, items []object) string {
	if items == nil {
		items = []object{}
	}
	return toYAML(object{"apiVersion": "v1", "kind": kind, "items": items, "metadata": object{"resourceVersion": ""}})
}

func toYAML(v any) string {
	b, err := yaml.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// typedList writes a typed list in Go's order of fields, kind first; its items carry no kind.
func typedList(kind, indent string, items []object) string {
	bare := make([]object, 0, len(items))
	for _, o := range items {
		bare = append(bare, o.without("kind", "apiVersion"))
	}
	version := "v1"
	if len(items) > 0 {
		version = fmt.Sprint(items[0]["apiVersion"])
	}
	head := fmt.Sprintf("{\n%s\"kind\": %q,\n%s\"apiVersion\": %q,\n%s\"metadata\": {},\n%s\"items\": ",
		indent, kind, indent, version, indent, indent)
	return head + jsonArray(indent, indent, bare) + "\n}\n"
}

func jsonArray(prefix, indent string, items []object) string {
	if items == nil {
		items = []object{}
	}
	b, err := json.MarshalIndent(items, prefix, indent)
	if err != nil {
		return err.Error()
	}
	return string(bytes.ReplaceAll(b, []byte("[]"), []byte("[]")))
}

func trees(t testing.TB) []*tree {
	t.Helper()
	all := cluster(t)
	list := []*tree{
		ownTree(t, all), mustGatherTree(all), inspectTree(all), istioTree(all), supportBundleTree(all),
		oldSupportBundleTree(all), dumpTree(all), dumpStdoutTree(all), bugReportTree(all), crustTree(all), kitTree(all),
		looseTree(t, all),
	}
	return list
}

// inspected writes the tree of oc adm inspect, which three of the layouts share. Lists of a kind, or of no kind.
func (tr *tree) inspected(root, listKind string, all []object) {
	keys, groups := grouped(all, func(o object) string {
		dir := "cluster-scoped-resources/" + o.group()
		if ns := o.namespace(); ns != "" {
			dir = "namespaces/" + ns + "/" + o.group()
		}
		return dir + "/" + o.plural() + ".yaml"
	})
	for _, k := range keys {
		items := groups[k]
		switch kind := items[0].kind(); {
		case kind == "Namespace":
			for _, o := range items {
				tr.add(path.Join(root, "namespaces", o.name(), o.name()+".yaml"), "---\n"+toYAML(o))
			}
		case kind == "Node" && listKind == "":
			for _, o := range items {
				tr.add(path.Join(root, "cluster-scoped-resources/core/nodes", o.name()+".yaml"), "---\n"+toYAML(o))
			}
		case listKind != "":
			tr.add(path.Join(root, k), yamlList(listKind, items))
		default:
			tr.add(path.Join(root, k), "---\n"+yamlList(kind+"List", items))
		}
	}
}
