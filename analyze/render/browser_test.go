package render

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPageInBrowser tries the page as a reader would, wide and narrow, light and dark.
func TestPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	b := startBrowser(t)
	for name := range cases() {
		path := filepath.Join(t.TempDir(), name+".html")
		writeFile(t, path, render(t, "html", loadCase(t, name), Options{}))
		for _, width := range []int{320, 400, 1280} {
			b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
			scheme := map[int]string{320: "light", 400: "dark", 1280: "light"}[width]
			b.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}}, nil)
			b.open("file://" + path)
			b.want(`document.documentElement.className`, "js")
			b.eval(`document.getElementById("unfold").click()`)
			b.want(`document.querySelectorAll("details:not([open])").length`, "0")
			b.want(`document.documentElement.scrollWidth <= innerWidth`, "true")
			b.want(accessible, "")
			b.want(leaving, "")
			b.quiet("file://" + path)
			shoot(t, b, fmt.Sprintf("%s-%d-%s", name, width, scheme))
		}
		switch name {
		case "many":
			useFilter(b)
		case "held":
			useCopy(b)
		case "hostile":
			b.want(`document.querySelectorAll("script").length + document.querySelectorAll("img,iframe,link,object,b").length`, "1")
		}
		b.quiet("file://" + path)
	}
}

// accessible lists what a keyboard or a screen reader would miss.
const accessible = `(() => {
  const bad = [];
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  if (new Set(ids).size !== ids.length) bad.push("an id stands twice");
  for (const e of document.querySelectorAll("button,summary,a,th")) if (!e.textContent.trim()) bad.push("nameless " + e.outerHTML);
  for (const e of document.querySelectorAll("svg[role=img]")) if (!e.getAttribute("aria-label")) bad.push("nameless drawing");
  for (const e of document.querySelectorAll("input,select")) if (!e.labels.length) bad.push("no label on " + e.name);
  for (const e of document.querySelectorAll('a[href^="#"]')) if (!document.getElementById(e.hash.slice(1))) bad.push("no target for " + e.hash);
  if (document.querySelectorAll("h1").length !== 1) bad.push("not one h1");
  let last = 0;
  for (const h of document.querySelectorAll("h1,h2,h3,h4,h5")) {
    const level = +h.tagName[1];
    if (level > last + 1) bad.push("heading jumps to " + h.textContent);
    last = level;
  }
  return bad.join("; ");
})()`

// leaving lists what a reader would have to scroll sideways for: commands that do not wrap, and words of a drawing that
// end outside of it. Names may be longer than any page, and are cut.
const leaving = `(() => {
  const out = [];
  for (const p of document.querySelectorAll("pre")) if (p.offsetParent && p.scrollWidth > p.clientWidth) out.push(p.textContent);
  for (const t of document.querySelectorAll(".timeline text")) {
    const page = t.ownerSVGElement.getBoundingClientRect(), r = t.getBoundingClientRect();
    if (r.width > 0 && !t.querySelector(".name") && !t.matches(".podname") && (r.left < page.left - 1 || r.right > page.right + 1)) out.push(t.textContent);
  }
  return out.join("; ");
})()`

func useFilter(b *browser) {
	set := func(js string) {
		b.eval(`(() => { const f = document.getElementById("filter"); ` + js + `; f.dispatchEvent(new Event("input")); })()`)
	}
	shown := `[...document.querySelectorAll("details.workload")].filter((d) => !d.hidden).map((d) => d.dataset.verdict).join()`
	b.want(`document.getElementById("shown").textContent`, "4 of 4 shown")
	set(`f.elements.text.value = "SETTLE cronjob/"`)
	b.want(shown, "FailureHiddenBySidecar")
	b.want(`document.querySelectorAll("tr[data-item]:not([hidden])").length`, "1")
	set(`f.elements.text.value = ""; f.elements.verdict.value = "AppRunning"`)
	b.want(shown, "AppRunning")
	set(`f.elements.verdict.value = ""; f.querySelector("[value=error]").click()`)
	b.want(shown, "InsufficientEvidence,AppRunning")
	b.want(`document.getElementById("shown").textContent`, "2 of 4 shown")
	set(`f.querySelector("[value=error]").click()`)
	b.eval(`document.querySelectorAll("button.sort")[2].click()`)
	b.want(shown, "AppRunning,HeldBySidecar,FailureHiddenBySidecar,InsufficientEvidence")
	b.eval(`document.querySelectorAll("button.sort")[2].click()`)
	b.want(shown, "InsufficientEvidence,FailureHiddenBySidecar,HeldBySidecar,AppRunning")
	b.want(`document.querySelectorAll("th")[2].getAttribute("aria-sort")`, "descending")
	b.eval(`document.querySelectorAll("button.sort")[3].click()`)
	b.want(shown, "HeldBySidecar,FailureHiddenBySidecar,InsufficientEvidence,AppRunning")
	b.eval(`document.getElementById("foldup").click()`)
	b.eval(`document.querySelector('tr[data-item] a').click()`)
	b.want(`new Promise((r) => setTimeout(() => r(document.querySelectorAll("details.workload[open]").length), 100))`, "1")
}

func useCopy(b *browser) {
	b.eval(`document.execCommand = () => true; Object.defineProperty(navigator, "clipboard", { value: { writeText: (s) => { window.copied = s; return Promise.resolve(); } } })`)
	b.eval(`document.querySelectorAll(".remedy button.copy")[1].click()`)
	b.want(`window.copied.split("\n")[0] + "|" + document.getElementById("status").textContent`, "spec:|Copied")
}

// shoot keeps a picture of the page where RENDER_SHOTS names a folder, for a person to look at.
func shoot(t *testing.T, b *browser, name string) {
	dir := os.Getenv("RENDER_SHOTS")
	if dir == "" {
		return
	}
	var shot struct{ Data []byte }
	b.call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &shot)
	writeFile(t, filepath.Join(dir, strings.ReplaceAll(name, "/", "-")+".png"), shot.Data)
}
