package golden

// tested are the freedoms of a pack such as the tests write transcripts of: frames of the types chunk, status, truncated,
// end and fail, and events that name themselves.
var tested = Freedoms{
	Headers: []string{
		"accept-encoding", "access-control-allow-origin", "allow", "cache-control", "content-encoding", "content-type", "last-event-id",
		"origin", "www-authenticate",
	},
	IDs: map[string]string{"requestId": "requestId", "writerId": "writerId", "runId": "runId"},
	ChunkIDs: map[string]string{
		"runId": "runId", "agentId": "agentId", "sessionId": "sessionId", "toolCallId": "toolCallId", "checkpointId": "checkpointId", "stepId": "stepId",
		"fromCheckpointId": "checkpointId", "callId": "toolCallId", "pendingToolCallId": "toolCallId", "subSessionId": "agentId",
	},
	EventIDs: eventIDs, RequestIDs: eventIDs,
	Read: "/events", Sequences: []string{"sequence", "sequences", "atSequence", "latestSequence", "streamSequence"},
	Type: "type", Chunk: "chunk", Notice: "status", Types: []string{"chunk", "end", "fail", "truncated"},
	Optional: map[string][]string{"end": {"finalOutput", "streamId", "timestamp"}, "fail": {"code"}, "truncated": {"atSequence"}},
	Closes:   map[string]string{"truncated": "", "status": "paused"},
}

var eventIDs = map[string]string{
	"requestId": "requestId", "threadId": "threadId", "messageId": "messageId", "blockId": "blockId", "actionId": "actionId", "toolCallId": "toolCallId",
}
