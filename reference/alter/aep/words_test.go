package aep_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// answer sends a request to an altered server, and returns the status and the names and stages of the events.
func answer(alteration on.Apply, around alter.Around, body string) (status int, events string) {
	o := aep.Options{}.WithDefaults()
	if alteration != nil {
		o = alteration(o)
	}
	server := alter.NewServer(aep.New(o), around)
	defer server.Close()
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/v1/agents/conformance/stream", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	server.ServeHTTP(w, r)
	for _, data := range regexp.MustCompile("(?m)^data: (.*)$").FindAllStringSubmatch(w.Body.String(), -1) {
		members := alter.Members([]byte(data[1]))
		events += strings.TrimSpace(members.Text("event")+" "+members.Text("stage")) + ", "
	}
	return w.Code, strings.TrimSuffix(events, ", ")
}

const hello = `{"messages":[{"role":"user","content":[{"type":"text","text":"Hello."}]}]}`

// The last event of a response is lost, and the first delta of a text.
func ExampleEvents() {
	_, events := answer(alter.All(
		on.Events(on.Terminal()).Drop(),
		on.Events(on.Kind(aep.Text, aep.Delta).Nth(1)).Drop(),
	), nil, hello)
	fmt.Println(events[:len("metadata, text start")], strings.Contains(events, "done"))
	// Output: metadata, text start false
}

func TestFlows(t *testing.T) {
	_, whole := answer(nil, nil, hello)
	for _, c := range []struct {
		name   string
		apply  on.Apply
		wrap   alter.Around
		status int
		want   string
	}{
		{"frames", on.Frames(on.Spoken(), on.Terminal()).Set("event", `"over"`), nil, 200, strings.ReplaceAll(whole, "done", "over")},
		{"deltas", on.Deltas(on.Does(agent.Text)).Drop(), nil, 200, "metadata, done"},
		{"finish reason", on.FinishReason("stop"), nil, 200, whole},
		{"fail", on.Events(on.Kind(aep.Done)).Edit(on.Fail("agent_error", "no")), nil, 200, strings.ReplaceAll(whole, "done", "error")},
		{"bodies", on.Bodies(func(body alter.Object) { body.Remove("messages") }), nil, 400, ""},
		{"refusing", on.Refusing(on.Malformed("no"), func(body alter.Object) bool { return body.Has("messages") }), nil, 400, ""},
		{"refusals", on.Bodies(func(body alter.Object) { body.Remove("messages") }),
			on.RefusalsWhen(on.Status(400), on.Coded("invalid_message_format")).As(http.StatusTeapot, ""), 418, ""},
		{"refusals of another status", on.Bodies(func(body alter.Object) { body.Remove("messages") }),
			on.RefusalsWhen(on.ServerError).As(http.StatusTeapot, ""), 400, ""},
		{"other requests", nil, on.Requests(func(_ http.Handler, w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusGone)
		}, func(r *http.Request) bool { return r.Method == "GET" }), 200, whole},
	} {
		if status, events := answer(c.apply, c.wrap, hello); status != c.status || events != c.want {
			t.Errorf("%s: got %d %q, want %d %q", c.name, status, events, c.status, c.want)
		}
	}
}

func TestIDs(t *testing.T) {
	o := on.IDsFor(aep.ThreadID).Modulo(2)(aep.Options{}.WithDefaults())
	a, b, c := o.NewID(aep.ThreadID), o.NewID(aep.ThreadID), o.NewID(aep.ThreadID)
	if a == b || a != c || o.NewID(aep.RequestID) == o.NewID(aep.RequestID) {
		t.Errorf("got %s, %s, %s", a, b, c)
	}
	same := on.IDsFor(aep.ThreadID).Same()(aep.Options{}.WithDefaults())
	if same.NewID(aep.ThreadID) != same.NewID(aep.ThreadID) {
		t.Error("two ids where one was to be")
	}
}

func TestActionsAndThreads(t *testing.T) {
	var known *on.Actions
	o := on.OnActions(func(_ aep.Actions, a *on.Actions) { known = a })(aep.Options{}.WithDefaults())
	o = on.ResolveErrors(func(error) error { return errors.New("refused") })(o)
	for _, id := range []string{"a", "b"} {
		o.Actions.Open(aep.Open{ID: id, Owner: "user", Thread: "t"})
	}
	if got := known.OpenedOn("t"); len(got) != 2 || known.OpenedOn("u") != nil {
		t.Errorf("got %v", got)
	}
	known.ResolveAll("t")
	if err := o.Actions.Resolve("user", "t", []string{"a"}); err == nil || err.Error() != "refused" {
		t.Errorf("got %v", err)
	}
	o = on.Losing(func(_ string, before, _ []agent.Message) []int {
		if len(before) == 1 {
			return []int{0}
		}
		return nil
	})(aep.Options{}.WithDefaults())
	if err := o.Threads.Begin("user", "t"); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{0, 0, 1} {
		if got := o.Threads.Say("t", []agent.Message{{Who: agent.ByUser, Text: "x"}}); len(got) != want {
			t.Errorf("%d: got %d messages, want %d", i, len(got), want)
		}
	}
}
