package aep

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

func requests() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that get the outer form of a request wrong.
		{Name: "answers-accepted", Requirement: "aep.request.post",
			Summary: "A request is put into a queue and answered 202 with the place where its stream will be.",
			Wrap: alter.Answering(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/stream") }, http.StatusAccepted,
				"application/json", `{"stream":"/v1/streams/1"}`)},
		{Name: "needs-context", Requirement: "aep.request.messages-only", Stateful: true,
			Summary: "On a thread that has begun, a request without a context finds none to add to, and is refused.",
			Apply: on.Refusing(on.Malformed("/context is missing"), func(body alter.Object) bool {
				return body.Has("threadId") && !body.Has("context")
			})},
		{Name: "no-messages-is-an-internal-error", Requirement: "aep.request.messages-required",
			Summary: "What reads the messages fails when there are none, and the server with it.",
			Apply: on.Refusing(errors.New("reading the messages of a request: there are none"), func(body alter.Object) bool {
				return !body.Has("messages")
			})},
		{Name: "text-as-messages", Requirement: "aep.request.messages-array",
			Summary: "A text in place of the messages is taken as one message.",
			Apply: on.Bodies(func(body alter.Object) {
				if strings.HasPrefix(string(body["messages"]), `"`) {
					body.Set("messages", []any{map[string]any{"role": "user", "content": body["messages"]}})
				}
			})},
		{Name: "malformed-body-is-an-internal-error", Requirement: "aep.request.malformed",
			Summary: "A body that can't be parsed is an exception that nobody catches.",
			Wrap: on.RefusalsWhen(func(a *on.Refusal) bool {
				return strings.Contains(string(a.Body), "JSON value")
			}).Edit(func(a *on.Refusal) {
				a.Become(http.StatusInternalServerError, "internal_error")
				a.Members(func(o alter.Object) { o.Set("retryable", true) })
			})},
		{Name: "array-as-body", Requirement: "aep.request.malformed",
			Summary: "A body that is an array is taken as the messages.",
			Apply: on.OnDecode(func(body []byte, decode func([]byte) (aep.RequestBody, error)) (aep.RequestBody, error) {
				var list []json.RawMessage
				if json.Unmarshal(body, &list) == nil && list != nil {
					body = alter.Encode(map[string]any{"messages": list})
				}
				return decode(body)
			})},

		// Mutants that misread the content of a request.
		{Name: "first-block-only", Requirement: "aep.request.text-blocks",
			Summary: "Of a message's blocks the first is read.",
			Apply:   on.Messages(func(m *aep.Message) { m.Blocks = m.Blocks[:min(1, len(m.Blocks))] })},
		{Name: "trims-messages", Requirement: "aep.request.text-edges",
			Summary: "White space around the blocks of a message is cut off, as from a chat line.",
			Apply: on.Messages(func(m *aep.Message) {
				for i, text := range m.Blocks {
					m.Blocks[i] = strings.TrimSpace(text)
				}
			})},
		{Name: "skips-unknown-blocks", Requirement: "aep.request.other-blocks",
			Summary: "Blocks that aren't text are left out.",
			Apply: on.Bodies(func(body alter.Object) {
				body.Each("messages", func(message alter.Object) {
					message.Keep("content", func(block alter.Object) bool { return block.Text("type") == "text" })
				})
			})},

		// Mutants that hand another context to the agent.
		{Name: "context-of-the-user", Requirement: "aep.request.context-once", Stateful: true, Also: []string{"aep.request.context"},
			Summary: "What comes in a context is stored for its user, and handed to the agent with every later request.",
			Apply:   on.OnContexts(func(r aep.Request) string { return r.Principal })},
		{Name: "context-numbers-as-texts", Requirement: "aep.request.context",
			Summary: "The context goes through columns of text, and its numbers come out as texts.",
			Apply: on.Turns(func(t *agent.Turn) {
				members := alter.Members(t.Context)
				for name, value := range members {
					if value[0] == '-' || value[0] >= '0' && value[0] <= '9' {
						members.Quote(name)
					}
				}
				if members != nil {
					t.Context = alter.Encode(members)
				}
			})},

		// Mutants that measure messages wrong that are too large, or answer them wrongly.
		{Name: "limit-counts-characters", Requirement: "aep.request.too-large",
			Summary: "The limit on a message counts its characters, and its bytes may be twice as many.",
			Apply: edit.RefuseLarge(func(messages []aep.Message, limit int) bool {
				return slices.ContainsFunc(messages, func(m aep.Message) bool { return utf8.RuneCountInString(m.Text()) > limit })
			})},
		{Name: "limit-counts-blocks-apart", Requirement: "aep.request.too-large", Stateful: true,
			Summary: "The limit on a message holds for each of its blocks, and there may be many.",
			Apply: edit.RefuseLarge(func(messages []aep.Message, limit int) bool {
				return slices.ContainsFunc(messages, func(m aep.Message) bool {
					return slices.ContainsFunc(m.Blocks, func(text string) bool { return len(text) > limit })
				})
			})},
		{Name: "limit-on-all-messages", Requirement: "aep.request.too-large",
			Summary: "The limit on a message holds for the messages of a request together.",
			Apply: edit.RefuseLarge(func(messages []aep.Message, limit int) bool {
				all := 0
				for _, m := range messages {
					all += len(m.Text())
				}
				return all > limit
			})},
		{Name: "limit-on-the-first-message", Requirement: "aep.request.too-large",
			Summary: "The first message of a request is measured, and there may be others.",
			Apply: edit.RefuseLarge(func(messages []aep.Message, limit int) bool {
				return len(messages) > 0 && len(messages[0].Text()) > limit
			})},
	}
}
