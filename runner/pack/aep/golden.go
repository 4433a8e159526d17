package aep

import "github.com/streamcert/streamcert/golden"

// freedoms lists the parts of a transcript in which servers of the pack may differ. Its frames are compared as wholes.
func freedoms() golden.Freedoms {
	ids := map[string]string{
		"requestId": "requestId", "threadId": "threadId", "messageId": "messageId", "blockId": "blockId", "actionId": "actionId",
		"toolCallId": "toolCallId",
	}
	return golden.Freedoms{
		Headers: []string{
			"accept-encoding", "access-control-allow-origin", "allow", "cache-control", "content-encoding", "content-type", "last-event-id",
			"origin", "www-authenticate",
		},
		IDs:      map[string]string{"requestId": "requestId"},
		EventIDs: ids, RequestIDs: ids,
	}
}
