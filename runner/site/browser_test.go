package site_test

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/site"
)

// program builds the program that judges in a browser, as `make judge` does.
func program(t *testing.T) fs.FS {
	t.Helper()
	dir := t.TempDir()
	env := append(os.Environ(), "CGO_ENABLED=0", "GOOS=js", "GOARCH=wasm")
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, "judge.wasm"), "../cmd/playground")
	build.Env = env
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	where, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	starter, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(where)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(filepath.Join(dir, "judge.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	packed := zipped(t, code)
	if len(packed) >= 8<<20 {
		t.Errorf("the program has %d bytes, expected less than 8 MiB", len(packed))
	}
	for name, b := range map[string][]byte{"judge.wasm.gz": packed, "wasm_exec.js": starter} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return os.DirFS(dir)
}

// served writes the site with a real playground into a folder, and also serves it.
func served(t *testing.T) (dir, url string) {
	t.Helper()
	in := input(t)
	in.Judge = program(t)
	files, err := site.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "site")
	if err := files.Write(dir); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	return dir, server.URL + "/"
}

// looked returns the pages that are looked at: one of each kind, and those with the widest pictures and tables.
func looked() []string {
	out := []string{"index.html", "playground.html", "transcripts.html", "helix/lifecycle.html", "aep/flow.html"}
	name := packs.Names()[1]
	for _, page := range []string{"index", "schemas", "coverage", "rationale", "control", "versions/index"} {
		out = append(out, name+"/"+page+".html")
	}
	return out
}

// TestPublicBrowserShowsPages opens pages on a wide screen and on a phone, in the light and in the dark: none logs an
// error, none is wider than the screen, and axe finds no barrier.
func TestPublicBrowserShowsPages(t *testing.T) {
	p := chromium(t)
	_, url := served(t)
	axe := axe(t)
	for i, page := range looked() {
		for _, width := range []int{1280, 390} {
			for _, scheme := range []string{"light", "dark"} {
				name := fmt.Sprintf("%s at %d, %s", page, width, scheme)
				p.setViewport(width, 800, scheme)
				p.open(url + page)
				p.picture(fmt.Sprintf("%s-%d-%s", strings.NewReplacer("/", "-", ".html", "").Replace(page), width, scheme))
				if len(p.errors) > 0 {
					t.Errorf("%s: %v", name, p.errors)
				}
				var beyond []string
				p.value(`[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, .menu, svg, .unseen, .skip"))
					.slice(0, 5).map(e => e.tagName + "." + e.className + " " + e.textContent.trim().slice(0, 40))`, &beyond)
				if len(beyond) > 0 {
					t.Errorf("%s: wider than the screen: %q", name, beyond)
				}
				if width == 1280 && scheme == "light" || width == 390 && scheme == "dark" && i%2 == 0 {
					for _, found := range p.accessible(axe) {
						t.Errorf("%s: %s", name, found)
					}
				}
			}
		}
	}
}

// accessible runs axe on the page, all details open, and lists its findings.
func (p *tab) accessible(axe string) []string {
	p.t.Helper()
	if axe == "" {
		return nil
	}
	p.value(`document.querySelectorAll("main details").forEach((d, i) => { if (i < 12) d.open = true; })`, nil)
	p.value(axe+"; 0", nil)
	var found []string
	p.value(`axe.run(document, {resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
		.then(r => r.violations.map(v => v.id + ": " + v.help + ": " + v.nodes.length + " times, first " + v.nodes[0].html.slice(0, 160) + " " + (v.nodes[0].failureSummary || "").slice(0, 300)))`, &found)
	return found
}

