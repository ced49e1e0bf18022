package rules

import "testing"

// Names come from the bundle, and the commands are made to be pasted into a shell.
func TestCommandQuotes(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"report-x7", "kubectl get pod report-x7"},
		{"x; rm -rf /", "kubectl get pod 'x; rm -rf /'"},
		{"$(id)", "kubectl get pod '$(id)'"},
		{"it's", `kubectl get pod 'it'\''s'`},
		{"--all", "kubectl get pod '?--all'"},
		{"********", "kubectl get pod '********'"},
		{"", "kubectl get pod ''"},
	} {
		if got := command("kubectl get pod %s", tt.name); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A namespace that the bundle does not name has a word in its place, which a person replaces.
func TestCommandNamesNamespace(t *testing.T) {
	if got, want := command("kubectl get pod %s -n %s -c %s", "a", "", ""), "kubectl get pod a -n NAMESPACE -c ''"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := command("kubectl get namespace %s -o yaml", ""), "kubectl get namespace NAMESPACE -o yaml"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestFileName(t *testing.T) {
	for name, want := range map[string]string{"report-x7": "report-x7", "a.b": "a.b", "a b": "held", "a/../b": "held", "/etc/x": "held", "-x": "held", "": "held"} {
		if got := fileName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
