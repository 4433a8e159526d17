package world

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/steps"
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
		got, err := Numbers(list)
		var suite *steps.Fault
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

func event(data string) *wire.Frame {
	return &wire.Frame{Data: []byte(data), DataLines: 1, Terminated: true, ID: "7", HasID: true, Index: 2}
}

// TestNestedChunksAreNotStored: a chunk whose decoding takes a hundred times its size is decoded at each call, and equals
// no event of a scenario.
func TestNestedChunksAreNotStored(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)
	m := &Message{Content: frame.Content{Type: "chunk", Chunk: []byte(deep)}}
	if m.Member("a") == nil || m.decoded != nil {
		t.Error("a deep chunk can't be read, or is kept decoded")
	}
	if m.Is(NewEvent("event 1", []byte(`{"a":1}`))) {
		t.Error("a deep chunk is taken for another")
	}
}

func TestUnderstand(t *testing.T) {
	for data, want := range map[string]string{
		`{"type":"chunk","chunk":{"type":"text_delta"}}`: "chunk",
		`{"type":"end"}`:    "end",
		`{"type":"future"}`: "future",
		`{}`:                "",
		`{"type":7}`:        "",
	} {
		m := ReadFrame(event(data))
		if m == nil || m.Type != want || m.ID != "7" || m.Frame.Index != 2 {
			t.Errorf("%s: got %+v", data, m)
		}
	}
	for _, data := range []string{``, `[DONE]`, `7`, `"end"`, `{"type":"end"`, `{"type":"end"} {}`} {
		if m := ReadFrame(event(data)); m != nil {
			t.Errorf("%s: got %+v", data, m)
		}
	}
	for _, f := range []*wire.Frame{
		{Terminated: true, Comments: []string{"beat"}},
		{Data: []byte(`{"type":"end"}`), DataLines: 1},
	} {
		if m := ReadFrame(f); m != nil {
			t.Errorf("%+v: got %+v", f, m)
		}
	}
}

func TestMessageIs(t *testing.T) {
	w := timed(t)
	e := NewEvent("event 1", w.TextDelta("event 1", 1, nil))
	spelt := strings.Replace(string(e.Body), `"agent-1"`, `"\u0061gent-1"`, 1)
	for _, c := range []struct {
		name string
		m    *Message
		want bool
	}{
		{"no message", nil, false},
		{"the same bytes", &Message{Content: frame.Content{Type: "chunk", Chunk: e.Body}}, true},
		{"another spelling", &Message{Content: frame.Content{Type: "chunk", Chunk: json.RawMessage(spelt)}}, true},
		{"another event", &Message{Content: frame.Content{Type: "chunk", Chunk: w.TextDelta("event 2", 2, nil)}}, false},
		{"a frame of another type", &Message{Content: frame.Content{Type: "end", Chunk: e.Body}}, false},
		{"no chunk", &Message{Content: frame.Content{Type: "chunk"}}, false},
		{"a member that no schema knows", &Message{Content: frame.Content{Type: "chunk", Chunk: w.TextDelta("event 1", 1, map[string]any{"storedAt": 1})}}, true},
		{"one member more", &Message{Content: frame.Content{Type: "chunk", Chunk: w.TextDelta("event 1", 1, map[string]any{"step": 1})}}, false},
	} {
		if got := c.m.Is(e); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

// TestKnown compares the members that steps know with the properties of the schemas.
func TestKnown(t *testing.T) {
	var want []string
	collect := func(name string) {
		text, err := schemas.FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		type object struct{ Properties map[string]any }
		var s struct {
			object
			Defs map[string]object `json:"$defs"`
		}
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		want = slices.AppendSeq(want, maps.Keys(s.Properties))
		for _, def := range []string{"chunk", "agentId", "agentType", "timestamp"} {
			want = slices.AppendSeq(want, maps.Keys(s.Defs[def].Properties))
		}
	}
	files, err := fs.Glob(schemas.FS, "helix/chunks/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, "helix/common.json") {
		collect(name)
	}
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), known()); diff != "" {
		t.Errorf("(-schemas +steps):\n%s", diff)
	}
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	v, err := steps.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestChunk(t *testing.T) {
	got := decoded(t, timed(t).Chunk(map[string]any{"type": "x", "agentId": Absent, "timestamp": 1, "html": "<&>"}))
	want := map[string]any{"type": "x", "agentType": "assistant", "timestamp": json.Number("1"), "html": "<&>"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestClientName(t *testing.T) {
	for who, want := range map[string]string{
		`client "A"`: "A", "the client": "client", "the stalled client": "stalled client", `client ""`: "",
	} {
		if got := ClientName(who); got != want {
			t.Errorf("%s: got %q", who, got)
		}
	}
}

// timed returns a world whose chunks have timestamps.
func timed(t *testing.T) *World {
	t.Helper()
	tg, err := target.New(target.Config{URL: "http://localhost"}, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := tg.Session(t.Context())
	t.Cleanup(s.Close)
	return Of(steps.NewWorld(steps.Env{}, s, ""))
}