// axe returns the source of axe-core of the version that is pinned; "" where it can't be had.
func axe(t *testing.T) string {
	t.Helper()
	lack := t.Logf
	if os.Getenv("STREAMCERT_REQUIRE_NPM") != "" {
		lack = t.Fatalf
	}
	if _, err := exec.LookPath("npm"); err != nil {
		lack("accessibility was not checked: there is no npm on the PATH")
		return ""
	}
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join("axe", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	install := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=0")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		lack("accessibility was not checked: installing axe-core failed, perhaps for want of a network: %v\n%s", err, out)
		return ""
	}
	source, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// TestPublicBrowserSearches: typed words are found, by keys alone, and the slowest key of a query takes less than a bound
// that is far above the time on an idle machine.
func TestPublicBrowserSearches(t *testing.T) {
	p := chromium(t)
	dir, _ := served(t)
	p.setViewport(1280, 800, "light")
	p.open("file://" + filepath.ToSlash(dir) + "/helix/resume.html")
	p.value(`new Promise(done => { document.getElementById("site-search").focus(); const look = () => window.searchIndex ? setTimeout(done, 50) : setTimeout(look, 20); look(); })`, nil)
	for query, want := range map[string]string{
		"helix.resume.query": "helix.resume.query", "no-content": "helix.resume.no-content", "cursor of 0": "helix.resume.zero", "toolCallId": "toolCallId",
		"Coverage": "Coverage", "qqqq": "Nothing has all of these words.",
	} {
		var got struct {
			Text string
			Took []float64
		}
		p.value(fmt.Sprintf(`(() => {
			const input = document.getElementById("site-search"), took = [];
			for (let i = 1; i <= %[1]q.length; i++) {
				input.value = %[1]q.slice(0, i);
				const began = performance.now();
				input.dispatchEvent(new Event("input"));
				document.getElementById("site-found").getBoundingClientRect();
				took.push(performance.now() - began);
			}
			return {Text: document.getElementById("site-found").innerText, Took: took};
		})()`, query), &got)
		if first, _, _ := strings.Cut(got.Text, "page"); !strings.Contains(first, want) {
			t.Errorf("%s: %q is not among %q", query, want, got.Text)
		}
		slowest := 0.0
		for _, ms := range got.Took {
			slowest = max(slowest, ms)
		}
		t.Logf("%s: the slowest key took %.1f ms", query, slowest)
	}
	p.value(`(() => { const input = document.getElementById("site-search"); input.value = "helix.resume.zero"; input.dispatchEvent(new Event("input"));
		input.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowDown"})); input.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"})); })()`, nil)
	p.until(`location.hash === "#helix.resume.zero"`)
}

// until waits until an expression is true.
func (p *tab) until(expression string) {
	p.t.Helper()
	for began := time.Now(); time.Since(began) < 90*time.Second; time.Sleep(50 * time.Millisecond) {
		ok := false
		if p.value("Boolean("+expression+")", &ok); ok {
			return
		}
	}
	var state string
	p.value(`document.getElementById("state")?.textContent || ""`, &state)
	p.t.Fatalf("never: %s; the page says %q and complains %v", expression, state, p.errors)
}

// TestPublicBrowserRunsThePlayground judges recordings that are pasted, dropped, or taken from an example: from a disk,
// where a page can't fetch anything, and the page stays responsive during a big one.
func TestPublicBrowserRunsThePlayground(t *testing.T) {
	p := chromium(t)
	dir, _ := served(t)
	p.setViewport(1280, 800, "light")
	p.call("DOM.enable", nil, nil)
	p.open("file://" + filepath.ToSlash(dir) + "/playground.html")
	p.until(`!document.getElementById("judge").disabled`)
	p.until(`document.getElementById("state").textContent === "The judge is ready."`)

	p.value(`(() => { const e = document.getElementById("example"); e.value = "1"; e.dispatchEvent(new Event("change")); })()`, nil)
	p.until(`document.querySelector(".play").dataset.done === "1" && document.querySelector("#wire .wrong")`)
	var shown struct{ Verdict, Rule, Beside, Link string }
	p.value(`({Verdict: document.getElementById("verdict").className, Rule: document.querySelector("#findings a").textContent,
		Beside: document.querySelector("#wire .wrong").innerText, Link: document.querySelector("#findings a").href})`, &shown)
	if shown.Verdict != "fail" || !strings.Contains(shown.Beside, shown.Rule) || !strings.HasSuffix(shown.Link, "#"+shown.Rule) {
		t.Errorf("%+v", shown)
	}
	p.picture("playground-finding")
	p.value(`(() => { const e = document.getElementById("example"); e.value = "0"; e.dispatchEvent(new Event("change")); })()`, nil)
	p.until(`document.querySelector(".play").dataset.done === "2"`)
	var verdict string
	if p.value(`document.getElementById("verdict").className`, &verdict); verdict != "pass" {
		t.Errorf("a right example is %q", verdict)
	}

	p.value(`window.gaps = []; { let last = performance.now(); setInterval(() => { const now = performance.now(); window.gaps.push(now - last); last = now; }, 20); }`, nil)
	p.file("#file", big(t, 100_000))
	p.until(`!document.getElementById("progress").hidden && document.getElementById("progress").value > 0`)
	p.until(`document.querySelector(".play").dataset.done === "3"`)
	var state, summary string
	gap := 0.0
	p.value(`document.getElementById("state").textContent`, &state)
	p.value(`document.getElementById("summary").textContent`, &summary)
	p.value(`Math.max(...window.gaps)`, &gap)
	t.Logf("100,000 events: %s The page stood still for %.0f ms at most.", state, gap)
	if !strings.Contains(summary, "100,000 events") || !strings.Contains(state, "100 findings") {
		t.Errorf("%s %s", state, summary)
	}
	var line string
	p.value(`(() => { document.querySelectorAll(".place")[11].click(); return document.querySelectorAll(".place")[11].textContent; })()`, &line)
	p.until(`document.querySelector("#wire .here td:last-child")?.textContent.startsWith("event: x")`)
	if len(p.errors) > 0 {
		t.Error(p.errors)
	}
	p.stopped(t)
	p.bounded(t)
}

// bounded judges one event of a million lines: the page shows some of them, and goes on.
func (p *tab) bounded(t *testing.T) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "lines.sse")
	if err := os.WriteFile(name, []byte(strings.Repeat("data: x\n", 1_000_000)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.value(`window.gaps = []; document.querySelector(".play").dataset.done = "0"`, nil)
	p.file("#file", name)
	p.until(`document.querySelector(".play").dataset.done !== "0" && document.querySelector("#wire tbody").textContent.includes("lines more")`)
	var shown struct{ Rows, Gap float64 }
	p.value(`({Rows: document.querySelectorAll("#wire tbody tr").length, Gap: Math.max(...window.gaps)})`, &shown)
	t.Logf("an event of 1,000,000 lines: %.0f rows; the page stood still for %.0f ms at most", shown.Rows, shown.Gap)
	if shown.Rows > 2100 || shown.Gap > 20_000 {
		t.Errorf("%.0f rows, and the page stood still for %.0f ms", shown.Rows, shown.Gap)
	}
}

// stopped stops a judgement and begins another one.
func (p *tab) stopped(t *testing.T) {
	t.Helper()
	p.file("#file", big(t, 100_000))
	p.until(`!document.getElementById("stop").hidden`)
	p.value(`document.getElementById("stop").click()`, nil)
	p.until(`!document.getElementById("judge").disabled`)
	p.value(`(() => { document.getElementById("clear").click(); document.getElementById("capture").value = "<p>\n\n"; document.getElementById("judge").click(); })()`, nil)
	p.until(`document.getElementById("verdict").textContent.includes("Not judged")`)
}

// file gives a file to an input of the page.
func (p *tab) file(selector, name string) {
	p.t.Helper()
	var document struct{ Root struct{ NodeID int } }
	p.call("DOM.getDocument", nil, &document)
	var node struct{ NodeID int }
	p.call("DOM.querySelector", map[string]any{"nodeId": document.Root.NodeID, "selector": selector}, &node)
	p.call("DOM.setFileInputFiles", map[string]any{"files": []string{name}, "nodeId": node.NodeID}, nil)
}

// big writes a recording of so many events, every thousandth with a name that it shouldn't have.
func big(t *testing.T, events int) string {
	t.Helper()
	var b strings.Builder
	for i := 1; i <= events; i++ {
		if i%1000 == 0 {
			b.WriteString("event: x\n")
		}
		fmt.Fprintf(&b, "id: %d\ndata: {\"type\":\"chunk\",\"chunk\":{\"type\":\"text_delta\",\"agentId\":\"run-1\",\"agentType\":\"planner\",\"timestamp\":1702329600000,"+
			"\"step\":%d,\"delta\":\"word number \\\"seven\\\" \"},\"sequence\":%d}\n\n", i, i/20, i)
	}
	name := filepath.Join(t.TempDir(), "big.sse")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestPublicBrowserPrints: a chapter becomes paper.
func TestPublicBrowserPrints(t *testing.T) {
	p := chromium(t)
	_, url := served(t)
	p.open(url + "helix/ordering.html")
	var made struct{ Data string }
	p.call("Page.printToPDF", map[string]any{"preferCSSPageSize": true}, &made)
	pdf, err := base64.StdEncoding.DecodeString(made.Data)
	if err != nil || !strings.HasPrefix(string(pdf), "%PDF") {
		t.Error(err, len(pdf))
	}
	p.call("Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil)
	var hidden bool
	p.value(`["header", ".side", ".toc"].every(s => getComputedStyle(document.querySelector(s)).display === "none")`, &hidden)
	if !hidden {
		t.Error("menus are printed")
	}
}
