package aep

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func post(h http.Handler, path, body string) *httptest.ResponseRecorder {
	a := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "http://localhost"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer a")
	r.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(a, r)
	return a
}

const streamPath = "/v1/agents/planner/stream"

func request(script, more string) string {
	return `{"messages":[{"role":"user","content":"so"},` +
		`{"role":"user","content":[{"type":"text","text":"go "},{"type":"text","text":"on"}]}]` +
		more +
		`,"context":{"n":1,"conformance":{"script":` + script + `}}}`
}

// conversation is a bit of everything, requests that are refused included. $thread, $1 and $2 come from the first
// answer.
func conversation() []string {
	const result = `"context":{"conformance":{"script":[{"echo":"results"}]},"actionResults":[`
	const failing = `"context":{"conformance":{"script":[{"fail":"agent_error"}]},"actionResults":[`
	return []string{
		request(`[{"thinking":"hm hm"},{"text":" Plan the\r\n\r\ntrip 😀 é "},
			{"tool":{"name":"f","arguments":{"a":[1,null],"b":"é"},"result":{"x":1}}},
			{"tool":{"name":"g","arguments":{"c":null},"result":2}},{"tool":{"name":"h","arguments":{},"error":"no"}},
			{"thinking":"so"},
			{"echo":"messages"},{"echo":"context"},{"continue":{"kind":"k","payload":null}},
			{"continue":{"kind":"k","payload":{"a":"\r\n"}}}]`, ""),
		request(`[{"text":" x "},{"tool":{"name":"f","arguments":{"a":"b"}}},{"thinking":"y"},{"text":"z"},{"echo":"history"}]`,
			`,"threadId":"$thread"`),
		`{"messages":[],` + result + `{"actionId":"$1","result":1}]}}`,
		`{"messages":[],"threadId":"$thread",` + result + `{"actionId":"$1","result":1},{"actionId":"$1","result":2}]}}`,
		`{"messages":[],"threadId":"$thread",` + result + `{"actionId":"$1","result":1},{"actionId":"unknown","result":1}]}}`,
		`{"messages":[],"threadId":"$thread",` + failing + `{"actionId":"$1","result":1}]}}`,
		`{"messages":[],"threadId":"$thread",` + result + `{"actionId":"$1","error":"no"},{"actionId":"$2","result":1}]}}`,
		`{"messages":[],"threadId":"$thread",` + result + `{"actionId":"$1","result":1}]}}`,
		`{"messages":[],"threadId":"$thread",` + result + `{"actionId":"unknown","result":1}]}}`,
		`{"messages":[],` + result + `{"result":1}]}}`,
		request(`[{"echo":"history"}]`, ""), request(`[{"text":"a"},{"fail":"agent_error"}]`, ""),
		request(`[{"text":"a"},{"fail":"tool_error"}]`, ""),
		request(`[{"text":"a"},{"text":"b"},{"fail":"internal_error"}]`, ""), request(`[]`, ""),
		request(`[{"text":"a"},{"fail":"agent_error"}]`, `,"threadId":"$thread"`), request(`[{"echo":"history"}]`, `,"threadId":"$thread"`),
		`{"messages":[],"context":{"conformance":{"script":[{"echo":"context"}]}}}`,
		`{"messages":[],"context":{"conformance":{"refuse":"stream_timeout"}}}`,
		`[]`, `{`, `{}`, `{"messages":"x"}`, `{"messages":[{"role":"user","content":[{"type":"image"}]}]}`,
		`{"messages":[],"threadId":"unknown"}`,
		`{"messages":[{"role":"user","content":"` + strings.Repeat("x", 2000) + `"}]}`,
	}
}

// filled puts ids of the first answer into a body.
func filled(body, first string) string {
	ids := append(regexp.MustCompile(`"actionId":"([^"]+)"`).FindAllStringSubmatch(first, -1), []string{"", "one"},
		[]string{"", "two"})
	return strings.NewReplacer("$thread", member(first, "threadId"), "$1", ids[0][1], "$2", ids[1][1]).Replace(body)
}

// TestMutantsServe has a conversation with every mutant: it answers, and it doesn't panic. The scenarios check the bug.
func TestMutantsServe(t *testing.T) {
	for _, m := range Catalogue() {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			s := Handler(m, aep.Options{Principals: map[string]string{"a": "ann"}, MaxMessage: 1000,
				Timeout: 300 * time.Millisecond})
			server := httptest.NewUnstartedServer(s)
			var problems bytes.Buffer // net/http survives a panic and says so here
			server.Config.ErrorLog = log.New(&problems, "", 0)
			server.Start()
			first := exchange(t, server, conversation()[0])
			for _, body := range conversation()[1:] {
				exchange(t, server, filled(body, first))
			}
			s.Close()
			server.Close() // waits for every handler
			if problems.Len() > 0 {
				t.Errorf("the server complains:\n%s", problems.Bytes())
			}
		})
	}
}

// exchange asks and reads the answer for as long as it takes, or half a second.
func exchange(t *testing.T, server *httptest.Server, body string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+streamPath, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer a")
	res, err := server.Client().Do(req)
	if err != nil {
		if ctx.Err() == nil && !strings.Contains(err.Error(), "EOF") {
			t.Errorf("%s: %v", body, err)
		}
		return ""
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body) // some break off
	return string(text)
}

func member(text, name string) string {
	found := regexp.MustCompile(`"` + name + `":"([^"]+)"`).FindStringSubmatch(text)
	if found == nil {
		return "none"
	}
	return found[1]
}

