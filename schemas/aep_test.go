package schemas

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func loadAEP(t testing.TB) *Set {
	t.Helper()
	s, err := Load(FS, "aep")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestExamplesOfAEP(t *testing.T) {
	for _, problem := range loadAEP(t).Problems() {
		t.Errorf("%s#%s: %s", problem.File, problem.Pointer, problem.Message)
	}
}

// TestTypesOfPacks names the kinds of event that aep has; it has no chunks.
func TestTypesOfPacks(t *testing.T) {
	s := loadAEP(t)
	want := []string{"aborted", "continuation", "done", "error", "metadata", "text", "thinking", "tool_call", "tool_result"}
	if diff := cmp.Diff(want, s.FrameTypes()); diff != "" {
		t.Errorf("kinds of event (-want +got):\n%s", diff)
	}
	if types := s.Types(); len(types) > 0 {
		t.Errorf("chunk types %q, want none", types)
	}
}

const aepCommon = `"requestId":"r","timestamp":"2026-11-21T09:30:00Z"`

func TestEvent(t *testing.T) {
	s := loadAEP(t)
	for _, test := range []struct {
		name, data string
		known      bool
		want       []string // requirement: message
	}{
		{"text", `{"event":"text","stage":"delta","blockId":"b","deltaIndex":0,"delta":"","messageId":"m",` + aepCommon + `}`, true, nil},
		{"unknown kind", `{"event":"citation","url":7,` + aepCommon + `}`, false, nil},
		{"unknown kind without request", `{"event":"citation","timestamp":"2026-11-21T09:30:00Z"}`, false,
			[]string{"aep.events.request-id: member `requestId` is missing"}},
		{"no event", `{` + aepCommon + `}`, false, []string{"aep.events.object: member `event` is missing"}},
		{"no object", `[]`, false, []string{"aep.events.object: the document must be an object, got an array"}},
		{"no JSON", `[DONE]`, false, []string{"aep.wire.json: `0`: 'D' at byte 1 of the JSON, where a value is expected"}},
		{"a nameless member", `{"event":"aborted","":{"event":"x"},` + aepCommon + `}`, true, nil},
		{"a nameless member alone", `{"":{"event":"x"},` + aepCommon + `}`, false, []string{"aep.events.object: member `event` is missing"}},
		{"twice in a nameless member", `{"event":"aborted","":{"a":1,"a":1},` + aepCommon + `}`, true, []string{"aep.wire.json: `/a`: the key is there twice"}},
		{"twice", `{"event":"aborted","event":"aborted",` + aepCommon + `}`, true, []string{"aep.wire.json: `event`: the key is there twice"}},
		{"twice within", `{"event":"aborted","x":{"a":1,"a":1},` + aepCommon + `}`, true, []string{"aep.wire.json: `x/a`: the key is there twice"}},
		{"absurd", `{"event":"aborted","n":1e999999,` + aepCommon + `}`, true, []string{"aep.events.integers: `n`: the number is beyond what a reader can hold"}},
		{"bad UTF-8", "{\"event\":\"aborted\",\"x\":\"\xff\"," + aepCommon + `}`, true, []string{"aep.wire.utf8: `x`: a string is not valid UTF-8, from byte 24"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := s.Frame(Strict, []byte(test.data))
			var got []string
			for _, f := range r.Findings {
				got = append(got, f.Requirement+": "+f.Message)
			}
			if diff := cmp.Diff(test.want, got); diff != "" || r.Known != test.known || r.ChunkType != "" {
				t.Errorf("known %t, chunk type %q, findings (-want +got):\n%s", r.Known, r.ChunkType, diff)
			}
			if e := s.Envelope(Strict, []byte(test.data)); !cmp.Equal(e.Findings, r.Findings) {
				t.Errorf("the envelope alone gives %+v", e.Findings)
			}
		})
	}
}

// TestChunkWithoutChunks checks a chunk in a pack without chunks.
func TestChunkWithoutChunks(t *testing.T) {
	if r := loadAEP(t).Chunk(Strict, []byte(`{"event":"text"}`)); r.Known || !r.OK() {
		t.Errorf("got %+v, want nothing known and nothing found", r)
	}
}

// TestTimestamps checks which timestamps the strict profile accepts as ISO 8601.
func TestTimestamps(t *testing.T) {
	const form, offset = "aep.events.timestamp", "aep.events.timestamp-offset"
	s := loadAEP(t)
	for value, want := range map[string]string{
		"2026-11-21T09:30:00Z": "", "2026-11-21T09:30:00.123456789+01:00": "", "2026-12-31T23:59:60Z": "", "2026-11-21t09:30:00z": "",
		"2026-11-21T09:30:00": offset, "20261121T093000Z": offset, "2026-11-21T09:30Z": offset, "2026-11-21T09:30:00,5Z": offset,
		"2026-11-21T09:30:00+0100": offset, "2026-11-21T09Z": offset,
		"2026-11-21": form, "2026-00-21T09:30:00Z": form, "2026-11-32T09:30:00Z": form, "2026-11-21T24:30:00Z": form,
		"2026-11-21 09:30:00Z": form, "1795253400000": form, "": form, "Sat, 21 Nov 2026 09:30:00 GMT": form,
	} {
		var got []string
		for _, f := range s.Frame(Strict, []byte(`{"event":"aborted","requestId":"r","timestamp":"`+value+`"}`)).Findings {
			got = append(got, f.Requirement)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}

// TestEveryRequirementOfEventsIsShown sees to it that each requirement that the schemas name is broken by an example.
func TestEveryRequirementOfEventsIsShown(t *testing.T) {
	s := loadAEP(t)
	shown := []string{"aep.wire.json", "aep.wire.utf8"} // wrong JSON, see TestEvent
	for _, name := range s.Names() {
		for _, x := range s.Invalid(name) {
			shown = append(shown, x.Requirement)
		}
	}
	for _, id := range s.Requirements() {
		if !slices.Contains(shown, id) {
			t.Errorf("no invalid example breaks %s", id)
		}
	}
}

// TestSourcesOfAEP checks the events of the source by both profiles; members and order are the source's, the
// values are new. Members that a diagram leaves out are left out.
func TestSourcesOfAEP(t *testing.T) {
	s := loadAEP(t)
	for _, test := range []struct{ data, strict, lenient string }{
		{`{"event":"metadata","requestId":"req-7","threadId":"th-2","agentId":"planner","timestamp":"2026-11-21T09:30:00Z"}`, "", ""},
		{`{"event":"text","requestId":"req-7","messageId":"msg-4","blockId":"b0","stage":"start","blockIndex":0,"timestamp":"2026-11-21T09:30:00Z"}`, "", ""},
		{`{"event":"text","requestId":"req-7","messageId":"msg-4","blockId":"b0","stage":"delta","delta":"Plan","deltaIndex":0,"timestamp":"2026-11-21T09:30:00Z"}`, "", ""},
		{`{"event":"done","requestId":"req-7","messageId":"msg-4","threadId":"th-2","content":[{"type":"text","text":"Plan"}],"finishReason":"stop","timestamp":"2026-11-21T09:30:00Z"}`, "", ""},
		{`{"event":"metadata","threadId":"th-2","requestId":"req-7","agentId":"planner"}`, "aep.events.timestamp", ""},
		{`{"event":"text","blockId":"b0","stage":"stop"}`, "aep.events.message-id aep.events.request-id aep.events.timestamp aep.stages.final-data", "aep.events.request-id"},
		{`{"event":"continuation","requestId":"req-7","actionId":"a1","kind":"approval","payload":{},"timestamp":"2026-11-21T09:30:00Z"}`, "", ""},
		{`{"event":"done","requestId":"req-7","content":[],"usage":{},"finishReason":"action_required","timestamp":"2026-11-21T09:30:00Z"}`, "aep.done.thread aep.events.message-id", ""},
	} {
		for p, want := range []string{test.strict, test.lenient} {
			var got []string
			for _, f := range s.Frame(Profile(p), []byte(test.data)).Findings {
				got = append(got, f.Requirement)
			}
			slices.Sort(got)
			if strings.Join(got, " ") != want {
				t.Errorf("%s (%s): %q, want %q", test.data, Profile(p), got, want)
			}
		}
	}
}
