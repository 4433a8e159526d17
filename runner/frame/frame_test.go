package frame_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/frame"
)

func TestDecode(t *testing.T) {
	type content = frame.Content
	is := func(n int64) frame.Number { return frame.Number{N: n, OK: true} }
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	for data, want := range map[string]content{
		`{}`: {},
		` {"type":"chunk" , "chunk":{"a":1}, "sequence":2} `:                        {Type: "chunk", Chunk: raw(`{"a":1}`), Sequence: is(2)},
		`{"\u0074ype":"\u0063h\u00fcnk"}`:                                           {Type: "chünk"},
		`{"Type":"end","TYPE":"end"}`:                                               {},
		`{"type":"a","type":"b"}`:                                                   {Type: "b"},
		`{"type":7,"status":["a"],"sequence":"1"}`:                                  {},
		`{"sequence":2.0}`:                                                          {Sequence: is(2)},
		`{"sequence":1.5}`:                                                          {},
		`{"atSequence":1e3,"truncatedAtStep":-0}`:                                   {AtSequence: is(1000), TruncatedAtStep: is(0)},
		`{"type":"fail","error":"e","code":null}`:                                   {Type: "fail", Error: raw(`"e"`), Code: raw("null")},
		`{"type":"status","status":"paused"}`:                                       {Type: "status", Status: "paused"},
		`{"type":"end","finalOutput":{"a":[1]}}`:                                    {Type: "end", FinalOutput: raw(`{"a":[1]}`)},
		`{"type":"text_delta","agentId":"a"}`:                                       {Type: "text_delta", AgentID: raw(`"a"`)},
		`{"chunk":` + strings.Repeat("[", 9_999) + strings.Repeat("]", 9_999) + `}`: {Chunk: raw(strings.Repeat("[", 9_999) + strings.Repeat("]", 9_999))},
	} {
		got, err := frame.Decode([]byte(data))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%.80s: %v (-want +got)\n%.400s", data, err, diff)
		}
	}
	for _, data := range []string{
		``, `null`, `[]`, `7`, `"end"`, `[DONE]`, `{"type":"end"`, `{"type":"end",}`, `{"type":"end"} {}`, `{"type":"end"} x`,
		`{"chunk":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`,
	} {
		if got, err := frame.Decode([]byte(data)); err == nil || got.Type != "" {
			t.Errorf("%.80s: got %+v, no error", data, got)
		}
	}
}

func TestDecodeChunk(t *testing.T) {
	c, err := frame.DecodeChunk([]byte(` {"type":"tool_start","agentId":"a","runId":1,"step":3,"timestamp":1e3,"toolCallId":"\ud83d\ude00"}`))
	if err != nil || c.Type != "tool_start" || c.AgentID != "a" || c.RunID != "" || c.Step.N != 3 || c.Timestamp.N != 1000 || c.Raw[0] != '{' {
		t.Errorf("got %+v, %v", c, err)
	}
	if id, there := c.Member("toolCallId"); id != "😀" || !there || c.Text("toolCallId") != "😀" {
		t.Errorf("got %v", id)
	}
	if step, _ := c.Member("step"); step != json.Number("3") || c.Number("step").N != 3 || c.Number("agentId").OK {
		t.Errorf("got %v", step)
	}
	if _, there := c.Member("step2"); there {
		t.Error("a member that a chunk doesn't have is there")
	}
	if _, err := frame.DecodeChunk([]byte(`["a"]`)); err == nil {
		t.Error("an array is a chunk")
	}
}
