package aep

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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

func TestCatalogue(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	ids := requirements(t)
	names := map[string]bool{}
	all := Catalogue()
	for _, m := range all {
		if !kebab.MatchString(m.Name) || names[m.Name] {
			t.Errorf("mutant %q: the name isn't kebab-case or isn't the only one", m.Name)
		}
		names[m.Name] = true
		for _, requirement := range append([]string{m.Requirement}, m.Also...) {
			if _, ok := ids[requirement]; !ok {
				t.Errorf("mutant %s: there is no testable requirement %q", m.Name, requirement)
			}
		}
		ids[m.Requirement] = true
		if len(m.Also) > 3 || slices.Contains(m.Also, m.Requirement) {
			t.Errorf("mutant %s breaks too much besides: %v", m.Name, m.Also)
		}
		if len(m.Seams()) == 0 {
			t.Errorf("mutant %s changes nothing", m.Name)
		}
		if !strings.HasSuffix(m.Summary, ".") || strings.Count(m.Summary, ". ") > 0 {
			t.Errorf("mutant %s: the summary isn't one sentence: %q", m.Name, m.Summary)
		}
	}
	for id, broken := range ids {
		if !broken {
			t.Errorf("no mutant breaks %s", id)
		}
	}
	if !slices.IsSortedFunc(all, func(a, b Mutant) int {
		return strings.Compare(a.Requirement+" "+a.Name, b.Requirement+" "+b.Name)
	}) {
		t.Error("the catalogue isn't sorted by requirement and name")
	}
}

// requirements are the ids that a server can be seen to break; none is broken yet.
func requirements(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("../../../spec/aep/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	block := regexp.MustCompile("(?m)^#### (aep\\.\\S+)\n> (.+)\n\n(`.*)$")
	ids := map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range block.FindAllStringSubmatch(string(text), -1) {
			if id, sentence, tags := found[1], found[2], found[3]; !strings.Contains(tags, "role:") &&
				!strings.Contains(tags, "untestable:") &&
				!strings.Contains(sentence, " MAY ") {
				ids[id] = false
			}
		}
	}
	return ids
}

func TestAThirdIsStateful(t *testing.T) {
	stateful, all := 0, Catalogue()
	for _, m := range all {
		if m.Stateful {
			stateful++
		}
	}
	if 3*stateful < len(all) {
		t.Errorf("%d of %d mutants misbehave only in some state, want a third", stateful, len(all))
	}
}

func post(h http.Handler, path, body string) *httptest.ResponseRecorder {
	a := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "http://localhost"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer a")
	r.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(a, r)
	return a
}

const streamPath = "/v1/agents/planner/stream"

