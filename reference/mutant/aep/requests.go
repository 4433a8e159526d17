package aep

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

func requests() []Mutant {
	return slices.Concat(requestBodies(), requestLists(), requestMessages(), requestSizes(), requestLimits())
}

// invalid refuses a request as the server itself does.
func invalid(message string) error {
	return &aep.Error{Code: "invalid_message_format", Message: message}
}

// requestBodies get the outer form of a request wrong.
func requestBodies() []Mutant {
	return []Mutant{{
		Name: "answers-accepted", Requirement: "aep.request.post",
		Summary: "A request is put into a queue and answered 202 with the place where its stream will be.",
		Wrap: onRequest(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
			if !strings.HasSuffix(r.URL.Path, "/stream") {
				next.ServeHTTP(w, r)
				return
			}
			_, _ = io.Copy(io.Discard, r.Body) // what can't be read needn't be
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusAccepted)
			_, _ = io.WriteString(w, `{"stream":"/v1/streams/1"}`) // a client that has gone needs no answer
		}),
	}, {
		Name: "needs-thread-id", Requirement: "aep.request.messages-only",
		Summary: "A request without a context is only taken when it goes on with a thread.",
		Apply: onBodyCheck(func(members object) error {
			if members["threadId"] == nil && members["context"] == nil {
				return invalid("/threadId is missing")
			}
			return nil
		}),
	}, {
		Name: "needs-context", Requirement: "aep.request.messages-only", Stateful: true,
		Summary: "On a thread that has begun, a request without a context finds none to add to, and is refused.",
		Apply: onBodyCheck(func(members object) error {
			if members["threadId"] != nil && members["context"] == nil {
				return invalid("/context is missing")
			}
			return nil
		}),
	}}
}

// requestLists get the list of messages wrong, or a body that is none.
func requestLists() []Mutant {
	return []Mutant{{
		Name: "messages-optional", Requirement: "aep.request.messages-required",
		Summary: "A request without messages is one with none.",
		Apply: onBody(func(members object) {
			if _, ok := members["messages"]; !ok {
				members["messages"] = json.RawMessage(`[]`)
			}
		}),
	}, {
		Name: "no-messages-is-an-internal-error", Requirement: "aep.request.messages-required",
		Summary: "What reads the messages fails when there are none, and the server with it.",
		Apply: onBodyCheck(func(members object) error {
			if _, ok := members["messages"]; !ok {
				return fmt.Errorf("reading messages of a request: %v", members)
			}
			return nil
		}),
	}, {
		Name: "text-as-messages", Requirement: "aep.request.messages-array",
		Summary: "A text in place of the messages is taken as one message.",
		Apply: onBody(func(members object) {
			if strings.HasPrefix(string(members["messages"]), `"`) {
				members["messages"] = alter.Encode([]any{map[string]any{"role": "user", "content": members["messages"]}})
			}
		}),
	}, {
		Name: "malformed-body-is-an-internal-error", Requirement: "aep.request.malformed",
		Summary: "A body that can't be parsed is an exception that nobody catches.",
		Wrap: onRefusals(func(a *refusal) {
			if strings.Contains(string(a.body), "JSON value") {
				a.status = http.StatusInternalServerError
				a.members(func(m object) {
					m["code"], m["retryable"] = alter.Encode("internal_error"), json.RawMessage("true")
				})
			}
		}),
	}, {
		Name: "array-as-body", Requirement: "aep.request.malformed",
		Summary: "A body that is an array is taken as the messages.",
		Apply: func(o aep.Options) aep.Options {
			decode := o.Decode
			o.Decode = func(body []byte) (aep.Ask, error) {
				var list []json.RawMessage
				if json.Unmarshal(body, &list) == nil && list != nil {
					body = alter.Encode(map[string]any{"messages": list})
				}
				return decode(body)
			}
			return o
		},
	}}
}

// onBodyCheck refuses more bodies than it should.
func onBodyCheck(check func(object) error) apply {
	return func(o aep.Options) aep.Options {
		decode := o.Decode
		o.Decode = func(body []byte) (aep.Ask, error) {
			if members := alter.Members(body); members != nil {
				if err := check(members); err != nil {
					return aep.Ask{}, err
				}
			}
			return decode(body)
		}
		return o
	}
}

