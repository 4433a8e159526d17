package helixui

import (
	"encoding/json"
	"net/http"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/request"
)

// turnRequest is the decoded body of a request.
type turnRequest struct {
	user                          []Message     // messages of the body, the last of which is the user's new one
	answered                      *Message      // with the client's answers to its calls; nil for a new message of the user
	script                        []Instruction // nil unless scripted
	scripted                      bool          // else the model answers, or the server repeats the message
	startMetadata, finishMetadata any           // nil for none
}

func refusal(status int, message string) error {
	return &request.Error{Status: status, Message: message}
}

func invalid(message string) error { return refusal(http.StatusBadRequest, message) }

// decodeRequest reads the body of a request. Its errors describe the mistake. helix-ui.requests.refused: an invalid request
// never reaches the agent.
func decodeRequest(body []byte, chat string) (turnRequest, error) {
	var in struct {
		Messages    []Message
		Metadata    any
		Conformance *struct {
			Script         []json.RawMessage
			StartMetadata  any
			FinishMetadata any
		}
	}
	if !utf8.Valid(body) || json.Unmarshal(body, &in) != nil {
		return turnRequest{}, invalid("the body is not a JSON object with messages, in UTF-8")
	}
	if len(in.Messages) == 0 {
		return turnRequest{}, invalid("/messages is empty or not there")
	}
	last := &in.Messages[len(in.Messages)-1]
	if last.Role == "assistant" {
		return turnRequest{answered: last}, nil
	}
	if last.Role != "user" || len(last.Parts) == 0 {
		return turnRequest{}, invalid("the last of /messages is not one of the user with parts, nor one with answers")
	}
	if in.Metadata != nil {
		// helix-ui.history.metadata: the message's metadata is stored with it.
		last.Metadata = in.Metadata
	}
	a := turnRequest{user: in.Messages}
	if in.Conformance == nil {
		return a, nil
	}
	a.scripted, a.script = true, []Instruction{}
	a.startMetadata, a.finishMetadata = computed(in.Conformance.StartMetadata, chat), computed(in.Conformance.FinishMetadata, chat)
	for _, raw := range in.Conformance.Script {
		act, err := decodeInstruction(raw)
		if err != nil {
			return a, err
		}
		a.script = append(a.script, act)
	}
	return a, nil
}

func decodeInstruction(raw json.RawMessage) (Instruction, error) {
	var members map[string]json.RawMessage
	var act Instruction
	if json.Unmarshal(raw, &members) != nil || len(members) != 1 || json.Unmarshal(raw, &act) != nil {
		return act, invalid("an act of /conformance/script is not an object with one member")
	}
	known := act.Text != nil || act.Thinking != nil || act.Tool != nil || act.Fail != nil || act.Finish != nil || act.Await != nil || act.Hang
	if !known && decode(act.Chunk) == nil && decode(act.Part) == nil {
		return act, refusal(http.StatusNotImplemented, "this server doesn't know how to do an act of /conformance/script")
	}
	return act, nil
}

// computed replaces each string {agentId} by the id of the agent.
// helix-ui.metadata.computed: metadata may be a function of the agent's id.
func computed(v any, agentID string) any {
	switch v := v.(type) {
	case string:
		if v == "{agentId}" {
			return agentID
		}
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			out[name] = computed(member, agentID)
		}
		return out
	}
	return v
}
