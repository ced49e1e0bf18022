package rules

import "testing"

// Names come from the bundle, and the commands are made to be pasted into a shell.
func TestCommandQuotes(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"report-x7", "kubectl get pod report-x7"},
		{"x; rm -rf /", "kubectl get pod 'x; rm -rf /'"},
		{"$(id)", "kubectl get pod '$(id)'"},
		{"it's", `kubectl get pod 'it'\''s'`},
		{"--all", "kubectl get pod '--all'"},
		{"********", "kubectl get pod '********'"},
		{"", "kubectl get pod ''"},
	} {
		if got := command("kubectl get pod %s", tt.name); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.name, got, tt.want)
		}
	}
}
