package helix

import "github.com/streamcert/streamcert/golden"

// freedoms lists the parts of a transcript in which servers of the pack may differ.
func freedoms() golden.Freedoms {
	return golden.Freedoms{
		Headers: []string{
			"accept-encoding", "access-control-allow-origin", "allow", "cache-control", "content-encoding", "content-type", "last-event-id",
			"origin", "www-authenticate",
		},
		IDs: map[string]string{"requestId": "requestId", "writerId": "writerId", "runId": "runId"},
		ChunkIDs: map[string]string{
			"runId": "runId", "agentId": "agentId", "sessionId": "sessionId", "checkpointId": "checkpointId", "stepId": "stepId",
			"toolCallId": "toolCallId", "callId": "toolCallId", "pendingToolCallId": "toolCallId",
			"fromCheckpointId": "checkpointId",
			"subSessionId":     "agentId", // it equals the agentId of the sub-agent's chunks
		},
		RequestIDs: map[string]string{"toolCallId": "toolCallId"},
		Read:       "/events",
		Sequences:  []string{"sequence", "sequences", "atSequence", "latestSequence", "streamSequence"},
		Type:       "type", Chunk: "chunk", Notice: "status", Types: []string{"chunk", "end", "fail", "truncated"},
		Optional: map[string][]string{
			"end": {"finalOutput", "streamId", "timestamp"}, "fail": {"code"}, "truncated": {"atSequence"},
		},
		Closes: map[string]string{"truncated": "", "status": "paused"},
	}
}
