package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/wire"
)

func TestNumbers(t *testing.T) {
	for list, want := range map[string][]int{
		"event 3":                     {3},
		"events 1 to 4":               {1, 2, 3, 4},
		"events 1, 3, 5":              {1, 3, 5},
		"events 1, 3 to 5, 9":         {1, 3, 4, 5, 9},
		"events 9 to 11":              {9, 10, 11},
		"events 2 to 2":               {2},
		"events 4 to 1":               nil,
		"events 1 to":                 nil,
		"events":                      nil,
		"events 1,,2":                 nil,
		"events 99999999999999999999": nil,
	} {
		got, err := numbers(list)
		var suite *Fault
		if want == nil {
			if !errors.As(err, &suite) {
				t.Errorf("%q: got %v, %v", list, got, err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %v, %v", list, got, err)
		}
	}
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[null,true]}`, `{ "b": [null, true], "a": 1.0 }`, true},
		{`1e2`, `100`, true},
		{`0`, `-0`, true},
		{`9007199254740993`, `9007199254740993`, true},
		{`9007199254740993`, `9007199254740992`, true}, // the same double, which is all a number promises
		{`1e400`, `1e400`, true},
		{`1e400`, `2e400`, false},
		{`"é"`, `"\u00e9"`, true},
		{`"é"`, `"e\u0301"`, false},
		{`{"a":null}`, `{}`, false},
		{`{"a":null}`, `{"b":null}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[1]`, `[1,1]`, false},
		{`{}`, `[]`, false},
		{`[]`, `{}`, false},
		{`{}`, `null`, false},
		{`0`, `false`, false},
		{`1`, `"1"`, false},
		{`null`, `null`, true},
		{`""`, `null`, false},
	} {
		a, b := mustDecode(t, c.a), mustDecode(t, c.b)
		if same(a, b) != c.want || same(b, a) != c.want {
			t.Errorf("%s and %s: want %v", c.a, c.b, c.want)
		}
	}
}

func mustDecode(t *testing.T, text string) any {
	t.Helper()
	v, err := decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestClip(t *testing.T) {
	long := strings.Repeat("x", 239) + "é tail"
	for in, want := range map[string]string{
		"": "nothing", " \n": "nothing", " a b\n": "a b",
		strings.Repeat("x", 240): strings.Repeat("x", 240),
		long:                     strings.Repeat("x", 239) + "…",
	} {
		got := clip([]byte(in))
		if got != want || !utf8.ValidString(got) {
			t.Errorf("%q: got %q", in, got)
		}
	}
}

func TestClassify(t *testing.T) {
	failure, unprovable, suite := &Failure{Message: "m"}, &Unprovable{"r"}, &Fault{"f"}
	for _, c := range []struct {
		name string
		in   error
		want error
	}{
		{"nothing", nil, nil},
		{"a failure", failure, failure},
		{"an unprovable", unprovable, unprovable},
		{"a fault", suite, suite},
		{"a missing control route", fmt.Errorf("calling: %w", &target.UnavailableError{Call: "POST /x", Status: 404}),
			&Unprovable{"control call POST /x answered 404"}},
		{"a time-out", fmt.Errorf("waiting: %w", &target.TimeoutError{Awaited: "event 3", After: time.Second}),
			&Failure{Message: "waiting timed out", Want: "event 3", Got: "nothing within 1s", Frame: -1}},
		{"anything else", errors.New("connection reset"), &Failure{Message: "connection reset", Frame: -1}},
	} {
		if diff := cmp.Diff(c.want, classify(c.in)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.name, diff)
		}
	}
	wrapped := fmt.Errorf("in a step: %w", failure)
	if got := classify(wrapped); got != wrapped {
		t.Errorf("a wrapped failure becomes %v", got)
	}
}

func TestFailureSays(t *testing.T) {
	for want, f := range map[string]*Failure{
		"only a message":   {Message: "only a message"},
		"want a, got b":    {Want: "a", Got: "b"},
		"m: want a, got b": {Message: "m", Want: "a", Got: "b"},
		"m: want , got b":  {Message: "m", Got: "b"},
	} {
		if got := f.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := (&Unprovable{"r"}).Error() + "; " + (&Fault{"f"}).Error(); got != "unprovable: r; fault of the suite: f" {
		t.Errorf("got %q", got)
	}
}

// TestPanicIsAFault: a step that panics must not look like a server that failed, nor end the run.
func TestPanicIsAFault(t *testing.T) {
	w := &World{}
	err := run(With(context.Background(), w), func(*World) error { panic("oops") })
	var suite *Fault
	if !errors.As(err, &suite) || w.Err() != err {
		t.Errorf("got %v, settled %v", err, w.Err())
	}
	if err := run(With(context.Background(), w), func(*World) error { return errors.New("later") }); err == nil || w.Err() == err {
		t.Error("the first error of a world must stay")
	}
}

func frame(data string) *wire.Frame {
	return &wire.Frame{Data: []byte(data), DataLines: 1, Terminated: true, ID: "7", HasID: true, Index: 2}
}

func TestUnderstand(t *testing.T) {
	for data, want := range map[string]string{
		`{"type":"chunk","chunk":{"type":"text_delta"}}`: "chunk",
		`{"type":"end"}`:    "end",
		`{"type":"future"}`: "future",
		`{}`:                "",
	} {
		m := understand(frame(data))
		if m == nil || m.Type != want || m.id != "7" || m.frame.Index != 2 {
			t.Errorf("%s: got %+v", data, m)
		}
	}
	for _, data := range []string{``, `[DONE]`, `7`, `"end"`, `{"type":7}`, `{"type":"end"`, `{"type":"end"} {}`, `{"type":"truncated","atSequence":"x"}`} {
		if m := understand(frame(data)); m != nil {
			t.Errorf("%s: got %+v", data, m)
		}
	}
	for _, f := range []*wire.Frame{
		{Terminated: true, Comments: []string{"beat"}},
		{Data: []byte(`{"type":"end"}`), DataLines: 1},
	} {
		if m := understand(f); m != nil {
			t.Errorf("%+v: got %+v", f, m)
		}
	}
}

func TestMessageIs(t *testing.T) {
	e := newEvent("event 1", textDelta("event 1", 1, nil))
	spelt := strings.Replace(string(e.body), `"agent-1"`, `"\u0061gent-1"`, 1)
	for _, c := range []struct {
		name string
		m    *message
		want bool
	}{
		{"no message", nil, false},
		{"the same bytes", &message{Type: "chunk", Chunk: e.body}, true},
		{"another spelling", &message{Type: "chunk", Chunk: json.RawMessage(spelt)}, true},
		{"another event", &message{Type: "chunk", Chunk: textDelta("event 2", 2, nil)}, false},
		{"a frame of another type", &message{Type: "end", Chunk: e.body}, false},
		{"no chunk", &message{Type: "chunk"}, false},
		{"one member more", &message{Type: "chunk", Chunk: textDelta("event 1", 1, map[string]any{"step": 1})}, false},
	} {
		if got := c.m.is(e); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

func TestPlus(t *testing.T) {
	for _, c := range []struct {
		id   string
		n    int
		want string
	}{
		{"9", 1, "10"}, {"0", 5, "5"}, {"99", 1, "100"}, {"9007199254740992", 1, "9007199254740993"},
		{"", 1, ""}, {"ev-3", 1, "ev-3"}, {"1.5", 1, "1.5"}, {"99999999999999999999", 1, "99999999999999999999"},
	} {
		if got := plus(c.id, c.n); got != c.want {
			t.Errorf("%q plus %d: got %q, want %q", c.id, c.n, got, c.want)
		}
	}
}

func TestMemberOf(t *testing.T) {
	for _, c := range []struct {
		value string
		want  any
	}{
		{`{"a":"b"}`, "b"}, {`{"a":7}`, json.Number("7")}, {`{"a":null}`, nil}, {`{"A":"b"}`, nil}, {`{}`, nil},
		{`["a"]`, nil}, {`"a"`, nil}, {`null`, nil},
	} {
		if got := memberOf(mustDecode(t, c.value), "a"); got != c.want {
			t.Errorf("%s: got %v", c.value, got)
		}
	}
	if got := memberOf(nil, "a"); got != nil {
		t.Errorf("got %v", got)
	}
}

func TestChunk(t *testing.T) {
	got := mustDecode(t, string(chunk(map[string]any{"type": "x", "agentId": absent, "timestamp": 1, "html": "<&>"})))
	want := map[string]any{"type": "x", "agentType": "assistant", "timestamp": json.Number("1"), "html": "<&>"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestMembers(t *testing.T) {
	for _, text := range []string{``, `{`, `[]`, `7`} {
		var suite *Fault
		if m, err := members(text); !errors.As(err, &suite) {
			t.Errorf("%q: got %v, %v", text, m, err)
		}
	}
}

func TestClientName(t *testing.T) {
	for who, want := range map[string]string{
		`client "A"`: "A", "the client": "client", "the stalled client": "stalled client", `client ""`: "",
	} {
		if got := clientName(who); got != want {
			t.Errorf("%s: got %q", who, got)
		}
	}
}

func TestAttempt(t *testing.T) {
	if err := (&World{}).mustRefuse(); !errors.As(err, new(*Fault)) {
		t.Errorf("got %v", err)
	}
}
