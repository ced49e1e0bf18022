package render

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// TestPolicyFitsThePage: the hashes in the policy are those of the style and the script that stand in the page.
func TestPolicyFitsThePage(t *testing.T) {
	for name := range cases() {
		page := string(render(t, "html", loadCase(t, name), Options{}))
		policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
		if policy == nil {
			t.Fatalf("%s: no policy", name)
		}
		said := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(policy[1])
		for _, tag := range []string{"style", "script"} {
			_, rest, _ := strings.Cut(page, "<"+tag+">")
			text, _, ok := strings.Cut(rest, "</"+tag+">")
			if !ok || !strings.Contains(said, tag+"-src "+hash(text)) {
				t.Errorf("%s: the policy %q does not allow the %s", name, said, tag)
			}
		}
		if !strings.HasPrefix(said, "default-src 'none'; ") || strings.Contains(said, "unsafe") {
			t.Errorf("%s: policy %q", name, said)
		}
	}
}

// TestPageIsSelfContained: no element and no attribute in the page loads, submits or runs anything.
func TestPageIsSelfContained(t *testing.T) {
	for name := range cases() {
		page := render(t, "html", loadCase(t, name), Options{})
		tags := regexp.MustCompile(`<([a-zA-Z]+)(\s[^>]*)?>`).FindAllSubmatch(page, -1)
		for _, m := range tags {
			switch tag := strings.ToLower(string(m[1])); tag {
			case "img", "iframe", "object", "embed", "link", "base", "video", "audio", "source", "image", "use", "foreignobject":
				t.Errorf("%s: <%s> in the page", name, tag)
			}
			for _, a := range regexp.MustCompile(`([a-zA-Z:-]+)="([^"]*)"`).FindAllSubmatch(m[2], -1) {
				attr, value := strings.ToLower(string(a[1])), string(a[2])
				switch {
				case attr == "href" && strings.HasPrefix(value, "#"):
				case strings.HasPrefix(attr, "on"), strings.Contains(attr, "href"), strings.Contains(attr, "src"), strings.Contains(attr, "action"), attr == "style":
					t.Errorf("%s: attribute %s in %s", name, attr, m[0])
				}
			}
		}
		if n := bytes.Count(page, []byte("<script")); n != 1 {
			t.Errorf("%s: %d scripts", name, n)
		}
	}
}
