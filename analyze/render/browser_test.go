package render

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// browser is a headless Chromium, driven over a pipe with its debugging protocol.
type browser struct {
	t       *testing.T
	in      *os.File
	out     *bufio.Reader
	id      int
	session string
	// events are the notifications received so far.
	events []message
}

type message struct {
	ID        int             `json:"id,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     json.RawMessage `json:"error,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
}

// startBrowser skips the test where there is no Chromium.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium here: the page is not tried in a browser")
	}
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--no-first-run", "--remote-debugging-pipe",
		"--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := cmd.Start(); err != nil {
		t.Skipf("chromium does not start: %v", err)
	}
	_, _ = theirIn.Close(), theirOut.Close()
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() {
		timer.Stop()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	b := &browser{t: t, in: ourOut, out: bufio.NewReader(ourIn)}
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var at struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &at)
	b.session = at.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

// call sends a command and waits for its answer, keeping what else arrives.
func (b *browser) call(method string, params map[string]any, result any) {
	b.t.Helper()
	b.id++
	if params == nil {
		params = map[string]any{}
	}
	p, err := json.Marshal(params)
	if err != nil {
		b.t.Fatal(err)
	}
	raw, err := json.Marshal(message{ID: b.id, Method: method, Params: p, SessionID: b.session})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(raw, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	for {
		m := b.read()
		if m.ID != b.id {
			b.events = append(b.events, m)
			continue
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatalf("%s: %v", method, err)
			}
		}
		return
	}
}

func (b *browser) read() message {
	b.t.Helper()
	raw, err := b.out.ReadBytes(0)
	if err != nil {
		b.t.Fatalf("reading from chromium: %v", err)
	}
	var m message
	if err := json.Unmarshal(bytes.TrimSuffix(raw, []byte{0}), &m); err != nil {
		b.t.Fatal(err)
	}
	return m
}

// open loads a page and waits until it is loaded.
func (b *browser) open(url string) {
	b.t.Helper()
	b.events = nil
	b.call("Page.navigate", map[string]any{"url": url}, nil)
	for {
		for _, m := range b.events {
			if m.Method == "Page.loadEventFired" {
				return
			}
		}
		b.events = append(b.events, b.read())
	}
}

// eval runs JavaScript in the page and returns its value as text.
func (b *browser) eval(script string) string {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true, "awaitPromise": true, "userGesture": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", script, r.ExceptionDetails)
	}
	return fmt.Sprint(r.Result.Value)
}

// want evaluates and compares.
func (b *browser) want(script, want string) {
	b.t.Helper()
	if got := b.eval(script); got != want {
		first, _, _ := strings.Cut(script, "\n")
		b.t.Errorf("%s\ngot  %s\nwant %s", first, got, want)
	}
}

// quiet fails on whatever the page complained about or tried to load.
func (b *browser) quiet(page string) {
	b.t.Helper()
	for _, m := range b.events {
		switch m.Method {
		case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Page.javascriptDialogOpening":
			b.t.Errorf("%s: %s %s", page, m.Method, m.Params)
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if err := json.Unmarshal(m.Params, &p); err != nil {
				b.t.Fatal(err)
			}
			if p.Request.URL != page {
				b.t.Errorf("%s asks for %s", page, p.Request.URL)
			}
		}
	}
}

// TestPageInBrowser tries the page as a reader would, wide and narrow, light and dark.
func TestPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	b := startBrowser(t)
	for name := range cases() {
		path := filepath.Join(t.TempDir(), name+".html")
		writeFile(t, path, render(t, "html", loadCase(t, name), Options{}))
		for _, width := range []int{400, 1280} {
			b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
			scheme := map[int]string{400: "dark", 1280: "light"}[width]
			b.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}}, nil)
			b.open("file://" + path)
			b.want(`document.documentElement.className`, "js")
			b.eval(`document.getElementById("unfold").click()`)
			b.want(`document.querySelectorAll("details:not([open])").length`, "0")
			b.want(`document.documentElement.scrollWidth <= innerWidth`, "true")
			b.want(accessible, "")
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
