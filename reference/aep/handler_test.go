package aep

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference/aep/agent"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client sends requests to a server that no other test uses.
type client struct {
	t   *testing.T
	h   *Handler
	url string
}

func start(t *testing.T, o Options) client {
	h := New(o)
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	t.Cleanup(h.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return client{t, h, server.URL}
}

func (c client) post(path, token, body string) *http.Response {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	return res
}

const streamPath = "/v1/agents/planner/stream"

// received is an event as the tests read it.
type received struct {
	Event, RequestID, ThreadID, Stage, Delta, Code, FinishReason, ActionID, Reason, Timestamp string
	Retryable                                                                                 *bool
	Content                                                                                   []struct{ Type, Text string }
}

// reader reads a stream event by event.
type reader struct {
	t        *testing.T
	res      *http.Response
	lines    *bufio.Scanner
	comments int
}

func (c client) stream(token, body string) *reader {
	c.t.Helper()
	res := c.post(streamPath, token, body)
	c.t.Cleanup(func() { _ = res.Body.Close() })
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(res.Body)
		c.t.Fatalf("%s is answered %d %s", body, res.StatusCode, text)
	}
	return &reader{t: c.t, res: res, lines: bufio.NewScanner(res.Body)}
}

// next returns the next event; the zero event at the end.
func (r *reader) next() (e received) {
	r.t.Helper()
	for r.lines.Scan() {
		line := r.lines.Text()
		if strings.HasPrefix(line, ":") {
			r.comments++
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				r.t.Fatalf("%s: %v", data, err)
			}
			return e
		}
	}
	return e
}

// remaining returns the events that are left; the last one is terminal.
func (r *reader) remaining() (events []received) {
	r.t.Helper()
	for e := r.next(); e.Event != ""; e = r.next() {
		events = append(events, e)
	}
	if len(events) == 0 || !Kind(events[len(events)-1].Event).Terminal() {
		r.t.Fatalf("the stream ends with %+v", events)
	}
	return events
}

func (r *reader) last() received {
	r.t.Helper()
	events := r.remaining()
	return events[len(events)-1]
}

func body(script, more string) string {
	return `{"messages":[{"role":"user","content":[{"type":"text","text":"go "},{"type":"text","text":"on"}]}]` + more + `,"context":{"conformance":{"script":` + script + `}}}`
}

// eventText returns the text of done.
func eventText(e received) string {
	var text string
	for _, b := range e.Content {
		text += b.Text
	}
	return text
}

