package data

import "maps"

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