// requestMessages get what a request says wrong.
func requestMessages() []Mutant {
	return []Mutant{{
		Name: "first-block-only", Requirement: "aep.request.text-blocks",
		Summary: "Of a message's blocks the first is read.",
		Apply: onDecode(func(_ aep.Options, ask *aep.Ask) {
			for i, m := range ask.Messages {
				ask.Messages[i].Blocks = m.Blocks[:min(1, len(m.Blocks))]
			}
		}),
	}, {
		Name: "last-message-only", Requirement: "aep.request.text-blocks",
		Summary: "Of a request's messages the last is read.",
		Apply: onDecode(func(_ aep.Options, ask *aep.Ask) {
			ask.Messages = ask.Messages[max(0, len(ask.Messages)-1):]
		}),
	}, {
		Name: "trims-messages", Requirement: "aep.request.text-edges",
		Summary: "White space around the blocks of a message is cut off, as from a chat line.",
		Apply: onDecode(func(_ aep.Options, ask *aep.Ask) {
			for i, m := range ask.Messages {
				for j, text := range m.Blocks {
					ask.Messages[i].Blocks[j] = strings.TrimSpace(text)
				}
			}
		}),
	}, {
		Name: "skips-unknown-blocks", Requirement: "aep.request.other-blocks",
		Summary: "Blocks that aren't text are left out.",
		Apply:   onBody(keepTextBlocks),
	}, {
		Name: "drops-context", Requirement: "aep.request.context",
		Summary: "Of the context only what the server knows is kept.",
		Apply:   onTurn(func(t *agent.Turn) { t.Context = json.RawMessage(`{}`) }),
	}, {
		Name: "context-of-the-user", Requirement: "aep.request.context-once", Stateful: true,
		Summary: "What comes in a context is stored for its user, and handed to the agent with every later request.",
		Also:    []string{"aep.request.context"},
		Apply:   seams.OnContexts(func(r aep.Request) string { return r.Principal }),
	}, {
		Name: "context-numbers-as-texts", Requirement: "aep.request.context",
		Summary: "The context goes through columns of text, and its numbers come out as texts.",
		Apply:   onTurn(stringContext),
	}}
}

// requestSizes get messages wrong that are too large.
func requestSizes() []Mutant {
	return []Mutant{{
		Name: "serves-large-messages", Requirement: "aep.request.too-large",
		Summary: "There is no limit on a message but the memory.",
		Apply: func(o aep.Options) aep.Options {
			o.MaxMessage, o.MaxBody = 1<<40, 1<<40
			return o
		},
	}, {
		Name: "cuts-large-messages", Requirement: "aep.request.too-large",
		Summary: "A message is cut to the limit.",
		Apply: func(o aep.Options) aep.Options {
			o.MaxBody = 1 << 40
			return onDecode(func(o aep.Options, ask *aep.Ask) {
				for i, m := range ask.Messages {
					if text := m.Text(); len(text) > o.MaxMessage {
						ask.Messages[i].Blocks = []string{text[:o.MaxMessage]}
					}
				}
			})(o)
		},
	}, {
		Name: "too-large-is-a-bad-request", Requirement: "aep.request.too-large",
		Summary: "Too large is answered 400.",
		Wrap: onRefusals(func(a *refusal) {
			if a.status == http.StatusRequestEntityTooLarge {
				a.status = http.StatusBadRequest
				a.members(func(m object) { m["code"] = alter.Encode("invalid_message_format") })
			}
		}),
	}}
}

// requestLimits measure something else than the text of a message.
func requestLimits() []Mutant {
	measured := func(tooLarge func(m aep.Message, limit int) bool) apply {
		return func(o aep.Options) aep.Options {
			limit, decode := o.MaxMessage, o.Decode
			o.MaxMessage, o.MaxBody = 1<<40, 1<<40
			o.Decode = func(body []byte) (aep.Ask, error) {
				ask, err := decode(body)
				if slices.ContainsFunc(ask.Messages, func(m aep.Message) bool { return tooLarge(m, limit) }) {
					return ask, &aep.Error{Code: "message_too_large", Message: "the message is too large"}
				}
				return ask, err
			}
			return o
		}
	}
	return []Mutant{{
		Name: "limit-counts-characters", Requirement: "aep.request.too-large",
		Summary: "The limit on a message counts its characters, and its bytes may be twice as many.",
		Apply:   measured(func(m aep.Message, limit int) bool { return utf8.RuneCountInString(m.Text()) > limit }),
	}, {
		Name: "limit-counts-blocks-apart", Requirement: "aep.request.too-large", Stateful: true,
		Summary: "The limit on a message holds for each of its blocks, and there may be many.",
		Apply: measured(func(m aep.Message, limit int) bool {
			return slices.ContainsFunc(m.Blocks, func(text string) bool { return len(text) > limit })
		}),
	}}
}

// keepTextBlocks takes the blocks out of a body that aren't text.
func keepTextBlocks(body object) {
	var messages []object
	if json.Unmarshal(body["messages"], &messages) != nil {
		return
	}
	for _, m := range messages {
		var blocks []object
		if json.Unmarshal(m["content"], &blocks) != nil {
			continue
		}
		m["content"] = alter.Encode(slices.DeleteFunc(append([]object{}, blocks...),
			func(b object) bool { return string(b["type"]) != `"text"` }))
	}
	body["messages"] = alter.Encode(append([]object{}, messages...))
}

// stringContext makes the numbers of a context texts.
func stringContext(t *agent.Turn) {
	members := alter.Members(t.Context)
	for name, value := range members {
		if value[0] == '-' || value[0] >= '0' && value[0] <= '9' {
			members[name] = alter.Encode(string(value))
		}
	}
	if members != nil {
		t.Context = alter.Encode(members)
	}
}
