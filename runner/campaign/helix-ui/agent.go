package helixui

import (
	"fmt"
	"slices"
	"strings"

	model "github.com/streamcert/streamcert/runner/model/helix-ui"
)

// otherAgents are the ids of agents other than the root, whose id is that of the chat: some resemble it.
var otherAgents = []string{"child-%d", "{chat}-%d", "{chat}/%d", "%d-{chat}", "{CHAT}"}

// called gives agents the ids that resemble the name of the chat.
func (s *setup) called(chat string) {
	other := strings.ToUpper(chat)
	if other == chat {
		other = strings.ToLower(chat)
	}
	names := strings.NewReplacer("{chat}", chat, "{CHAT}", other)
	for _, a := range s.script.Steps {
		if id, is := a.Chunk["agentId"].(string); is {
			a.Chunk["agentId"] = names.Replace(id)
		}
	}
}

// rootOnly removes the chunks of other agents than the root: no rule binds a server that shows them.
func (s *setup) rootOnly() {
	s.script.Steps = slices.DeleteFunc(s.script.Steps, func(a model.ScriptStep) bool {
		id, is := a.Chunk["agentId"].(string)
		return is && id != "{chat}" && id != s.script.Chat
	})
}

// strange has another agent say, think and do something.
func (w *writer) strange(o Operation) {
	id := otherAgents[o.Choice%len(otherAgents)]
	if strings.Contains(id, "%d") {
		id = fmt.Sprintf(id, w.texts)
	}
	agent := func(kind string, members map[string]any) {
		members["agentId"] = id
		w.chunk(o, kind, members)
	}
	said := fmt.Sprintf("stranger %d: %s", w.texts, w.data(o))
	switch o.Choice % 8 {
	case 0, 1:
		agent("text_delta", map[string]any{"delta": said})
	case 2:
		agent("thinking", map[string]any{"content": said, "isComplete": true})
	case 3:
		agent("error", map[string]any{"error": said, "recoverable": false})
	case 4:
		agent("output", map[string]any{"output": said})
	case 5:
		agent("run_interrupted", map[string]any{"runId": "r1", "checkpointId": nil, "reason": said})
	case 6:
		agent("tool_approval_request", map[string]any{"toolCallId": said, "toolName": "pay", "arguments": map[string]any{"nok": 900.0}})
	default:
		agent("tool_start", map[string]any{"toolCallId": said, "toolName": "weather", "arguments": map[string]any{}})
		agent("tool_end", map[string]any{"toolCallId": said, "toolName": "weather", "success": true, "result": "sunny"})
	}
}

// delegate runs sub-agents concurrently, of which the first ends first. Each emits text meanwhile, and again after its end.
func (w *writer) delegate(o Operation) {
	first := w.texts + 1
	members := func(n int) map[string]any {
		call := fmt.Sprintf("c-%d", first+n) + strings.Repeat("/c", (o.Choice+n)%2*100)
		return map[string]any{"subAgentType": "researcher", "subSessionId": "of " + call, "callId": call}
	}
	says := func(n int, when string) {
		w.chunk(o, "text_delta", map[string]any{"agentId": members(n)["subSessionId"], "delta": fmt.Sprintf("sub-agent %d speaks %s", first+n, when)})
	}
	for n := range o.Count {
		w.chunk(o, "subagent_start", members(n))
	}
	w.texts += o.Count
	for n := range o.Count {
		says(n, "meanwhile")
		end := members(n)
		end["result"] = w.value(o.After(n))
		switch (o.Choice + n) % 3 {
		case 1: // which found nothing
			end["result"] = nil
		case 2: // its result has the common members of chunks
			end["result"] = map[string]any{"step": 2.0, "timestamp": "noon", "agentId": "a", "agentType": "b", "found": end["result"]}
		}
		w.chunk(o, "subagent_end", end)
		says(n, "afterwards")
	}
}