// TestMutantsDiffer: the bytes of each mutant's answers differ from the reference's, unless the bug needs more than a
// conversation in turn.
func TestMutantsDiffer(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it runs at once")
	}
	want := replay(Mutant{})
	silent := []string{ // they show only with two at once, over a socket, in time, for another user, on another replica, or after a restart
		"anybody-cancels", "anybody-resolves", "cancelled-is-an-error", "cancelled-is-done", "cancelled-speaks-on",
		"cancels-all-of-a-user", "done-after-aborted", "leaving-locks-the-thread",
		"mixes-streams", "no-heartbeat", "all-at-once", "one-heartbeat", "one-leaves-all-end",
		"refuses-cursors", "threads-belong-to-nobody", "foreign-thread-is-a-bad-request",
		"timeout-is-agents", "timeout-in-another-unit", "timeout-of-a-thread", "open-door", "anybody-scripts", "a-thread-stays-trusted",
		"any-token-will-do", "known-address-needs-no-token", "forbidden-in-place-of-unauthorized", "no-rate-limit",
		"refusal-gives-the-rate-back", "tokens-are-known-by-their-beginning", "leaves-body-open", "waits-for-the-result",
		"clock-jumps-back", "closes-connections", "json-content-type",
		"cacheable-stream", "needs-context", "needs-thread-id", "remembers-last-message",
		"restart-forgets-threads", "restart-forgets-history", "restart-forgets-actions", "restart-forgets-results",
		"replicas-share-no-threads", "replica-reads-history-once", "replica-trusts-the-first", "replica-answers-its-own",
		"replica-resolves-for-itself", "dead-replica-takes-what-was-said",
	}
	for _, m := range Catalogue() {
		if m.AcrossScenarios || slices.Contains(silent, m.Name) {
			continue
		}
		if got := replay(m); got == want {
			t.Errorf("%s answers as the reference does", m.Name)
		}
	}
}

// replay has the conversation without a socket, with ids and times that are the same each time.
func replay(m Mutant) string {
	s := Handler(m, aep.Options{NewID: counting(), Clock: still{}, MaxMessage: 1000})
	defer s.Close()
	var out strings.Builder
	first := ""
	for _, body := range conversation() {
		a := post(s, streamPath, filled(body, first))
		if first == "" {
			first = a.Body.String()
		}
		out.WriteString(a.Result().Status + "\n" + a.Body.String())
	}
	return out.String()
}

func counting() func(aep.IDKind) string {
	n := 0
	return func(kind aep.IDKind) string { n++; return string(kind) + "-" + string(alter.Encode(n)) }
}

// still is a clock that always returns the same time.
type still struct{}

func (still) Now() time.Time { return time.Unix(1_000_000_000, 0) }

func (still) AfterFunc(time.Duration, func()) aep.Timer { return time.NewTimer(time.Hour) }

// TestCancellations has two requests at once on each mutant of cancellations and disconnections.
func TestCancellations(t *testing.T) {
	for _, m := range append(cancel(), flow()...) {
		t.Run(m.Name, func(t *testing.T) {
			s := Handler(m, aep.Options{Timeout: 2 * time.Second})
			server := httptest.NewServer(s)
			defer server.Close()
			defer s.Close()
			ctx, leave := context.WithTimeout(t.Context(), time.Second)
			defer leave()
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+streamPath,
				strings.NewReader(request(`[{"text":"a"},{"await":"x"},{"text":"b"}]`, "")))
			if err != nil {
				t.Fatal(err)
			}
			res, err := server.Client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			first := make([]byte, 4096)
			n, _ := res.Body.Read(first)
			id := member(string(first[:n]), "requestId")
			if m.Requirement != "aep.flow.metadata-first" && id == "none" {
				t.Fatalf("no requestId in %s", first[:n])
			}
			post(s, "/v1/agents/planner/requests/"+id+"/cancel", `{}`)
			if m.Name == "leaves-body-open" || m.Requirement == "aep.flow.metadata-first" {
				return // the client has to leave
			}
			rest, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatalf("after %s: %v", rest, err)
			}
			if m.Name == "cancelled-speaks-on" && (!strings.Contains(string(rest), `"delta":"b"`) ||
				!strings.Contains(string(rest), "event: aborted")) {
				t.Errorf("it says %s", rest)
			}
		})
	}
}

func TestExtensionPoints(t *testing.T) {
	for name, want := range map[string]string{
		"one-thread-for-all": "threads newid", "anybody-resolves": "threads actions",
		"cancelled-speaks-on": "agent cancelled journal",
		"no-heartbeat":        "heartbeat", "open-door": "authenticate", "no-rate-limit": "admit", "leading-bom": "encoder",
		"plain-text-errors":     "handler",
		"serves-large-messages": "maxmessage maxbody", "skips-unknown-blocks": "decode", "one-leaves-all-end": "disconnected",
	} {
		for _, m := range Catalogue() {
			if got := strings.Join(sits(m), " "); m.Name == name && got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
	}
	if positions := sits(Mutant{}); len(positions) > 0 {
		t.Errorf("got %v", positions)
	}
}

func TestHalvesOfSurrogates(t *testing.T) {
	text := replay(Mutant{Apply: seams.OnBytes(splitsSurrogates)})
	if !strings.Contains(text, ` \ud83d","deltaIndex":`) || !strings.Contains(text, `"delta":"\ude00"`) {
		t.Error(text)
	}
	var e struct{ Delta string }
	if err := json.Unmarshal([]byte(`{"delta":"`+string(escape(0xd83d))+`"}`), &e); err != nil {
		t.Error(err)
	}
}