func TestRefusals(t *testing.T) {
	c := start(t, Options{
		Principals: map[string]string{"a": "ann", "b": "bob", "l": "lim"}, Rates: map[string]Rate{"lim": {Requests: 1}}, MaxMessage: 8, MaxBody: 1000,
	})
	thread := c.stream("a", body(`[]`, "")).last().ThreadID
	c.stream("l", body(`[]`, "")).remaining()
	const hi = `{"messages":[{"role":"user","content":"hi"}]`
	for _, x := range []struct {
		name, token, body string
		status            int
		code              string
	}{
		{"no credential", "", hi + `}`, 401, "auth_failed"},
		{"a wrong one", "x", hi + `}`, 401, "auth_failed"},
		{"too many", "l", hi + `}`, 429, "rate_limit_exceeded"},
		{"no JSON", "a", `{"messages":`, 400, "invalid_message_format"},
		{"no UTF-8", "a", "{\"messages\":[],\"x\":\"\xff\"}", 400, "invalid_message_format"},
		{"an array", "a", `[]`, 400, "invalid_message_format"},
		{"no messages", "a", `{}`, 400, "invalid_message_format"},
		{"messages as text", "a", `{"messages":"hi"}`, 400, "invalid_message_format"},
		{"messages null", "a", `{"messages":null}`, 400, "invalid_message_format"},
		{"a text for a message", "a", `{"messages":["hi"]}`, 400, "invalid_message_format"},
		{"the agent's message", "a", `{"messages":[{"role":"assistant","content":"hi"}]}`, 400, "invalid_message_format"},
		{"no content", "a", `{"messages":[{"role":"user"}]}`, 400, "invalid_message_format"},
		{"an image", "a", `{"messages":[{"role":"user","content":[{"type":"image"}]}]}`, 400, "invalid_message_format"},
		{"no text", "a", `{"messages":[{"role":"user","content":[{"type":"text"}]}]}`, 400, "invalid_message_format"},
		{"a number for a thread", "a", hi + `,"threadId":1}`, 400, "invalid_message_format"},
		{"a text for a context", "a", hi + `,"context":"x"}`, 400, "invalid_message_format"},
		{"a malformed script", "a", hi + `,"context":{"conformance":{"script":[{"sing":1}]}}}`, 400, "invalid_message_format"},
		{"results that are no array", "a", hi + `,"context":{"actionResults":{}}}`, 400, "invalid_message_format"},
		{"a result without id", "a", hi + `,"context":{"actionResults":[{"result":1}]}}`, 400, "invalid_message_format"},
		{"an unknown action", "a", hi + `,"context":{"actionResults":[{"actionId":"x"}]}}`, 400, "invalid_action_id"},
		{"a large message", "a", `{"messages":[{"role":"user","content":"123456789"}]}`, 413, "message_too_large"},
		{"a large body", "a", hi + `,"x":"` + strings.Repeat("x", 1000) + `"}`, 413, "message_too_large"},
		{"an unknown thread", "a", hi + `,"threadId":"x"}`, 404, "thread_not_found"},
		{"a foreign thread", "b", hi + `,"threadId":"` + thread + `"}`, 403, "thread_access_denied"},
		{"a failure before the stream", "a", hi + `,"context":{"conformance":{"refuse":"internal_error"}}}`, 500, "internal_error"},
		{"a time-out before it", "a", hi + `,"context":{"conformance":{"refuse":"stream_timeout"}}}`, 504, "stream_timeout"},
	} {
		res := c.post(streamPath, x.token, x.body)
		var e received
		err := json.NewDecoder(res.Body).Decode(&e)
		_ = res.Body.Close()
		if err != nil || res.StatusCode != x.status || e.Code != x.code {
			t.Errorf("%s: %d %s (%v), expected %d %s", x.name, res.StatusCode, e.Code, err, x.status, x.code)
		}
		if e.Event != "error" || e.RequestID == "" || e.Timestamp == "" || e.Retryable == nil || *e.Retryable != table()[x.code].retryable {
			t.Errorf("%s: not a whole error event: %+v", x.name, e)
		}
	}
}

func TestRoutes(t *testing.T) {
	h := New(Options{ControlToken: "c"})
	defer h.Close()
	for _, x := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/v1/agents/a", "", 404}, {"POST", "/v1/agents//stream", "", 404}, {"POST", "/v1/agents/%20/stream", "", 400},
		{"POST", "/v2/agents/a/stream", "", 404}, {"POST", "/control/aep", "", 404}, {"GET", "/v1/agents/a/stream", "", 405},
		{"POST", "/v1/agents/a/requests/x/cancel", "", 404}, {"POST", "/v1/agents/a/requests/x/cancel", "[]", 400},
		{"POST", "/v1/agents/a/requests/x/cancel", `{"reason":1}`, 400}, {"POST", "/control/aep/release", `{}`, 403},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(x.method, x.path, strings.NewReader(x.body)))
		if w.Code != x.status {
			t.Errorf("%s %s: %d, expected %d", x.method, x.path, w.Code, x.status)
		}
	}
}

func TestThreads(t *testing.T) {
	c := start(t, Options{})
	first := c.stream("", body(`[{"echo":"history"}]`, "")).last()
	if eventText(first) != `[]` {
		t.Errorf("a new thread knows %s", eventText(first))
	}
	other := c.stream("", body(`[]`, "")).last()
	if first.ThreadID == other.ThreadID || first.RequestID == other.RequestID {
		t.Errorf("two requests share an id: %+v %+v", first, other)
	}
	second := c.stream("", body(`[{"echo":"history"},{"echo":"messages"}]`, `,"threadId":"`+first.ThreadID+`"`)).remaining()
	if e := second[len(second)-1]; eventText(e) != `[{"user":"go on"},{"agent":"[]"}]["go on"]` || second[0].ThreadID != first.ThreadID {
		t.Errorf("the second request is handed %s", eventText(e))
	}
}

