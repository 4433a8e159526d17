package data

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
)

// others lists the agentIds of chunks that don't come from Agent.
var others = []string{"agent-10", "Agent-1", "agent-1/child", "agent", "0", "agent-of-a-name-that-has-more-than-sixty-four-characters-in-all-of-it"}

// mixChunks returns the nth chunk of a stream of mixed data, of any type; first is the number of the operation's first
// chunk. It may equal the chunk before it.
func mixChunks(s *streammodel.Stream, n, first int, o program.Operation) *streammodel.Chunk {
	r := campaign.NewDraw(int64(n), uint64(o.Size))
	roll := r.IntN(100)
	if roll < 6 && n > first {
		return mixChunks(s, n-1, first, o)
	}
	c, members := blank(s, n, o)
	members["timestamp"] = moment(r, n)
	if n > 0 && (roll < 12 || r.IntN(12) == 0) { // the first chunk is the root agent's
		members["agentId"] = campaign.Pick(r, others...)
	}
	if r.IntN(16) == 0 {
		members["agentType"] = campaign.Pick(r, "scout", "Assistant", "é", "assistant 2")
	}
	switch {
	case roll < 16:
		members["type"], members["delta"] = "text_delta", ""
	case roll < 20:
		members["type"], members["delta"] = "text_delta", campaign.Pick(r, "ha", "ha", "[DONE]") // the end marker of another protocol
	case roll < 75:
		words(c, members, o.Size)
	default:
		anyKind(r, c, members, n, o)
	}
	if c.Step != streammodel.Stepless && r.IntN(25) == 0 { // the same number
		members["step"] = json.RawMessage(strconv.Itoa(c.Step) + campaign.Pick(r, ".0", "e0"))
	}
	facts(c, members)
	return c
}

// moment returns the timestamp of a chunk, mostly later than the one before; but clocks stand still, go back and count
// fractions, and some libraries write large numbers with an exponent.
func moment(r *rand.Rand, n int) any {
	switch at := Epoch + int64(n); r.IntN(12) {
	case 0:
		return Epoch
	case 1:
		return at - 3_600_000
	case 2:
		return float64(at) + 0.5
	case 6:
		return json.RawMessage(strconv.FormatFloat(float64(at), 'e', -1, 64))
	case 3, 4, 5:
		return Epoch + int64(n/4*4)
	default:
		return at
	}
}

// wide returns a list of many items, an object of many members, or an object with long names; nested returns a deeply
// nested list.
func wide(r *rand.Rand) any {
	n := campaign.Near(r, 255, 999, 1023)
	list, members := make([]any, n), map[string]any{}
	switch r.IntN(3) {
	case 0:
		for i := range list {
			list[i] = float64(i)
		}
		return list
	case 1:
		for i := range n {
			members[strconv.Itoa(i)] = nil
		}
		return members
	}
	name := strings.Repeat("name ", n/5)
	return map[string]any{name + "a": 1.0, name + "b": map[string]any{name: nil}}
}

func nested() any {
	v := any("deep")
	for range 64 {
		v = []any{v}
	}
	return v
}

// anyValue draws a JSON value.
func anyValue(r *rand.Rand) any {
	switch r.IntN(40) {
	case 0:
		return wide(r)
	case 1:
		return nested()
	}
	return campaign.Pick(r, campaign.Values()...)
}

// anyText draws a text of any class that no server may refuse.
func anyText(r *rand.Rand) string {
	class, i := campaign.TextClass(r.IntN(campaign.Texts()))
	return campaign.Text(class, i, 1)
}

// anyName draws a text without control characters, such as line ends, which a server may refuse in a name.
func anyName(r *rand.Rand) string {
	if text := anyText(r); text != "" && !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	return "name"
}

// optional draws a text, or "", which isn't the same as no member.
func optional(r *rand.Rand, text func(*rand.Rand) string) string {
	if r.IntN(3) == 0 {
		return ""
	}
	return text(r)
}

// anyKind fills in a chunk of any known type, with or without optional members.
func anyKind(r *rand.Rand, c *streammodel.Chunk, members map[string]any, n int, o program.Operation) {
	call, child := "call-"+strconv.Itoa(n/8), "child-"+strconv.Itoa(n/16)
	maybe := func(name string, v any) {
		if r.IntN(2) == 0 {
			members[name] = v
		}
	}
	put := func(kind string, pairs ...any) {
		members["type"] = kind
		for i := 0; i < len(pairs); i += 2 {
			members[pairs[i].(string)] = pairs[i+1]
		}
	}
	most := 30
	if o.Size%8 == 7 {
		most = 32 // with chunks that void others
	}
	switch k := r.IntN(most); k {
	case 0, 1, 2, 3:
		put("text_delta", "delta", anyText(r))
	case 4, 5, 6:
		put("thinking", "content", campaign.Pick(r, anyText(r), "", "Hm."), "isComplete", r.IntN(2) == 0)
	case 7, 8, 9:
		put("custom", "eventName", anyName(r), "data", anyValue(r))
	case 10, 11, 12, 13:
		put("tool_start", "toolCallId", call, "toolName", anyName(r), "arguments", map[string]any{"value": anyValue(r), anyName(r): anyText(r)})
	case 14, 15, 16, 17:
		put("tool_end", "toolCallId", call)
		toolEnd(r, members)
	case 18:
		put("subagent_start", "subAgentType", "scout", "subSessionId", child, "callId", call)
		step(c, members)
	case 19, 20:
		put("subagent_end", "subAgentType", "scout", "subSessionId", child, "callId", call, "result", anyValue(r))
		step(c, members)
	case 21, 22, 23:
		members["agentId"] = Agent // a snapshot's state is that of this agent
		var operations []any
		operations, c.Sets = patch(r, n)
		put("state_patch", "patches", operations)
	case 24:
		put("error", "error", anyText(r), "recoverable", r.IntN(2) == 0)
		maybe("code", campaign.Pick(r, ErrorCodes...))
		step(c, members)
	case 25, 26:
		put("output", "output", anyValue(r))
	case 30:
		put("step_discarded", "stepId", "step-"+strconv.Itoa(n), "reason", anyText(r))
	case 31:
		put("stream_resync", "checkpointId", "cp", "stepCount", 0, "messageCount", 1, "fromSequence", 1, "reason", "rollback")
	default:
		ofRuns(r, put, maybe)
	}
	c.Voids = members["type"] == "step_discarded" || members["type"] == "stream_resync"
}

