package helixui

import (
	"bytes"
	"cmp"
	_ "embed" // of the config for the AI SDK
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// Config has the keys of the section helix-ui.
type Config struct {
	Names Names `key:"names" example:"{state: data-patch, run: none}" doc:"the types of data parts that no source names; none: the server sends no such part"`
	Page  int   `key:"page" min:"1" max:"10000" example:"50" doc:"how many messages the history has at most in one answer; by default all. The suite then asks with the query offset and limit, until hasMore is false"`
	// Other replaces the config's headers, and is secret like them.
	Other map[string]string `key:"other" example:"Authorization: Bearer ${OTHER_TOKEN}" doc:"the headers of a second user, in the place of headers; secrets"`
}

// Names lists the types of data parts that no source names.
type Names struct {
	Subagent string `key:"subagent" kind:"name" names:"a part" default:"data-subagent" doc:"the part of subagent_start and subagent_end"`
	State    string `key:"state" kind:"name" names:"a part" default:"data-state" doc:"the part of state_patch"`
	Output   string `key:"output" kind:"name" names:"a part" default:"data-output" doc:"the part of output"`
	Run      string `key:"run" kind:"name" names:"a part" default:"data-run" doc:"the part of run_paused and run_resumed"`
	Error    string `key:"error" kind:"name" names:"a part" default:"data-error" doc:"the part of an error after which the run goes on"`
	Resync   string `key:"resync" kind:"name" names:"a part" default:"data-resync" doc:"the part of step_discarded and stream_resync"`
}

// NamesOf maps types of the specification to types of the target.
func NamesOf(t *target.Target) map[string]string {
	n := target.SectionOf[Config](t).Names
	return map[string]string{
		"data-subagent": n.Subagent, "data-state": n.State, "data-output": n.Output, "data-run": n.Run, "data-error": n.Error, "data-resync": n.Resync,
	}
}

// Second identifies the user of the key other.
const Second target.User = "second user"

// A config that is read from a file has its sections as values.
var _ target.Principals = Config{}

// Principals implements [target.Principals].
func (c Config) Principals() map[target.User]map[string]string {
	return map[target.User]map[string]string{Second: c.Other}
}

// Section returns the routes, the keys and the starter configs of the pack.
func Section() target.Section {
	return target.Section{Name: "helix-ui", Doc: "what only pack helix-ui needs", New: func() any { return &Config{} }, Routes: []target.Route{Chat(), Stream(), Messages()},
		Starters: []target.Starter{{Flag: "ai-sdk", Doc: "write a config for a chat route that is made with the AI SDK", Text: aiSDK}}}
}

// aiSDK is the config of a chat route that is made with the AI SDK, and in its comments the lines that such a route needs.
//
//go:embed ai-sdk.yaml
var aiSDK string

// Chat is the route at which a message is posted. A server without a {stream} in it finds the chat's id in the body.
func Chat() target.Route {
	return target.Route{Name: "chat", Template: "/chat/{stream}", Doc: "takes a message of chat {stream} and streams the answer"}
}

// Stream is the route at which the answer that is being streamed is read again.
func Stream() target.Route {
	return target.Route{Name: "chatStream", Template: "/chat/{stream}/stream", Doc: "streams the answer of chat {stream} to a reader that comes back"}
}

// Messages is the route of the history.
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
	Script []json.RawMessage // the instructions of the agent; nil for no script
	// Answered is the message with the client's answers to its calls, which comes after that of the user; nil for none.
	Answered map[string]any
	Direct   bool // the server gets the script itself, even where the kit plays its model
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
	if r.Answered != nil {
		out["messages"], out["messageId"] = append(messages, message, r.Answered), r.Answered["id"]
	}
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

// RequestStream posts a body unchanged. It returns at once; its error is that of [target.Session.RequestStream].
func RequestStream(s *target.Session, chat string, body []byte, r target.StreamRequest) (*target.Reader, error) {
	r.Route, r.PathValues, r.Body = Chat(), map[string]string{"stream": chat}, body
	return s.RequestStream(r)
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

// Recalled contains a history: the last answer, and the document of all pages.
type Recalled struct {
	*target.Exchange
	Document []byte // the body of the last answer, if that isn't 200 or no page is configured
}

// mostPages bounds the requests for one history: a server may always answer hasMore.
const mostPages = 1000

// History requests the messages of a chat, page by page if the config has a page. It sets the route of the request. An error
// means that no answer came.
func History(s *target.Session, r target.DocumentRequest) (out Recalled, err error) {
	r.Route = Messages()
	page := target.SectionOf[Config](s.Target()).Page
	if page == 0 {
		out.Exchange, err = s.Document(r)
		if err == nil {
			out.Document = out.Now().Answer
		}
		return out, err
	}
	all := []json.RawMessage{}
	for range mostPages {
		r.Query = fmt.Sprintf("offset=%d&limit=%d", len(all), page)
		if out.Exchange, err = s.Document(r); err != nil {
			return out, err
		}
		v := out.Now()
		var document struct {
			Messages []json.RawMessage `json:"messages"`
			HasMore  bool              `json:"hasMore"`
		}
		if out.Document = v.Answer; v.Status != http.StatusOK || json.Unmarshal(v.Answer, &document) != nil {
			return out, nil
		}
		all = append(all, document.Messages...)
		if !document.HasMore || len(document.Messages) == 0 {
			break
		}
	}
	out.Document = written(map[string]any{"messages": all})
	return out, nil
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
