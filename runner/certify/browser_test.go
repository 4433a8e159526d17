package certify_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
)

// page reads a stream with the EventSource of the browser and reports each event to the test.
const page = `<!doctype html><meta charset="utf-8"><script>
let told = Promise.resolve();
const tell = entry => { told = told.then(() => fetch("/log", {method: "POST", body: JSON.stringify(entry)})); };
const source = new EventSource("/streams/browser/events");
source.onmessage = e => { const d = JSON.parse(e.data); tell(d.type + " " + e.lastEventId); };
source.onerror = () => tell(source.readyState === EventSource.CLOSED ? "closed" : "reconnecting");
</script>`

// browserHost serves the page next to the reference server. It makes the browser reconnect soon and drops its first
// connection after two events.
type browserHost struct {
	reference http.Handler
	log       chan string

	mu      sync.Mutex
	cursors []string // Last-Event-ID of each read
}

func (h *browserHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	case r.URL.Path == "/log":
		var entry string
		if json.NewDecoder(r.Body).Decode(&entry) == nil {
			h.log <- entry
		}
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/events"):
		h.mu.Lock()
		h.cursors = append(h.cursors, r.Header.Get("Last-Event-ID"))
		first := len(h.cursors) == 1
		h.mu.Unlock()
		h.reference.ServeHTTP(&dropping{ResponseWriter: w, drop: first}, r)
	default:
		h.reference.ServeHTTP(w, r)
	}
}

// dropping writes a retry field before the first frame and, on request, breaks the connection at the third frame.
type dropping struct {
	http.ResponseWriter
	drop   bool
	frames int
}

func (d *dropping) Unwrap() http.ResponseWriter { return d.ResponseWriter }

func (d *dropping) WriteHeader(status int) {
	d.ResponseWriter.WriteHeader(status)
	if status == http.StatusOK {
		_, _ = d.ResponseWriter.Write([]byte("retry: 20\n\n"))
	}
}

func (d *dropping) Write(p []byte) (int, error) {
	for _, frame := range strings.SplitAfter(string(p), "\n\n") {
		if strings.HasPrefix(frame, "id:") {
			d.frames++
		}
		if d.drop && d.frames > 2 {
			_ = http.NewResponseController(d.ResponseWriter).Flush()
			panic(http.ErrAbortHandler)
		}
		if _, err := d.ResponseWriter.Write([]byte(frame)); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("STREAMCERT_REQUIRE_BROWSER") != "" {
		t.Fatal("STREAMCERT_REQUIRE_BROWSER is set and no chromium is on the path")
	}
	t.Skip("no chromium on the path: a real browser's EventSource was not tried")
	return ""
}

// TestPublicBrowserReconnects lets a real browser read the reference server: it receives,
// is dropped, reconnects by itself with Last-Event-ID, receives the remainder, and
// stops at the 204 that follows the end.
func TestPublicBrowserReconnects(t *testing.T) {
	chromium := browser(t)
	ref := reference.New(reference.Options{})
	defer ref.Close()
	host := &browserHost{reference: ref, log: make(chan string, 64)}
	url := certifytest.Serve(t, host)
	post := func(path, body string) map[string]any {
		t.Helper()
		res, err := http.Post(url+path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if res.StatusCode/100 != 2 {
			t.Fatalf("POST %s: %d", path, res.StatusCode)
		}
		var answer map[string]any
		_ = json.NewDecoder(res.Body).Decode(&answer) // a 204 has no body
		return answer
	}
	writer := post("/control/streams/browser/writers", `{"agentId":"a","agentType":"t"}`)["writerId"]
	for n := 1; n <= 4; n++ {
		post(fmt.Sprintf("/control/streams/browser/writers/%s/chunks", writer),
			fmt.Sprintf(`{"type":"text_delta","agentId":"a","agentType":"t","timestamp":1702329600000,"delta":"%d\n"}`, n))
	}
	post("/control/streams/browser/end", "{}")

	profile, err := os.MkdirTemp("", "streamcert-browser-")
	if err != nil {
		t.Fatal(err)
	}
	// Not t.TempDir: processes of the browser outlive it for a moment, and their writes would make the removal fail the
	// test.
	defer os.RemoveAll(profile)
	cmd := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--user-data-dir="+profile, "--remote-debugging-port=0", url+"/")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	var got []string
	timeout := time.After(60 * time.Second) // a browser's first start is slow
	for len(got) == 0 || got[len(got)-1] != "closed" {
		select {
		case entry := <-host.log:
			got = append(got, entry)
		case <-timeout:
			t.Fatalf("the browser did not come to an end; so far: %q", got)
		}
	}
	want := []string{"chunk 1", "chunk 2", "reconnecting", "chunk 3", "chunk 4", "end 5", "reconnecting", "closed"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what the browser saw (-want +got):\n%s", diff)
	}
	host.mu.Lock()
	defer host.mu.Unlock()
	if diff := cmp.Diff([]string{"", "2", "5"}, host.cursors); diff != "" {
		t.Errorf("Last-Event-ID of its requests (-want +got):\n%s", diff)
	}
}