// ofRuns fills in a chunk about a run, which a writer may write like any other.
func ofRuns(r *rand.Rand, put func(string, ...any), maybe func(string, any)) {
	checkpoint := campaign.Pick(r, any(nil), "cp-1")
	switch r.IntN(6) {
	case 0:
		put("run_interrupted", "checkpointId", checkpoint)
		maybe("reason", optional(r, anyText))
	case 1:
		put("run_resumed", "fromCheckpointId", checkpoint, "fromStepCount", r.IntN(3), "mode", campaign.Pick(r, "continue", "later"))
	case 2:
		put("run_paused", "reason", anyText(r))
		maybe("pendingToolName", optional(r, anyName))
		maybe("pendingToolCallId", campaign.Pick(r, "call-1", ""))
	case 3:
		put("checkpoint_created", "checkpointId", "cp-1", "stepCount", r.IntN(3))
	case 4:
		put("executor_superseded")
		maybe("reason", optional(r, anyText))
	default:
		put("step_committed", "stepId", "step-1", "checkpointId", "cp-1")
	}
}

// toolEnd fills in how a call ended as runtimes do: a server may require that of every writer.
func toolEnd(r *rand.Rand, members map[string]any) {
	members["toolName"], members["success"] = "tool", r.IntN(3) > 0
	if members["success"] == true {
		members["result"] = anyValue(r)
	} else if members["error"] = anyText(r); r.IntN(4) == 0 {
		members["result"] = nil
	}
}

// step gives a chunk without a step step 0, for types that require one.
func step(c *streammodel.Chunk, members map[string]any) {
	if c.Step == streammodel.Stepless {
		c.Step = 0
		members["step"] = 0
	}
}

// facts sets the fields of c that a model needs to predict snapshots, and its body.
func facts(c *streammodel.Chunk, members map[string]any) {
	text := func(name string) string { t, _ := members[name].(string); return t }
	c.Agent = text("agentId")
	switch members["type"] {
	case "text_delta":
		c.Delta = text("delta")
	case "tool_start":
		c.Calls = text("toolCallId")
	case "tool_end":
		_, failed := members["error"]
		c.Ends, c.Failed = text("toolCallId"), failed || members["success"] == false
	}
	if c.Body = Encode(members); c.Agent == "" {
		panic(fmt.Sprintf("chunk %s has no agent", c.Marker)) // every chunk of this suite has one
	}
}

// InvalidChunks lists members of chunks that lack a required member of their type, or give one another JSON type.
var InvalidChunks = []map[string]any{
	{"type": "text_delta"}, {"type": "text_delta", "delta": 7}, {"type": "text_delta", "delta": nil}, {"type": "thinking", "content": "Hm."},
	{"type": "thinking", "content": "Hm.", "isComplete": 1}, {"type": "thinking", "content": []any{"Hm."}, "isComplete": true}, {"type": "tool_start", "toolCallId": "c", "toolName": "t"},
	{"type": "tool_end", "toolName": "t", "success": true, "result": 1}, {"type": "tool_end", "toolCallId": 7, "toolName": "t", "success": true, "result": 1},
	{"type": "custom", "data": 1}, {"type": "custom", "eventName": nil, "data": 1}, {"type": "state_patch"}, {"type": "state_patch", "patches": map[string]any{}},
	patchThen(map[string]any{"op": "add", "value": 1}), patchThen(map[string]any{"path": "/b", "value": 1}), patchThen("remove /a"), patchThen(map[string]any{"op": "remove", "path": 7}),
	{"type": "error", "step": 1, "recoverable": true}, {"type": "error", "step": 1, "error": "no"}, {"type": "error", "step": 1, "error": "no", "recoverable": "true"}, {"type": "output"},
	{"type": "checkpoint_created", "checkpointId": "k"}, {"type": "checkpoint_created", "checkpointId": 7, "stepCount": 1}, {"type": "step_committed", "stepId": "s"},
	{"type": "subagent_start", "step": 1, "subAgentType": "s", "callId": "c"},
	{"type": "run_resumed", "fromCheckpointId": nil, "fromStepCount": "1", "mode": "m"}, {"type": "stream_resync", "checkpointId": "k", "stepCount": 1, "messageCount": 1, "reason": "branch"},
}

// patchThen returns a state_patch whose second operation is invalid. A server may relay an operation with an op and a
// path, even if it lacks other members.
func patchThen(operation any) map[string]any {
	return map[string]any{"type": "state_patch", "patches": []any{map[string]any{"op": "add", "path": "/a", "value": 1}, operation}}
}

// InvalidChunk returns the nth of these chunks.
func InvalidChunk(n int, marker string) []byte {
	members := map[string]any{"agentId": Agent, "agentType": "assistant", "timestamp": Epoch, "runId": marker + "-never"}
	maps.Copy(members, InvalidChunks[n%len(InvalidChunks)])
	return Encode(members)
}
