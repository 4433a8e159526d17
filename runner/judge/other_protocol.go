package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/wire"
)

// OtherProtocol counts the events of a stream by the public protocols that they are of, so that a stream of another protocol
// isn't judged by the rules of a pack. The zero value has seen nothing.
type OtherProtocol struct {
	events int            // without [DONE], which many protocols end with
	looked int            // at the first of them
	of     map[string]int // events by the name of their protocol; nil before the first
}

// lookedAt is the number of events that are inspected to recognise their protocol.
const lookedAt = 100

// Add counts a block, and leaves out those without an event.
func (o *OtherProtocol) Add(f *wire.Frame) {
	if !f.Dispatched() || isDone(f.Data) {
		return
	}
	o.events++
	if o.looked == lookedAt {
		return
	}
	o.looked++
	if name := protocolOf(f); name != "" {
		if o.of == nil {
			o.of = map[string]int{}
		}
		o.of[name]++
	}
}

// Only reports whether a stream is of another protocol: the pack knows none of its events, of which unknown have an unknown
// type, or more than half of them are of one other protocol, whose name is returned if it is known.
func (o *OtherProtocol) Only(unknown int) (name string, is bool) {
	for of, n := range o.of {
		if 2*n > o.looked {
			return of, true
		}
	}
	return "", o.events > 0 && unknown >= o.events
}

// Sentence returns a message that a stream of so many events isn't of the pack; name is the protocol that it resembles, ""
// for none.
func (o *OtherProtocol) Sentence(events int, pack, name string) string {
	if name != "" {
		return fmt.Sprintf("the %d events aren't those of pack %s; is it of another protocol? It looks like %s", events, pack, name)
	}
	return fmt.Sprintf("none of the %d events has a type that pack %s knows; is it of another protocol?", events, pack)
}

func isDone(data []byte) bool { return string(bytes.TrimSpace(data)) == "[DONE]" }

// protocolMembers are the members by which other protocols are known.
type protocolMembers struct {
	Type       string          `json:"type"`
	Object     string          `json:"object"`  // OpenAI: "chat.completion…" or "text_completion"
	JSONRPC    string          `json:"jsonrpc"` // MCP, A2A: "2.0"
	Event      string          `json:"event"`
	Choices    json.RawMessage `json:"choices"`    // OpenAI: a list
	Candidates json.RawMessage `json:"candidates"` // Gemini: a list
	Done       *bool           `json:"done"`       // Ollama, with a model and created_at
	CreatedAt  string          `json:"created_at"`
	Model      string          `json:"model"`
	RunID      string          `json:"runId"`  // Mastra, with from and a payload
	Run        string          `json:"run_id"` // LangGraph, in the event metadata
	From       string          `json:"from"`
	Payload    json.RawMessage `json:"payload"`
}

// types maps types of events to the protocols that have them. One that ends with a dot is a prefix.
var types = map[string]string{
	"message_start": anthropic, "message_delta": anthropic, "message_stop": anthropic,
	"content_block_start": anthropic, "content_block_delta": anthropic, "content_block_stop": anthropic,
	"message-start": cohere, "content-start": cohere, "content-delta": cohere, "content-end": cohere, "message-end": cohere,
	"response.": "the responses of OpenAI", "thread.": "the assistants of OpenAI",
	"RUN_": agUI, "STEP_": agUI, "TEXT_MESSAGE_": agUI, "TOOL_CALL_": agUI, "STATE_": agUI, "MESSAGES_SNAPSHOT": agUI,
	"REASONING_": agUI, "THINKING_": agUI, "ACTIVITY_": agUI,
}

const (
	anthropic = "the messages of Anthropic"
	cohere    = "the chat of Cohere"
	agUI      = "AG-UI"
)

// protocolOf returns the public protocol that an event is surely of, "" for none.
func protocolOf(f *wire.Frame) string {
	var v protocolMembers
	_ = json.Unmarshal(f.Data, &v) // invalid data has no members
	for _, word := range []string{v.Type, f.Event} {
		for begin, name := range types {
			many := strings.HasSuffix(begin, ".") || strings.HasSuffix(begin, "_")
			if word == begin || many && strings.HasPrefix(word, begin) {
				return name
			}
		}
	}
	switch {
	case strings.HasPrefix(v.Object, "chat.completion") || v.Object == "text_completion" || v.Object == "" && v.Type == "" && isList(v.Choices):
		return "the chat completions of OpenAI"
	case v.JSONRPC == "2.0":
		return "JSON-RPC, as MCP and A2A have it"
	case v.Type == "" && isList(v.Candidates):
		return "the content of Gemini"
	case v.Done != nil && v.Model != "" && v.CreatedAt != "":
		return "the chat of Ollama"
	case v.RunID != "" && v.From != "" && v.Payload != nil:
		return "Mastra"
	case f.Event == "values" || f.Event == "updates" || f.Event == "messages/partial" || f.Event == "messages/metadata" || f.Event == "messages" && v.Type == "",
		f.Event == "metadata" && v.Run != "":
		return "LangGraph"
	}
	return ""
}

func isList(v json.RawMessage) bool { return bytes.HasPrefix(v, []byte("[")) }