func ask(script, more string) string {
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
		ask(`[{"thinking":"hm hm"},{"text":" Plan the\r\n\r\ntrip 😀 é "},
			{"tool":{"name":"f","arguments":{"a":[1,null],"b":"é"},"result":{"x":1}}},
			{"tool":{"name":"g","arguments":{"c":null},"result":2}},{"tool":{"name":"h","arguments":{},"error":"no"}},
			{"thinking":"so"},
			{"echo":"messages"},{"echo":"context"},{"continue":{"kind":"k","payload":null}},
			{"continue":{"kind":"k","payload":{"a":"\r\n"}}}]`, ""),
		ask(`[{"text":" x "},{"tool":{"name":"f","arguments":{"a":"b"}}},{"thinking":"y"},{"text":"z"},{"echo":"history"}]`,
			`,"threadId":"$thread"`),
		`{"messages":[],` + result + `{"actionId":"$1","result":1}]}}`,
		`{"messages":[],"threadId":"$thread",` + result + `{"actionId":"$1","result":1},{"actionId":"$1","result":2}]}}`,
		`{"messages":[],"threadId":"$thread",` + result + `{"actionId":"$1","result":1},{"actionId":"unknown","result":1}]}}`,
		`{"messages":[],"threadId":"$thread",` + failing + `{"actionId":"$1","result":1}]}}`,
		`{"messages":[],"threadId":"$thread",` + result + `{"actionId":"$1","error":"no"},{"actionId":"$2","result":1}]}}`,
		`{"messages":[],"threadId":"$thread",` + result + `{"actionId":"$1","result":1}]}}`,
		`{"messages":[],"threadId":"$thread",` + result + `{"actionId":"unknown","result":1}]}}`,
		`{"messages":[],` + result + `{"result":1}]}}`,
		ask(`[{"echo":"history"}]`, ""), ask(`[{"text":"a"},{"fail":"agent_error"}]`, ""),
		ask(`[{"text":"a"},{"fail":"tool_error"}]`, ""),
		ask(`[{"text":"a"},{"text":"b"},{"fail":"internal_error"}]`, ""), ask(`[]`, ""),
		ask(`[{"text":"a"},{"fail":"agent_error"}]`, `,"threadId":"$thread"`), ask(`[{"echo":"history"}]`, `,"threadId":"$thread"`),
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

// TestMutantsServe has a conversation with every mutant: it answers, and it doesn't panic. Whether what comes out is
// wrong in the right way is for the scenarios to say.
func TestMutantsServe(t *testing.T) {
	for _, m := range Catalogue() {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			s := m.Handler(aep.Options{Principals: map[string]string{"a": "ann"}, MaxMessage: 1000,
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

// TestMutantsDiffer: each mutant answers the conversation otherwise than the reference, in bytes, unless it needs what
// a conversation in turn doesn't have.
func TestMutantsDiffer(t *testing.T) {
	want := replay(Mutant{})
	silent := []string{ // they show only with two at once, over a socket, in time, or for another user
		"anybody-cancels", "anybody-resolves", "cancelled-is-an-error", "cancelled-is-done", "cancelled-speaks-on",
		"cancelled-without-a-word", "cancels-all-of-a-user", "done-after-aborted", "leaving-locks-the-thread",
		"mixes-streams", "no-heartbeat", "one-event-late", "all-at-once", "one-heartbeat", "one-leaves-all-end",
		"refuses-cursors", "takes-cursors", "threads-belong-to-nobody", "foreign-thread-is-a-bad-request",
		"timeout-closes-silently", "timeout-is-agents", "timeout-in-another-unit", "open-door", "anybody-scripts", "a-thread-stays-trusted",
		"any-token-will-do", "known-address-needs-no-token", "forbidden-in-place-of-unauthorized", "no-rate-limit",
		"rate-limit-is-unavailable", "leaves-body-open", "waits-for-the-result", "failure-breaks-the-connection",
		"clock-jumps-back", "closes-connections", "json-content-type",
		"cacheable-stream", "needs-context", "needs-thread-id", "remembers-last-message",
	}
	for _, m := range Catalogue() {
		if m.Whole || slices.Contains(silent, m.Name) {
			continue
		}
		if got := replay(m); got == want {
			t.Errorf("%s answers as the reference does", m.Name)
		}
	}
}

// replay has the conversation without a socket, with ids and times that are the same each time.
func replay(m Mutant) string {
	s := m.Handler(aep.Options{NewID: counting(), Clock: still{}, MaxMessage: 1000})
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

// still is a clock that stands.
type still struct{}

func (still) Now() time.Time { return time.Unix(1_000_000_000, 0) }

func (still) AfterFunc(time.Duration, func()) aep.Timer { return time.NewTimer(time.Hour) }

// TestCancellations has two requests at once on each mutant of cancellations and disconnections.
func TestCancellations(t *testing.T) {
	for _, m := range append(cancel(), flow()...) {
		t.Run(m.Name, func(t *testing.T) {
			s := m.Handler(aep.Options{Timeout: 2 * time.Second})
			server := httptest.NewServer(s)
			defer server.Close()
			defer s.Close()
			ctx, leave := context.WithTimeout(t.Context(), time.Second)
			defer leave()
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+streamPath,
				strings.NewReader(ask(`[{"text":"a"},{"await":"x"},{"text":"b"}]`, "")))
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

func TestSeams(t *testing.T) {
	for name, want := range map[string]string{
		"one-thread-for-all": "threads newid", "anybody-resolves": "threads actions",
		"cancelled-speaks-on": "agent cancelled journal",
		"no-heartbeat":        "heartbeat", "open-door": "authenticate", "no-rate-limit": "admit", "leading-bom": "encoder",
		"plain-text-errors":     "handler",
		"serves-large-messages": "maxmessage maxbody", "skips-unknown-blocks": "decode", "one-leaves-all-end": "disconnected",
	} {
		for _, m := range Catalogue() {
			if got := strings.Join(m.Seams(), " "); m.Name == name && got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
	}
	if seams := (Mutant{}).Seams(); len(seams) > 0 {
		t.Errorf("got %v", seams)
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
