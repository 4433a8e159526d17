package golden

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNormaliseEvents: an event that names itself has its ids bound, and those in the content that it repeats; the request
// that comes after shows them.
func TestNormaliseEvents(t *testing.T) {
	first := Exchange{
		Path: "/v1/agents/a/stream", Body: []byte(`{"threadId":"t-9"}`), Status: 200,
		Frames: [][]byte{
			[]byte("event: metadata\ndata: {\"event\":\"metadata\",\"requestId\":\"r-1\",\"threadId\":\"t-9\",\"agentId\":\"a\"}\n\n"),
			[]byte("event: tool_call\ndata: {\"event\":\"tool_call\",\"blockId\":\"b-1\",\"messageId\":\"m-1\",\"toolCallId\":\"c-1\"}\n\n"),
			[]byte("event: done\ndata: {\"event\":\"done\",\"content\":[{\"toolCallId\":\"c-1\",\"args\":{\"blockId\":\"b-1\"}}],\"timestamp\":\"2026-11-21T09:30:00.000Z\"}\n\n"),
			[]byte("data: {\"blockId\":\"b-1\"}\n\n"),
		},
	}
	second := Exchange{
		Path: "/v1/agents/a/requests/r-1/cancel", Status: 200,
		Body: []byte(`{"threadId":"t-9","context":{"actionResults":[{"actionId":"x-1"},{"actionId":"t-9"}],"of":"t-9"}}`),
	}
	asked := Exchange{Status: 200, Frames: [][]byte{[]byte("data: {\"event\":\"continuation\",\"actionId\":\"x-1\"}\n\n")}}
	got := tested.Normalise(Transcript{Exchanges: []Exchange{first, asked, second}}, Bindings{Produced: true})
	var text []string
	for _, e := range got.Exchanges {
		text = append(text, e.Path+" "+string(e.Body))
		for _, f := range e.Frames {
			text = append(text, string(f))
		}
	}
	want := []string{
		`/v1/agents/a/stream {"threadId":"t-9"}`,
		"event: metadata\ndata: {\"agentId\":\"a\",\"event\":\"metadata\",\"requestId\":\"{requestId}\",\"threadId\":\"{threadId}\"}\n\n",
		"event: tool_call\ndata: {\"blockId\":\"{blockId}\",\"event\":\"tool_call\",\"messageId\":\"{messageId}\",\"toolCallId\":\"{toolCallId}\"}\n\n",
		"event: done\ndata: {\"content\":[{\"args\":{\"blockId\":\"b-1\"},\"toolCallId\":\"{toolCallId}\"}],\"event\":\"done\",\"timestamp\":\"{ts1}\"}\n\n",
		"data: {\"blockId\":\"b-1\"}\n\n",
		" ",
		"data: {\"actionId\":\"{actionId}\",\"event\":\"continuation\"}\n\n",
		`/v1/agents/a/requests/{requestId}/cancel {"context":{"actionResults":[{"actionId":"{actionId}"},{"actionId":"t-9"}],"of":"t-9"},"threadId":"{threadId}"}`,
	}
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Data of the runner is unchanged.
	relayed := tested.Normalise(Transcript{Exchanges: []Exchange{asked}}, Bindings{})
	if got := string(relayed.Exchanges[0].Frames[0]); got != "data: {\"actionId\":\"x-1\",\"event\":\"continuation\"}\n\n" {
		t.Errorf("relayed: %q", got)
	}
}
