package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNoDeadLinks follows every relative link of every Markdown page in the repository, anchors included.
func TestNoDeadLinks(t *testing.T) {
	for _, dead := range deadLinks(t, root) {
		t.Error(dead)
	}
}

var (
	inlineLink    = regexp.MustCompile(`\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)`)
	referenceLink = regexp.MustCompile(`(?m)^ {0,3}\[[^\]]+\]:\s+(\S+)`)
	codeSpan      = regexp.MustCompile("`[^`\n]*`")
	heading       = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *#*$`)
	scheme        = regexp.MustCompile(`^[a-z][a-z0-9+.-]*:`)
)

// deadLinks gives a line for each link below dir that leads nowhere, or out of dir.
func deadLinks(t *testing.T, dir string) []string {
	t.Helper()
	var dead []string
	pages := 0
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "dist" || d.Name() == "bin") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(p) != ".md" {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		pages++
		for _, link := range links(string(text)) {
			if why := follow(dir, p, link); why != "" {
				rel, _ := filepath.Rel(dir, p)
				dead = append(dead, fmt.Sprintf("%s: the link %s %s", filepath.ToSlash(rel), link, why))
			}
		}
		return nil
	})
	if err != nil || pages == 0 {
		t.Fatalf("no pages in %s: %v", dir, err)
	}
	return dead
}

// links gives the targets on a page, but for what stands in code.
func links(text string) []string {
	text = codeSpan.ReplaceAllString(withoutFences(text), "")
	var all []string
	for _, form := range []*regexp.Regexp{inlineLink, referenceLink} {
		for _, m := range form.FindAllStringSubmatch(text, -1) {
			all = append(all, m[1])
		}
	}
	return all
}

func withoutFences(text string) string {
	var kept strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		start := strings.TrimSpace(line)
		mark := start[:len(start)-len(strings.TrimLeft(start, "`~"))]
		switch {
		case fence == "" && len(mark) >= 3:
			fence = mark
		case fence != "" && start == fence:
			fence = ""
		case fence == "":
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// follow says why a link leads nowhere; empty when it leads somewhere, or out into the world.
func follow(dir, page, link string) string {
	if scheme.MatchString(link) {
		return ""
	}
	file, anchor, _ := strings.Cut(link, "#")
	target := page
	if file != "" {
		target = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
	}
	if rel, err := filepath.Rel(dir, target); err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "leads out of the repository"
	}
	text, err := os.ReadFile(target)
	if info, statErr := os.Stat(target); statErr == nil && info.IsDir() && anchor == "" {
		return ""
	}
	switch {
	case err != nil:
		return "leads to no file"
	case anchor != "" && !anchors(string(text))[anchor]:
		return "names a heading that is not there"
	}
	return ""
}

var notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// anchors gives the names of a page's headings as GitHub and others make them.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(withoutFences(text), -1) {
		plain := inlineText.ReplaceAllString(strings.ReplaceAll(m[1], "`", ""), "$1")
		name := strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(plain), ""), " ", "-")
		unique := name
		for i := 1; all[unique]; i++ {
			unique = fmt.Sprintf("%s-%d", name, i)
		}
		all[unique] = true
	}
	return all
}

var inlineText = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

func TestLinks(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "a.md")
	text := "# Top of `it`\n[ok](b.md) [here](#top-of-it) [no](c.md) [gone](b.md#x) [out](../d.md) [web](https://example.com/x)\n" +
		"`[code](e.md)`\n```\n[fenced](f.md)\n# no heading\n```\n[twice](#again-1)\n## Again\n## Again\n[bad](#no-heading)\n[ref]: g.md\n"
	for file, content := range map[string]string{page: text, filepath.Join(dir, "b.md"): "# B\n"} {
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const want = "a.md: the link c.md leads to no file|a.md: the link b.md#x names a heading that is not there|" +
		"a.md: the link ../d.md leads out of the repository|a.md: the link #no-heading names a heading that is not there|" +
		"a.md: the link g.md leads to no file"
	if got := strings.Join(deadLinks(t, dir), "|"); got != want {
		t.Errorf("got\n%s", strings.ReplaceAll(got, "|", "\n"))
	}
}
