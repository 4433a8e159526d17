package aep

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// letter returns servers that follow the source of the protocol, and make another choice than the reference where it leaves one.
func letter() []Variant {
	return []Variant{
		{Name: "own-name-for-fragments", Freedom: "the member of a tool call's pieces", Warns: []string{"aep.tools.fragments"},
			Summary: "The pieces of a call's arguments have the name that the model's library gives them.",
			Apply:   on.Frames(on.Kind(aep.ToolCall, aep.Delta)).Rename("delta", "partial_json")},
		{Name: "end-turn", Freedom: "`finishReason` of a run that came to its own end", Warns: []string{"aep.done.stop"},
			Summary: "The finish reason is the model's own word.",
			Apply:   on.FinishReason("end_turn", on.If(func(e aep.Event) bool { return e.FinishReason == "stop" }))},
		{Name: "aborted-reason-is-an-object", Freedom: "`reason` of an aborted event",
			Summary: "The reason of an aborted event says who and why.",
			Apply:   on.Frames(on.Kind(aep.Aborted)).Set("reason", `{"by":"user","code":7}`)},
		{Name: "summary-is-the-beginning", Freedom: "a summary",
			Summary: "The summary of an outcome is the first sixty characters of what the tool returned.",
			Apply:   on.Deltas(on.Does(agent.Outcome)).Edit(beginning)},
		{Name: "trims-user-text", Freedom: "the text of a user", Warns: []string{"aep.request.text-edges"},
			Summary: "White space at the ends of what the user says is cut off, as from a line of a chat.",
			Apply:   on.Messages(func(m *aep.Message) { m.Blocks = []string{strings.TrimSpace(m.Text())} })},
		{Name: "takes-strings-as-messages", Freedom: "a string for a message",
			Summary: "A string among the messages is a text of the user.", Apply: on.Bodies(takesStrings)},
		{Name: "lone-error", Freedom: "a failure before the stream", Apply: failsAlone,
			Summary: "A response for which no thread could be made is an error event and nothing else."},
	}
}

const shown = 60

// beginning makes a summary from a tool's result.
func beginning(d *agent.Delta) {
	if d.Returned != nil {
		runes := []rune(string(d.Returned))
		d.Summary = string(runes[:min(shown, len(runes))])
	}
}

// takesStrings makes a message of each string among the messages of a request.
func takesStrings(body alter.Object) {
	var messages []json.RawMessage
	if json.Unmarshal(body["messages"], &messages) != nil || messages == nil {
		return
	}
	for i, m := range messages {
		if bytes.HasPrefix(m, []byte(`"`)) {
			messages[i] = alter.Encode(map[string]any{"role": "user", "content": m})
		}
	}
	body.Set("messages", messages)
}

// failsAlone is failsInStream without the metadata.
func failsAlone(o aep.Options) aep.Options {
	early := on.ForRequests(func(r aep.Request) bool {
		return r.Body.Script != nil && len(r.Body.Script.Instructions) == 1 && r.Body.Script.Instructions[0].Name == refused
	})
	return on.Events(on.Kind(aep.Metadata), early).Drop()(failsInStream(o))
}
