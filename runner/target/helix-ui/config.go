package helixui

import (
	"bytes"
	"cmp"
	_ "embed" // of the config for the AI SDK
	"encoding/json"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// Section returns the routes of the pack and its starter configs. The pack has no config keys.
func Section() target.Section {
	return target.Section{Name: "helix-ui", Doc: "what only pack helix-ui needs", Routes: []target.Route{Chat(), Stream(), Messages()},
		Starters: []target.Starter{{Flag: "ai-sdk", Doc: "write a config for a chat route that is made with the AI SDK", Text: aiSDK}}}
}

// aiSDK is the config of a chat route that is made with the AI SDK, and in its comments the lines that such a route needs.
//
//go:embed ai-sdk.yaml
var aiSDK string

// Chat returns the route at which a message is posted. A server without a {stream} in it finds the chat's id in the body.
func Chat() target.Route {
	return target.Route{Name: "chat", Template: "/chat/{stream}", Doc: "takes a message of chat {stream} and streams the answer"}
}

// Stream returns the route at which the answer that is being streamed is read again.
func Stream() target.Route {
	return target.Route{Name: "chatStream", Template: "/chat/{stream}/stream", Doc: "streams the answer of chat {stream} to a reader that comes back"}
}

// Messages returns the route of the history.
func Messages() target.Route {
	return target.Route{Name: "chatMessages", Template: "/chat/{stream}/messages", Doc: "tells the messages of chat {stream}"}
}

// Request is a message of the user, with the script of the agent's answer.
type Request struct {
	Chat   string            // its id
	Text   string            // text of the message
	More   []string          // further text parts of the message
	ID     string            // of the user's message; user-1 by default
	Before []json.RawMessage // the messages of the chat before, as a front end keeps them
	Script []json.RawMessage // the acts of the agent; nil for no script
	Direct bool              // the server gets the script itself, even where the kit plays its model
	// Metadata is the request's metadata as JSON. StartMetadata and FinishMetadata are sent for the server to attach to the
	// start and finish parts. nil leaves a member out.
	Metadata, StartMetadata, FinishMetadata json.RawMessage
	Spelling                                func(body []byte) []byte // writes the same in another way; nil leaves it
}

// Body returns the request as the AI SDK's transport sends it, with the members of the control binding.
func (r Request) Body() []byte {
	var parts []any
	for _, text := range append([]string{r.Text}, r.More...) {
		parts = append(parts, map[string]any{"type": "text", "text": text})
	}
	message := map[string]any{"id": cmp.Or(r.ID, "user-1"), "role": "user", "parts": parts}
	out := map[string]any{"id": r.Chat, "trigger": "submit-message"}
	var messages []any
	for _, m := range r.Before {
		messages = append(messages, m)
	}
	out["messages"] = append(messages, message)
	if r.Metadata != nil {
		out["metadata"] = r.Metadata
	}
	if r.Script != nil {
		conformance := map[string]any{"script": r.Script}
		if r.StartMetadata != nil {
			conformance["startMetadata"] = r.StartMetadata
		}
		if r.FinishMetadata != nil {
			conformance["finishMetadata"] = r.FinishMetadata
		}
		out["conformance"] = conformance
	}
	if r.Spelling != nil {
		return r.Spelling(written(out))
	}
	return written(out)
}

// Ask posts a body unchanged. It returns at once; its error is that of [target.Session.Ask].
func Ask(s *target.Session, chat string, body []byte, r target.AskRequest) (*target.Reader, error) {
	r.Route, r.Places, r.Body = Chat(), map[string]string{"stream": chat}, body
	return s.Ask(r)
}

// Resume reads the answer of a chat again after an id, nil for none. It returns at once; its error is that of
// [target.Session.Attach].
func Resume(s *target.Session, chat string, cursor *string, heading string) (*target.Reader, error) {
	return Read(s, target.ReadRequest{Stream: chat, Cursor: cursor, Heading: heading})
}

// Read reads the answer of a chat again by a request, whose route and origin it sets. It returns at once; its error is that
// of [target.Session.Attach].
func Read(s *target.Session, r target.ReadRequest) (*target.Reader, error) {
	r.Route, r.Origin = Stream(), record.Produced
	return s.Attach(r)
}

// History requests the messages of a chat. An error means that no answer came.
func History(s *target.Session, chat, heading string) (*target.Exchange, error) {
	return s.Document(target.DocumentRequest{Route: Messages(), Stream: chat, Heading: heading})
}

func written(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // texts, and JSON that was read
	}
	return bytes.TrimSpace(b.Bytes())
}
