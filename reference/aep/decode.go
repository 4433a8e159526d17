package aep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/aep/agent"
)

// RequestBody is the decoded body of a request.
type RequestBody struct {
	Messages []Message       // of the user
	Thread   string          // empty: a new one
	Results  []Result        // in the order of the body
	Context  json.RawMessage // an object: the context without the members that this server interprets
	Script   *agent.Script   // nil: none
}

// Message is one message of the user.
type Message struct {
	Blocks []string // the texts of its blocks
}

// Text returns the text of all blocks, joined.
func (m Message) Text() string { return strings.Join(m.Blocks, "") }

// Texts returns the texts of the messages.
func (a RequestBody) Texts() []string {
	texts := make([]string, 0, len(a.Messages))
	for _, m := range a.Messages {
		texts = append(texts, m.Text())
	}
	return texts
}

// messages returns the messages as their thread stores them.
func (a RequestBody) messages(request string) []agent.Message {
	messages := make([]agent.Message, 0, len(a.Messages))
	for _, m := range a.Messages {
		messages = append(messages, agent.Message{Who: agent.ByUser, Text: m.Text(), Request: request})
	}
	return messages
}

// Result is the result of an action.
type Result struct {
	ActionID string          // of an action that the thread may have
	JSON     json.RawMessage // the complete object
}

// resolves lists the actions that the request has results of.
func (a RequestBody) resolves() []string {
	ids := make([]string, 0, len(a.Results))
	for _, r := range a.Results {
		ids = append(ids, r.ActionID)
	}
	return ids
}

// object is a JSON object whose members keep their bytes. A map, because a struct would take "Messages" for "messages".
type object = map[string]json.RawMessage

func invalid(format string, args ...any) error {
	return refusal("invalid_message_format", fmt.Sprintf(format, args...))
}

// Decode reads the body of a request. Its errors are refusals that name the member that is wrong.
func Decode(body []byte) (RequestBody, error) {
	var ask RequestBody
	compact := bytes.NewBuffer(make([]byte, 0, len(body)))
	// aep.request.malformed: a body that is no JSON, or no object, never reaches the agent.
	// aep.wire.utf8: the agent only gets UTF-8 that it could repeat.
	if !utf8.Valid(body) || json.Compact(compact, body) != nil {
		return ask, invalid("the body is not one JSON value in UTF-8")
	}
	members := objectOf(compact.Bytes())
	if members == nil {
		return ask, invalid("the body is not an object")
	}
	// aep.request.messages-required, aep.request.messages-only: messages is the only required member.
	raw, ok := members["messages"]
	if !ok {
		return ask, invalid("/messages is missing")
	}
	messages := arrayOf(raw)
	// aep.request.messages-array: decodeMessage checks each item.
	// aep.actions.empty-messages: an empty array is accepted.
	if messages == nil {
		return ask, invalid("/messages is not an array")
	}
	for i, raw := range messages {
		m, err := decodeMessage(raw, fmt.Sprintf("/messages/%d", i))
		if err != nil {
			return ask, err
		}
		ask.Messages = append(ask.Messages, m)
	}
	if raw, ok := members["threadId"]; ok {
		thread, ok := textOf(raw)
		if !ok || thread == "" {
			return ask, invalid("/threadId is not a string with something in it")
		}
		ask.Thread = thread
	}
	if raw, ok := members["context"]; ok {
		if err := ask.decodeContext(raw); err != nil {
			return ask, err
		}
	}
	return ask, nil
}

func decodeMessage(raw json.RawMessage, at string) (Message, error) {
	var m Message
	members := objectOf(raw)
	if members == nil {
		return m, invalid("%s is not an object", at)
	}
	if role, _ := textOf(members["role"]); role != "user" {
		return m, invalid("%s/role is not user", at)
	}
	if text, ok := textOf(members["content"]); ok {
		m.Blocks = []string{text}
		return m, nil
	}
	blocks := arrayOf(members["content"])
	if blocks == nil {
		return m, invalid("%s/content is neither an array of blocks nor a string", at)
	}
	for i, raw := range blocks {
		block := objectOf(raw)
		// aep.request.other-blocks: an unknown block is refused, not dropped.
		if kind, _ := textOf(block["type"]); kind != "text" {
			return m, invalid("%s/content/%d/type is not text", at, i)
		}
		text, ok := textOf(block["text"])
		if !ok {
			return m, invalid("%s/content/%d/text is not a string", at, i)
		}
		// aep.request.text-blocks, aep.request.text-edges: every text block is stored completely.
		m.Blocks = append(m.Blocks, text)
	}
	return m, nil
}

func (a *RequestBody) decodeContext(raw json.RawMessage) error {
	members := objectOf(raw)
	if members == nil {
		return invalid("/context is not an object")
	}
	if raw, ok := members["actionResults"]; ok {
		results := arrayOf(raw)
		if results == nil {
			return invalid("/context/actionResults is not an array")
		}
		for i, raw := range results {
			id, ok := textOf(objectOf(raw)["actionId"])
			// aep.actions.no-id: a result without an id is refused.
			if !ok || id == "" {
				return invalid("/context/actionResults/%d has no actionId", i)
			}
			a.Results = append(a.Results, Result{ActionID: id, JSON: raw})
		}
	}
	if raw, ok := members["conformance"]; ok {
		script, err := agent.Parse(raw)
		if err != nil {
			return invalid("/context/conformance: %v", err)
		}
		a.Script = script
	}
	// aep.request.context: all other keys stay in the context with their bytes.
	delete(members, "actionResults")
	delete(members, "conformance")
	var rest bytes.Buffer
	e := json.NewEncoder(&rest)
	e.SetEscapeHTML(false)
	if err := e.Encode(members); err != nil { // members that came from JSON
		return fmt.Errorf("handing on the context: %w", err)
	}
	a.Context = bytes.TrimSpace(rest.Bytes())
	return nil
}

// objectOf reads an object; nil if it isn't one.
func objectOf(raw []byte) object {
	var members object
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	return members
}

// arrayOf reads an array; nil if it isn't one.
func arrayOf(raw []byte) []json.RawMessage {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return nil
	}
	return items
}

func textOf(raw []byte) (text string, ok bool) {
	var t *string
	if json.Unmarshal(raw, &t) != nil || t == nil {
		return "", false
	}
	return *t, true
}