func TestContext(t *testing.T) {
	c := start(t, Options{})
	e := c.stream("", `{"messages":[],"context":{"z":1.50,"a":{"b":["<"]},"conformance":{"script":[{"echo":"context"}]},"actionResults":[]}}`).last()
	if eventText(e) != `{"a":{"b":["<"]},"z":1.50}` {
		t.Error(eventText(e))
	}
	if e := c.stream("", `{"messages":[]}`).last(); e.FinishReason != "stop" || eventText(e) == "" {
		t.Errorf("without a script: %+v", e)
	}
}

func TestActions(t *testing.T) {
	c := start(t, Options{Principals: map[string]string{"a": "ann", "b": "bob"}})
	events := c.stream("a", body(`[{"text":"x"},{"continue":{"kind":"k","payload":null}},{"continue":{"kind":"k","payload":1}}]`, "")).remaining()
	end := events[len(events)-1]
	one, two := events[len(events)-3].ActionID, events[len(events)-2].ActionID
	if end.FinishReason != "action_required" || one == "" || one == two {
		t.Fatalf("%+v", events)
	}
	resume := func(token string, ids ...string) (int, string) {
		results := `{"actionId":"` + strings.Join(ids, `","result":7},{"actionId":"`) + `","result":7}`
		res := c.post(streamPath, token, `{"messages":[],"threadId":"`+end.ThreadID+`","context":{"actionResults":[`+results+`],"conformance":{"script":[{"echo":"results"}]}}}`)
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(text)
	}
	for _, x := range []struct {
		name, token string
		ids         []string
		status      int
	}{
		{"foreign", "b", []string{one}, 403}, {"unknown", "a", []string{"x"}, 400}, {"one unknown", "a", []string{one, "x"}, 400},
		{"one twice", "a", []string{one, one}, 400}, {"open", "a", []string{one}, 200}, {"resolved", "a", []string{one}, 400}, {"the other", "a", []string{two}, 200},
	} {
		if status, text := resume(x.token, x.ids...); status != x.status || status == 200 && !strings.Contains(text, `\"result\":7`) {
			t.Errorf("%s: %d %s", x.name, status, text)
		}
	}
}

func (c client) control(path, token, body string, want int) {
	c.t.Helper()
	res := c.post(path, token, body)
	_ = res.Body.Close()
	if res.StatusCode != want {
		c.t.Errorf("%s %s is answered %d, expected %d", path, body, res.StatusCode, want)
	}
}

func TestBarriers(t *testing.T) {
	c := start(t, Options{})
	r := c.stream("", body(`[{"text":"a"},{"await":"one"},{"await":"two"},{"text":"b"}]`, ""))
	id := r.next().RequestID
	if r.next(); r.next().Delta != "a" {
		t.Fatal("the text before the barrier doesn't come")
	}
	c.control("/control/aep/release", "", `{"requestId":"`+id+`","barrier":"two"}`, 204)
	c.control("/control/aep/release", "", `{"requestId":"`+id+`","barrier":"one"}`, 204)
	c.control("/control/aep/release", "", `{"requestId":"`+id+`","barrier":"one"}`, 204)
	if e := r.last(); eventText(e) != "ab" {
		t.Errorf("%+v", e)
	}
	c.control("/control/aep/release", "", `{"requestId":"`+id+`","barrier":"late"}`, 204)
	c.control("/control/aep/release", "", `{"requestId":"x","barrier":"late"}`, 404)
	c.control("/control/aep/release", "", `{"requestId":"x"}`, 400)
}

func TestCancel(t *testing.T) {
	c := start(t, Options{Principals: map[string]string{"a": "ann", "b": "bob"}})
	r, other := c.stream("a", body(`[{"await":"x"},{"text":"late"}]`, "")), c.stream("a", body(`[{"await":"x"},{"text":"b"}]`, ""))
	id, otherID := r.next().RequestID, other.next().RequestID
	cancel := "/v1/agents/planner/requests/" + id + "/cancel"
	c.control(cancel, "b", `{}`, 404)
	c.control(cancel, "a", `{"reason":"enough"}`, 204)
	c.control("/control/aep/release", "", `{"requestId":"`+id+`","barrier":"x"}`, 204)
	if events := r.remaining(); len(events) != 1 || events[0].Event != "aborted" || events[0].Reason != "enough" {
		t.Errorf("%+v", events)
	}
	c.control(cancel, "a", `{}`, 204)
	c.control("/control/aep/release", "", `{"requestId":"`+otherID+`","barrier":"x"}`, 204)
	if e := other.last(); eventText(e) != "b" {
		t.Errorf("the other request ends with %+v", e)
	}
}

