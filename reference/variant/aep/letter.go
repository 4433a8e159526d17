package aep

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

// letter are servers that do what the source shows, and what it leaves open in another way.
func letter() []Variant {
	return []Variant{
		{Name: "own-name-for-fragments", Freedom: "the member of a tool call's pieces", Warns: []string{"aep.tools.fragments"},
			Summary: "The pieces of a call's arguments have the name that the model's library gives them.",
			Apply: onMembers(func(members object, e aep.Event) {
				if e.Kind == aep.ToolCall && e.Stage == aep.Delta {
					members["partial_json"] = members["delta"]
					delete(members, "delta")
				}
			})},
		{Name: "end-turn", Freedom: "`finishReason` of a run that came to its own end", Warns: []string{"aep.done.stop"},
			Summary: "The finish reason is the model's own word.",
			Apply: seams.OnEach(func(e *aep.Event) {
				if e.FinishReason == "stop" {
					e.FinishReason = "end_turn"
				}
			})},
		{Name: "aborted-reason-is-an-object", Freedom: "`reason` of an aborted event",
			Summary: "The reason of an aborted event says who and why.",
			Apply: onMembers(func(members object, e aep.Event) {
				if e.Kind == aep.Aborted {
					members["reason"] = json.RawMessage(`{"by":"user","code":7}`)
				}
			})},
		{Name: "summary-is-the-beginning", Freedom: "a summary",
			Summary: "The summary of an outcome is the first sixty characters of what the tool returned.",
			Apply:   seams.OnDeltas(func() func(agent.Delta) []agent.Delta { return beginning })},
		{Name: "trims-user-text", Freedom: "the text of a user", Warns: []string{"aep.request.text-edges"},
			Summary: "White space at the ends of what the user says is cut off, as from a line of a chat.",
			Apply: onDecoded(func(ask *aep.Ask) {
				for i, m := range ask.Messages {
					ask.Messages[i].Blocks = []string{strings.TrimSpace(m.Text())}
				}
			})},
		{Name: "takes-strings-as-messages", Freedom: "a string for a message",
			Summary: "A string among the messages is a text of the user.", Apply: takesStrings},
		{Name: "lone-error", Freedom: "a failure before the stream", Apply: failsAlone,
			Summary: "A response for which no thread could be made is an error event and nothing else."},
	}
}

const shown = 60

// beginning makes a summary of what a tool returned.
func beginning(d agent.Delta) []agent.Delta {
	if d.Kind == agent.Outcome && d.Returned != nil {
		runes := []rune(string(d.Returned))
		d.Summary = string(runes[:min(shown, len(runes))])
	}
	return []agent.Delta{d}
}

// onDecoded changes what a request says.
func onDecoded(change func(*aep.Ask)) apply {
	return func(o aep.Options) aep.Options {
		decode := o.Decode
		o.Decode = func(body []byte) (aep.Ask, error) {
			ask, err := decode(body)
			if err == nil {
				change(&ask)
			}
			return ask, err
		}
		return o
	}
}

// takesStrings makes a message of each string among the messages of a request.
func takesStrings(o aep.Options) aep.Options {
	decode := o.Decode
	o.Decode = func(body []byte) (aep.Ask, error) {
		members := alter.Members(body)
		var messages []json.RawMessage
		if members == nil || json.Unmarshal(members["messages"], &messages) != nil || messages == nil {
			return decode(body)
		}
		for i, m := range messages {
			if bytes.HasPrefix(m, []byte(`"`)) {
				messages[i] = alter.Encode(map[string]any{"role": "user", "content": m})
			}
		}
		members["messages"] = alter.Encode(messages)
		return decode(alter.Encode(members))
	}
	return o
}

// failsAlone is failsInStream without the metadata.
func failsAlone(o aep.Options) aep.Options {
	return seams.OnJournal(func(r aep.Request) func(aep.Event) []aep.Event {
		early := r.Ask.Script != nil && len(r.Ask.Script.Acts) == 1 && r.Ask.Script.Acts[0].Name == refused
		return func(e aep.Event) []aep.Event {
			if early && e.Kind == aep.Metadata {
				return nil
			}
			return []aep.Event{e}
		}
	})(failsInStream(o))
}
