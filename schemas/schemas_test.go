package schemas

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func load(t testing.TB) *Set {
	t.Helper()
	s, err := Load(FS, "helix")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestExamples(t *testing.T) {
	kit, err := Kit(FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Set{load(t), kit} {
		for _, problem := range s.Problems() {
			t.Errorf("%s#%s: %s", problem.File, problem.Pointer, problem.Message)
		}
	}
}

func TestNames(t *testing.T) {
	s := load(t)
	want := []string{
		"checkpoint_created", "custom", "error", "executor_superseded", "output", "run_interrupted", "run_paused",
		"run_resumed", "state_patch", "step_committed", "step_discarded", "stream_resync", "subagent_end",
		"subagent_start", "text_delta", "thinking", "tool_approval_request", "tool_end", "tool_start",
	}
	if diff := cmp.Diff(want, s.Types()); diff != "" {
		t.Errorf("chunk types (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"chunk", "end", "fail", "status", "truncated"}, s.FrameTypes()); diff != "" {
		t.Errorf("frame types (-want +got):\n%s", diff)
	}
}

const common = `"agentId":"a","agentType":"b","timestamp":1733310000000`

func TestMessages(t *testing.T) {
	s := load(t)
	for _, test := range []struct{ name, data, requirement, instance, message string }{
		{"missing", `{"type":"text_delta",` + common + `}`, "helix.chunks.members", "", "member `delta` is missing"},
		{"step", `{"type":"text_delta","delta":"","step":-1,` + common + `}`, "helix.chunks.step", "/step", "`step` must be an integer ≥ 0, got -1"},
		{"huge step", `{"type":"text_delta","delta":"","step":9007199254740992,` + common + `}`, "helix.chunks.integers", "/step", "`step` must be a number ≤ 9007199254740991, got 9007199254740992"},
		{"empty", `{"type":"text_delta","delta":"","agentId":"","agentType":"b","timestamp":1}`, "helix.chunks.agent-id", "/agentId", "`agentId` must be a non-empty string, got \"\""},
		{"type", `{"type":"text_delta","delta":["<"],` + common + `}`, "helix.chunks.members", "/delta", "`delta` must be a string, got an array"},
		{"enum", `{"type":"stream_resync","checkpointId":"c","stepCount":1,"messageCount":1,"fromSequence":1,"reason":"<x>",` + common + `}`, "helix.chunks.members", "/reason", "`reason` must be \"crash_recovery\" or \"rollback\" or \"branch\", got \"<x>\""},
		{"nested", `{"type":"state_patch","patches":[{"op":"remove"}],` + common + `}`, "helix.state.operands", "/patches/0", "member `patches/0/path` is missing"},
		{"no object", `"text"`, "helix.chunks.object", "", "the document must be an object, got \"text\""},
		{"no type", `{` + common + `}`, "helix.chunks.object", "", "member `type` is missing"},
		{"type of another type", `{"type":7,` + common + `}`, "helix.chunks.object", "/type", "`type` must be a non-empty string, got 7"},
		{"nothing", ` `, "helix.chunks.object", "", "there is no JSON value"},
		{"cut", `{"type":`, "helix.chunks.object", "/type", "`type`: the JSON ends at byte 8 where a value is expected"},
		{"garbage", `{"type":"x","agentId":"a"} {}`, "helix.chunks.object", "", "2 bytes follow the JSON value, from byte 27"},
		{"twice", `{"type":"x","agentId":"a","d":{"k/1":1,"k/1":2}}`, "helix.chunks.object", "/d/k~11", "`d/k/1`: the key is there twice"},
		{"bad UTF-8", "{\"type\":\"x\",\"agentId\":\"a\xff\"}", "helix.wire.utf8", "/agentId", "`agentId`: a string is not valid UTF-8, from byte 24"},
		{"absurd", `{"type":"x","agentId":"a","n":-1e100000000}`, "helix.chunks.integers", "/n", "`n`: the number is beyond what a reader can hold"},
		{"absurd timestamp", `{"type":"x","agentId":"a","timestamp":1e100000000}`, "helix.chunks.integers", "/timestamp", "`timestamp`: the number is beyond what a reader can hold"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := s.Chunk(Strict, []byte(test.data))
			if len(r.Findings) != 1 {
				t.Fatalf("%d findings, want 1: %+v", len(r.Findings), r.Findings)
			}
			f := r.Findings[0]
			if diff := cmp.Diff([]string{test.requirement, test.instance, test.message}, []string{f.Requirement, f.Instance, f.Message}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFrame(t *testing.T) {
	s := load(t)
	chunk := `{"type":"text_delta","delta":"x",` + common + `}`
	for _, test := range []struct {
		name, data string
		want       Result
	}{
		{"chunk", `{"type":"chunk","chunk":` + chunk + `,"sequence":1}`, Result{Type: "chunk", Known: true, ChunkType: "text_delta", ChunkKnown: true}},
		{"unknown chunk", `{"type":"chunk","chunk":{"type":"new","agentId":"a"},"sequence":1}`, Result{Type: "chunk", Known: true, ChunkType: "new"}},
		{"unknown frame", `{"type":"caught-up"}`, Result{Type: "caught-up"}},
		{"chunk finding", `{"type":"chunk","chunk":{"type":"text_delta",` + common + `},"sequence":1}`, Result{
			Type: "chunk", Known: true, ChunkType: "text_delta", ChunkKnown: true,
			Findings: []Finding{{"helix.chunks.members", "member `chunk/delta` is missing", "/chunk", "helix/chunks/text_delta.json#/required"}},
		}},
		{"no type", `{}`, Result{Findings: []Finding{{"helix.wire.frame-type", "member `type` is missing", "", "helix/common.json#/$defs/frame/required"}}}},
		{"exclusive", `{"type":"end","chunk":1}`, Result{Type: "end", Known: true, Findings: []Finding{
			{"helix.wire.exclusive", "member `chunk` is not allowed in this place", "/chunk", "helix/frames/end.json#/properties/chunk/not"},
		}}},
		{"duplicate in frame", `{"type":"end","type":"end"}`, Result{Type: "end", Known: true, Findings: []Finding{
			{"helix.wire.json", "`type`: the key is there twice", "/type", ""},
		}}},
		{"duplicate in chunk", `{"type":"chunk","sequence":1,"chunk":{"type":"x","agentId":"a","agentId":"b"}}`, Result{Type: "chunk", Known: true, ChunkType: "x", Findings: []Finding{
			{"helix.chunks.object", "`chunk/agentId`: the key is there twice", "/chunk/agentId", ""},
		}}},
		{"cut in the chunk", `{"type":"chunk","chunk":{"type":`, Result{Findings: []Finding{
			{"helix.wire.json", "`chunk/type`: the JSON ends at byte 32 where a value is expected", "/chunk/type", ""},
		}}},
		{"duplicate that is wrong too", `{"type":"chunk","sequence":1,"chunk":{"type":"x","agentId":"a","agentId":""}}`, Result{Type: "chunk", Known: true, ChunkType: "x", Findings: []Finding{
			{"helix.chunks.object", "`chunk/agentId`: the key is there twice", "/chunk/agentId", ""},
			{"helix.chunks.agent-id", "`chunk/agentId` must be a non-empty string, got \"\"", "/chunk/agentId", "helix/common.json#/$defs/agentId/properties/agentId/minLength"},
		}}},
		{"absurd number once", `{"type":"chunk","sequence":1,"chunk":{"type":"x","agentId":"a","step":1e999999999}}`, Result{Type: "chunk", Known: true, ChunkType: "x", Findings: []Finding{
			{"helix.chunks.integers", "`chunk/step` must be a number ≤ 9007199254740991, got 1e400", "/chunk/step", "helix/common.json#/$defs/safe/maximum"},
		}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := s.Frame(Strict, []byte(test.data))
			got.Value = nil
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEnvelope(t *testing.T) {
	s := load(t)
	r := s.Envelope(Strict, []byte(`{"type":"chunk","chunk":{"type":"text_delta"},"sequence":1}`))
	if !r.OK() || r.ChunkType != "text_delta" || !r.ChunkKnown {
		t.Errorf("the envelope alone gives %+v", r)
	}
	if r := s.Envelope(Strict, []byte(`{"type":"chunk","chunk":{"type":"text_delta"}}`)); r.OK() {
		t.Error("an envelope without sequence is accepted")
	}
}

// TestLibraryPanics passes values to the validator that the decoder would reject.
func TestLibraryPanics(t *testing.T) {
	s := load(t)
	for _, number := range []json.Number{"1e100000000", "no number"} {
		got := s.entries["stream-info"].validate(Strict, map[string]any{
			"status": "active", "chunkCount": json.Number("1"), "latestSequence": number,
		}, "/x")
		if len(got) != 1 || got[0].Requirement != "helix.status.info-members" || !strings.Contains(got[0].Message, "can't be checked") {
			t.Errorf("%s: %+v", number, got)
		}
	}
}

func TestUnknownDocument(t *testing.T) {
	r := load(t).Document("nothing", Strict, []byte(`{}`))
	if r.OK() || r.Known {
		t.Errorf("got %+v, want a finding", r)
	}
}
