package aep

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

// refusals are other ways to refuse a request.
func refusals() []Variant {
	return []Variant{
		{Name: "malformed-is-unprocessable", Freedom: "malformed JSON",
			Summary: "A body that is no JSON is answered 422, as by some frameworks.",
			Wrap:    alter.OnResponses(alter.Any, unprocessable), Warns: []string{"aep.http.code"}},
		{Name: "errors-without-event", Freedom: "a body of an HTTP error", Warns: []string{"aep.http.error-event"},
			Summary: "The body of an error has a code and a message, and not what makes it an event.",
			Wrap: onErrorBody(func(status int, members object) int {
				for _, name := range []string{"event", "requestId", "timestamp"} {
					delete(members, name)
				}
				return status
			})},
		{Name: "errors-of-the-framework", Freedom: "a body of an HTTP error",
			Warns:   []string{"aep.http.error-body", "aep.http.code", "aep.threads.foreign-status"},
			Summary: "An error is a page of text.",
			Wrap: alter.OnResponses(alter.Any, func(w *alter.Response, r *http.Request) {
				w.Head = func(status int) int {
					if status < http.StatusBadRequest || strings.HasPrefix(r.URL.Path, "/control/") {
						return status
					}
					return w.Replace(status, "text/plain; charset=utf-8", http.StatusText(status)+"\n")
				}
			})},
		{Name: "foreign-thread-is-unknown", Freedom: "a foreign thread", Warns: []string{"aep.threads.foreign-status"},

			Summary: "The answer doesn't show that a thread belongs to somebody else.",
			Apply: func(o aep.Options) aep.Options {
				o.Threads = discreet{o.Threads}
				return o
			}},
		{Name: "early-failure-in-stream", Freedom: "a failure before the stream", Apply: failsInStream,
			Summary: "An error event reports a failure after metadata, however early it comes."},
		{Name: "internal-errors-are-agents", Freedom: "aep.errors.internal", Warns: []string{"aep.errors.internal"},
			Summary: "The server can't tell its own failures from the agent's.",
			Apply: seams.OnEach(func(e *aep.Event) {
				if e.Kind == aep.Failed && e.Code == "internal_error" {
					e.Code, e.Retryable = "agent_error", false
				}
			})},
		{Name: "results-need-a-message", Freedom: "empty messages beside results",
			Warns:   []string{"aep.actions.empty-messages"},
			Summary: "A request needs a message, results or not.",
			Apply: func(o aep.Options) aep.Options {
				decode := o.Decode
				o.Decode = func(body []byte) (aep.Ask, error) {
					ask, err := decode(body)
					if err == nil && len(ask.Messages) == 0 {
						err = &aep.Error{Code: "invalid_message_format", Message: "/messages is empty"}
					}
					return ask, err
				}
				return o
			}},
	}
}

// unprocessable answers 422 where the body is no JSON.
func unprocessable(w *alter.Response, r *http.Request) {
	body := &watched{ReadCloser: r.Body}
	r.Body = body
	w.Head = func(status int) int {
		if status != http.StatusBadRequest || json.Valid(body.seen) {
			return status
		}
		w.Header().Del("Content-Length")
		w.Send = func(inner http.ResponseWriter, p []byte) error {
			var members object
			if json.Unmarshal(p, &members) == nil {
				members["code"] = alter.Encode("unprocessable")
				p = alter.Encode(members)
			}
			_, err := inner.Write(p)
			return err
		}
		return http.StatusUnprocessableEntity
	}
}

// watched remembers what was read of a body.
type watched struct {
	io.ReadCloser
	seen []byte
}

// Read implements io.Reader.
func (b *watched) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.seen = append(b.seen, p[:n]...)
	return n, err
}

// discreet says of a thread of somebody else that there is none.
type discreet struct{ aep.Threads }

// Check implements aep.Threads.
func (d discreet) Check(owner, id string) error {
	err := d.Threads.Check(owner, id)
	if errors.Is(err, aep.ErrForeignThread) {
		return aep.ErrUnknownThread
	}
	return err
}

// refused is the act that stands for a refusal.
const refused = "refuse"

// failsInStream has a script that refuses fail as an agent does.
func failsInStream(o aep.Options) aep.Options {
	decode, inner := o.Decode, o.Agent
	o.Decode = func(body []byte) (aep.Ask, error) {
		ask, err := decode(body)
		if err == nil && ask.Script != nil && ask.Script.Refuse != "" {
			ask.Script = &agent.Script{Acts: []agent.Act{{Name: refused, Text: ask.Script.Refuse}}}
		}
		return ask, err
	}
	o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
		if t.Script != nil && len(t.Script.Acts) == 1 && t.Script.Acts[0].Name == refused {
			return &agent.Failure{Code: t.Script.Acts[0].Text, Message: "it failed early"}
		}
		return inner.Run(ctx, t, say)
	})
	return o
}

// cancellations are other answers to a cancellation.
func cancellations() []Variant {
	answering := func(status int) around {
		return alter.OnResponses(alter.Any, func(w *alter.Response, r *http.Request) {
			w.Head = func(sent int) int {
				if sent == http.StatusNoContent && strings.HasSuffix(r.URL.Path, "/cancel") {
					w.Header().Set("Content-Type", "application/json")
					return status
				}
				return sent
			}
		})
	}
	return []Variant{
		{Name: "cancellation-is-accepted", Freedom: "a cancellation",
			Summary: "A cancellation is answered 202.", Wrap: answering(http.StatusAccepted)},
		{Name: "cancellation-is-ok", Freedom: "a cancellation",
			Summary: "A cancellation is answered 200.", Wrap: answering(http.StatusOK)},
		{Name: "aborted-without-reason", Freedom: "aep.cancel.aborted",
			Summary: "An aborted event doesn't repeat the reason.", Apply: seams.OnEach(func(e *aep.Event) { e.Reason = "" })},
		{Name: "aborted-reason-null", Freedom: "optional members without a value", Warns: []string{"aep.events.nulls"},
			Summary: "The reason of an aborted event is null.",
			Apply: onMembers(func(members object, e aep.Event) {
				if e.Kind == aep.Aborted {
					members["reason"] = json.RawMessage("null")
				}
			})},
	}
}