func TestFailures(t *testing.T) {
	c := start(t, Options{Agent: agent.Func(func(ctx context.Context, turn agent.Turn, say func(agent.Delta) error) error {
		if turn.Script == nil {
			return errors.New("out of memory")
		}
		return agent.Scripted{}.Run(ctx, turn, say)
	})})
	for _, code := range []string{"agent_error", "tool_error", "internal_error"} {
		if e := c.stream("", body(`[{"text":"a"},{"fail":"`+code+`"}]`, "")).last(); e.Code != code || e.Event != "error" {
			t.Errorf("%s: %+v", code, e)
		}
	}
	if e := c.stream("", `{"messages":[]}`).last(); e.Code != "internal_error" {
		t.Errorf("%+v", e)
	}
}

func TestTimeoutAndHeartbeat(t *testing.T) {
	c := start(t, Options{Timeout: time.Second, Heartbeat: 10 * time.Millisecond})
	r := c.stream("", body(`[{"hang":true}]`, ""))
	if e := r.last(); e.Code != "stream_timeout" || r.comments < 2 {
		t.Errorf("%d comments, then %+v", r.comments, e)
	}
}

func TestDisconnectLeavesOthersAlone(t *testing.T) {
	gone := make(chan struct{})
	c := start(t, Options{Disconnected: func(live []Request, _ Request) []string { close(gone); return nil }})
	r, other := c.stream("", body(`[{"hang":true}]`, "")), c.stream("", body(`[{"await":"x"},{"text":"b"}]`, ""))
	r.next()
	id := other.next().RequestID
	_ = r.res.Body.Close()
	<-gone
	c.control("/control/aep/release", "", `{"requestId":"`+id+`","barrier":"x"}`, 204)
	if e := other.last(); eventText(e) != "b" {
		t.Errorf("%+v", e)
	}
}

func TestClose(t *testing.T) {
	c := start(t, Options{})
	r := c.stream("", body(`[{"text":"a"},{"hang":true}]`, ""))
	r.next()
	c.h.Close()
	if e := r.last(); e.Code != "internal_error" || !*e.Retryable {
		t.Errorf("%+v", e)
	}
}

func TestRemembersSoMany(t *testing.T) {
	var s requests
	for range remembered + 5 {
		s.end(s.begin(Request{ID: "old"}))
	}
	s.end(s.begin(Request{ID: "new", Principal: "p"}))
	if len(s.ended) != remembered || !s.release("new", "b") || !s.owned("p", "new") || s.owned("q", "new") || s.release("x", "b") {
		t.Errorf("%d are remembered", len(s.ended))
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(body(`[{"text":"x"}]`, `,"threadId":"t"`)))
	f.Add([]byte(`{"messages":[{"role":"user","content":"x"}],"context":{"actionResults":[{"actionId":"a","error":1}]}}`))
	f.Add([]byte("{\"messages\":[],\"context\":null,\"threadId\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		ask, err := Decode(raw)
		var e *Error
		switch {
		case err != nil && (!errors.As(err, &e) || e.Code != "invalid_message_format" || e.Message == ""):
			t.Errorf("%q: %v", raw, err)
		case err == nil && ask.Context != nil && !json.Valid(ask.Context):
			t.Errorf("%q: context %q", raw, ask.Context)
		}
	})
}

// BenchmarkStream measures a complete answer without a network: a thousand words and a tool.
func BenchmarkStream(b *testing.B) {
	h := New(Options{})
	defer h.Close()
	ask := body(`[{"text":"`+strings.Repeat("word ", 1000)+`"},{"tool":{"name":"f","arguments":{"to":"Bergen"},"result":1}}]`, "")
	b.ReportAllocs()
	for b.Loop() {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, streamPath, strings.NewReader(ask)))
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "event: done") {
			b.Fatal(w.Code)
		}
	}
}
