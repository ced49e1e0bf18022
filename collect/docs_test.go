package collect

import (
	"os"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// The page names every option, every field of the manifest, every variable whose value stays and every exit status.
func TestPage(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../docs/collector.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	var want []string
	usage, _, _ := strings.Cut(Script[strings.Index(Script, "usage: collect.sh"):], "\nEOF")
	want = append(want, regexp.MustCompile(`--[a-z-]+`).FindAllString(usage, -1)...)
	want = append(want, "| 0 |", "| 1 |", "| 2 |", "| 3 |", "129, 130, 143")
	for _, v := range []any{manifest{}, step{}} {
		for i := 0; i < reflect.TypeOf(v).NumField(); i++ {
			name := reflect.TypeOf(v).Field(i).Name
			want = append(want, "`"+strings.ToLower(name[:1])+name[1:]+"`")
		}
	}
	for _, v := range []string{"CA_ADDR", "REVISION", "GOMEMLIMIT", "GOMAXPROCS", "JWT_POLICY", "EXTERNAL_ISTIOD", "POD_NAMESPACE", "NATIVE_SIDECAR"} {
		if !strings.Contains(Script, "|"+v) {
			t.Errorf("the filter does not keep %s", v)
		}
		want = append(want, "`"+v+"`")
	}
	for _, w := range want {
		if w == "`iD`" {
			w = "`id`"
		}
		if !strings.Contains(page, w) {
			t.Errorf("the page does not mention %s", w)
		}
	}
}

// rbac.yaml gives what the commands need, by resource, and nothing else.
func TestRBACManifest(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../docs/rbac.yaml")
	if err != nil {
		t.Fatal(err)
	}
	granted := map[string]bool{}
	for _, doc := range strings.Split(string(raw), "\n---\n") {
		var role struct {
			Kind  string
			Rules []struct{ APIGroups, Resources, ResourceNames, Verbs []string }
		}
		if err := yaml.Unmarshal([]byte(doc), &role); err != nil {
			t.Fatal(err)
		}
		for _, r := range role.Rules {
			for _, verb := range r.Verbs {
				if verb != "get" && verb != "list" {
					t.Errorf("%s grants %s", role.Kind, verb)
				}
			}
			for _, resource := range r.Resources {
				granted[resource] = true
				if resource == "configmaps" && (len(r.ResourceNames) == 0 || role.Kind != "Role") {
					t.Error("ConfigMaps must be granted by name and namespace")
				}
			}
		}
	}
	asked := map[string]bool{}
	for _, cmd := range healthyRun(t).commands {
		if rest, ok := strings.CutPrefix(cmd, "get "); ok {
			resource, _, _ := strings.Cut(strings.Fields(rest)[0], ".")
			asked[resource] = true
		}
	}
	if !reflect.DeepEqual(keys(asked), keys(granted)) {
		t.Errorf("asked for %v, granted %v", keys(asked), keys(granted))
	}
}

func keys(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
