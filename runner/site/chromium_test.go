package site_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/websocket"
)

// tab is a page of a headless browser that a test drives by the browser's protocol.
type tab struct {
	t    *testing.T
	conn *websocket.Conn
	id   int
	// errors are the exceptions and error messages of the page since it was opened.
	errors []string
	loaded int // how many pages have been loaded
}

// answer is a message of the browser: the result of a call, or an event.
type answer struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Params json.RawMessage `json:"params"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// chromium starts the browser. Where there is none the test is skipped, or fails where one is required.
func chromium(t *testing.T) *tab {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	switch {
	case path == "" && os.Getenv("STREAMCERT_REQUIRE_BROWSER") != "":
		t.Fatal("STREAMCERT_REQUIRE_BROWSER is set and no chromium is on the path")
	case path == "":
		t.Skip("no chromium on the path: the pages were not looked at in a browser")
	case testing.Short():
		t.Skip("a browser takes long to start")
	}
	// Not t.TempDir: processes of the browser outlive it for a moment, and their writes would fail the removal.
	profile, err := os.MkdirTemp("", "streamcert-site-")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--allow-file-access-from-files=false", "--user-data-dir="+profile, "--remote-debugging-port=0", "--remote-allow-origins=*", "about:blank")
	errs, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = os.RemoveAll(profile)
	})
	address := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(errs); lines.Scan(); {
			if _, at, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
				address <- at
			}
		}
	}()
	select {
	case at := <-address:
		return attached(t, at)
	case <-time.After(90 * time.Second): // a browser's first start is slow
		t.Fatal("the browser did not say where it listens")
	}
	return nil
}

// attached opens a page in a browser.
func attached(t *testing.T, browser string) *tab {
	t.Helper()
	root, err := websocket.Dial(browser, "", "http://127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	b := &tab{t: t, conn: root}
	var made struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	root.Close()
	host := strings.TrimPrefix(browser, "ws://")
	host, _, _ = strings.Cut(host, "/")
	conn, err := websocket.Dial("ws://"+host+"/devtools/page/"+made.TargetID, "", "http://127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	conn.MaxPayloadBytes = 256 << 20
	t.Cleanup(func() { conn.Close() })
	p := &tab{t: t, conn: conn}
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		p.call(domain+".enable", nil, nil)
	}
	return p
}

// call calls a method of the browser and reads its result into a value.
func (p *tab) call(method string, params, into any) {
	p.t.Helper()
	p.id++
	id := p.id
	if params == nil {
		params = struct{}{}
	}
	if err := websocket.JSON.Send(p.conn, map[string]any{"id": id, "method": method, "params": params}); err != nil {
		p.t.Fatal(err)
	}
	for {
		a := p.next()
		if a.ID != id {
			continue
		}
		if a.Error != nil {
			p.t.Fatalf("%s: %s", method, a.Error.Message)
		}
		if into != nil {
			if err := json.Unmarshal(a.Result, into); err != nil {
				p.t.Fatal(err)
			}
		}
		return
	}
}

// next reads one message and records errors of the page.
func (p *tab) next() answer {
	p.t.Helper()
	_ = p.conn.SetReadDeadline(time.Now().Add(2 * time.Minute))
	var a answer
	if err := websocket.JSON.Receive(p.conn, &a); err != nil {
		p.t.Fatalf("waiting for the browser: %v", err)
	}
	switch a.Method {
	case "Page.loadEventFired":
		p.loaded++
	case "Runtime.exceptionThrown", "Log.entryAdded":
		p.errors = append(p.errors, string(a.Params))
	}
	return a
}

// open loads a page and waits until it is there.
func (p *tab) open(url string) {
	p.t.Helper()
	// The way over an empty page makes a load of a change of the anchor.
	for _, to := range []string{"about:blank", url} {
		p.errors, p.loaded = nil, 0
		p.call("Page.navigate", map[string]any{"url": to}, nil)
		for p.loaded == 0 {
			p.next()
		}
	}
}

// setViewport sets how wide the window is, and whether the system is dark.
func (p *tab) setViewport(width, height int, scheme string) {
	p.t.Helper()
	p.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
	p.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// value evaluates an expression in the page, waits for it if it is a promise, and reads it into a value.
func (p *tab) value(expression string, into any) {
	p.t.Helper()
	var got struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	p.call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &got)
	if got.ExceptionDetails != nil {
		p.t.Fatalf("%.200s: %s", expression, got.ExceptionDetails)
	}
	if into != nil {
		if err := json.Unmarshal(got.Result.Value, into); err != nil {
			p.t.Fatalf("%.200s: %v: %s", expression, err, got.Result.Value)
		}
	}
}

// picture stores a screenshot, if STREAMCERT_TEST_PICTURES names a folder.
func (p *tab) picture(name string) {
	p.t.Helper()
	folder := os.Getenv("STREAMCERT_TEST_PICTURES")
	if folder == "" {
		return
	}
	var shot struct{ Data string }
	p.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(fmt.Sprintf("%s/%s.png", folder, name), png, 0o600)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// zipped compresses as gzip does.
func zipped(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(b)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
