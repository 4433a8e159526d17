package observe_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/judge/aep"
	"github.com/streamcert/streamcert/runner/judge/helix"
	"github.com/streamcert/streamcert/runner/observe"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// loaded caches the packs, which take a while to load.
var loaded = sync.OnceValues(func() (map[string]observe.Pack, error) {
	book, _, err := spec.Load(spec.FS)
	if err != nil {
		return nil, err
	}
	out := map[string]observe.Pack{}
	for name, machine := range map[string]func(judge.Options) judge.Machine{"helix": helix.New, "aep": aep.New} {
		set, err := schemas.Load(schemas.FS, name)
		if err != nil {
			return nil, err
		}
		out[name] = observe.Pack{Name: name, Book: book, Machine: func(o judge.Options) judge.Machine {
			o.Schemas = set
			return machine(o)
		}}
	}
	return out, nil
})

func load(name string) (observe.Pack, error) {
	packs, err := loaded()
	if err != nil {
		return observe.Pack{}, err
	}
	p, ok := packs[name]
	if !ok {
		return p, fmt.Errorf("there is no pack %q", name)
	}
	return p, nil
}

func see(t *testing.T, r observe.Request, o observe.Options) *observe.Result {
	t.Helper()
	o.Packs, o.Load = packs.All(), load
	res, err := observe.Observe(context.Background(), r, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// page returns the console output for a result.
func page(t *testing.T, r *observe.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Console(&b, observe.Paint{}, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// verdicts returns the requirements that aren't passed.
func verdicts(r *observe.Result) (out []string) {
	for _, q := range r.Requirements {
		if q.Verdict != report.Pass {
			out = append(out, q.ID)
		}
	}
	return out
}

func has(r *observe.Result, id string) (found observe.Requirement, ok bool) {
	for _, q := range r.Requirements {
		if q.ID == id {
			return q, true
		}
	}
	return found, false
}

// answering serves one body, always the same.
func answering(t *testing.T, body string) string {
	t.Helper()
	return serving(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
}

func serving(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-cache")
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func delta(n int, text string) string {
	return fmt.Sprintf("id: %d\ndata: {\"type\":\"chunk\",\"chunk\":%s,\"sequence\":%d}\n\n", n, bare(n, text), n)
}

func bare(n int, text string) string {
	return fmt.Sprintf(`{"type":"text_delta","agentId":"a","agentType":"t","timestamp":%d,"step":1,"delta":%q}`, 1702329600000+n, text)
}

const end = "id: 4\ndata: {\"type\":\"end\"}\n\n"

func three() string { return delta(1, "a") + delta(2, "é漢") + delta(3, "c") }

func TestAHelixStreamIsRecognised(t *testing.T) {
	r := see(t, observe.Request{URL: answering(t, ": hello\n\n"+three()+end)}, observe.Options{})
	if r.Kind != "helix" || r.Guessed || !r.Ended || r.Events != 4 || r.Fault != "" || r.ExitCode(true) != 0 {
		t.Errorf("%+v\n%s", r, page(t, r))
	}
	for _, id := range []string{"helix.wire.content-type", "helix.wire.terminal-id", "helix.lifecycle.body-closes", "helix.text.delta"} {
		if _, ok := has(r, id); !ok && id != "helix.text.delta" {
			t.Errorf("%s had no occasion\n%s", id, page(t, r))
		}
	}
}

func TestBareChunksAreRecognised(t *testing.T) {
	body := "data: " + bare(1, "a") + "\n\ndata: {\"type\":\"stream_end\",\"streamId\":\"s\",\"timestamp\":1}\n\n"
	r := see(t, observe.Request{URL: answering(t, body)}, observe.Options{Sweep: &observe.SweepOptions{}})
	if !strings.Contains(r.Kind, "without envelope") || len(verdicts(r)) != 0 || r.ExitCode(false) != 3 {
		t.Errorf("%s", page(t, r))
	}
	if !strings.Contains(r.Sweep.Unproven, "no ids") {
		t.Error(r.Sweep.Unproven)
	}
}

func TestAnAEPStreamIsRecognised(t *testing.T) {
	body := "event: text\ndata: {\"event\":\"text\",\"requestId\":\"r\"}\n\n"
	var sent string
	url := serving(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		sent = r.Method + " " + r.Header.Get("Content-Type") + " " + string(b)
		_, _ = io.WriteString(w, body)
	})
	r := see(t, observe.Request{Method: "POST", URL: url, Body: []byte("{}")}, observe.Options{})
	if r.Kind != "aep" || r.ExitCode(false) != 1 || sent != "POST application/json {}" {
		t.Errorf("%q\n%s", sent, page(t, r))
	}
	if q, ok := has(r, "aep.flow.terminal"); !ok || q.Verdict != report.Fail {
		t.Errorf("a cut stream has all it needs: %s", page(t, r))
	}
}

func TestFindingsShowTheFrame(t *testing.T) {
	bad := ": \x1b[2J\n" + strings.Replace(delta(2, "b"), `"agentId":"a",`, "", 1)
	r := see(t, observe.Request{URL: answering(t, delta(1, "a")+bad+"id: 3\ndata: {\"type\":\"end\"}\n\n")}, observe.Options{})
	if r.ExitCode(false) != 1 {
		t.Fatal(page(t, r))
	}
	for _, part := range []string{"\nFAIL  helix.chunks.", "frame  event 2, line 4, byte ", "✗ data: {", "read   streamcert explain helix.chunks.agent-id, or https://"} {
		if !strings.Contains(page(t, r), part) {
			t.Errorf("%q isn't said:\n%s", part, page(t, r))
		}
	}
	if strings.Contains(page(t, r), "\x1b") {
		t.Error("an escape sequence reaches the terminal")
	}
}

func TestAStreamOfNoPack(t *testing.T) {
	r := see(t, observe.Request{URL: answering(t, strings.Repeat("data: {\"choices\":[],\"type\":\"x\"}\n\n", 30))}, observe.Options{})
	if !r.Guessed || !strings.Contains(r.Fault, "none of the 30 events") || r.ExitCode(false) != 3 {
		t.Error(page(t, r))
	}
	r = see(t, observe.Request{URL: answering(t, "")}, observe.Options{})
	if !strings.Contains(r.Fault, "no event") || r.ExitCode(false) != 3 {
		t.Error(page(t, r))
	}
}

func TestAnswersThatAreNoStream(t *testing.T) {
	for want, h := range map[string]http.HandlerFunc{
		"answers 404 with text/plain": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no\x1b[2J", 404) },
		"answers 204":                 func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) },
		"with text/html": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<p>")
		},
		"redirects to http://other.test/?token=***": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://other.test/?token=abc", http.StatusFound)
		},
		"redirects ten times": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) },
	} {
		_, err := observe.Observe(context.Background(), observe.Request{URL: serving(t, h)}, observe.Options{Packs: packs.All(), Load: load})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// TestHostileEndings: whatever a server does, there is a verdict within the bounds.
func TestHostileEndings(t *testing.T) {
	hijacked := func(do func(io.Writer)) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			defer c.Close()
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n\r\n"+delta(1, "a"))
			do(c)
		}
	}
	forever := func(piece string) func(io.Writer) {
		return func(c io.Writer) {
			for batch := strings.Repeat(piece, 4096); ; {
				if _, err := io.WriteString(c, batch); err != nil {
					return
				}
			}
		}
	}
	open := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, body)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	}
	o := observe.Options{For: 20 * time.Second, Limit: 20 << 20, Grace: 50 * time.Millisecond}
	bomb := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer z.Close()
		_, _ = io.WriteString(z, delta(1, "a"))
		forever(":" + strings.Repeat("-", 4096) + "\n\n")(z)
	}
	for name, c := range map[string]struct {
		h    http.HandlerFunc
		says string
		exit int
	}{
		"a reset": {hijacked(func(c io.Writer) {
			_, _ = io.WriteString(c, "id: 2\ndata: {\"ty")
			_ = c.(*net.TCPConn).SetLinger(0)
		}), "the connection broke", 0},
		"an endless line":   {hijacked(forever("data: x")), "exceeds 17825792 bytes", 3},
		"endless comments":  {hijacked(forever(":" + strings.Repeat(" ", 4096) + "\n\n")), "(--limit)", 0},
		"a gzip bomb":       {bomb, "(--limit)", 0},
		"open after an end": {open(three() + end), "helix.lifecycle.body-closes", 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := see(t, observe.Request{URL: serving(t, c.h)}, o)
			if text := page(t, r); !strings.Contains(text, c.says) || r.ExitCode(false) != c.exit {
				t.Errorf("want %q and exit code %d, got %d:\n%s", c.says, c.exit, r.ExitCode(false), text)
			}
		})
	}
	o.For = 50 * time.Millisecond
	r := see(t, observe.Request{URL: serving(t, open(three()))}, o)
	if !strings.Contains(r.End, "(--for)") || r.Ended || r.ExitCode(true) != 0 {
		t.Error(page(t, r))
	}
}
