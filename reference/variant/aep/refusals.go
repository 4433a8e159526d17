package aep

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// refusals lists other ways to refuse a request.
func refusals() []Variant {
	return []Variant{
		{Name: "malformed-is-unprocessable", Freedom: "malformed JSON",
			Summary: "A body that is no JSON is answered 422, as by some frameworks.",
			Wrap:    unprocessable, Warns: []string{"aep.http.code"}},
		{Name: "length-required", Freedom: "a body whose length the request doesn't say",
			Summary: "A server that reads no body of unknown length asks for one.",
			Wrap:    alter.Answering(func(r *http.Request) bool { return r.ContentLength < 0 }, http.StatusLengthRequired, "", "")},
		{Name: "errors-without-event", Freedom: "a body of an HTTP error", Warns: []string{"aep.http.error-event"},
			Summary: "The body of an error has a code and a message, and not what makes it an event.",
			Wrap:    on.RefusalsWhen().Remove("event", "requestId", "timestamp")},
		{Name: "errors-of-the-framework", Freedom: "a body of an HTTP error",
			Warns:   []string{"aep.http.error-body", "aep.http.code", "aep.threads.foreign-status"},
			Summary: "An error is a page of text.",
			Wrap: on.RefusalsWhen().Edit(func(a *on.Refusal) {
				a.Kind, a.Body = "text/plain; charset=utf-8", []byte(http.StatusText(a.Status)+"\n")
			})},
		{Name: "foreign-thread-is-unknown", Freedom: "a foreign thread", Warns: []string{"aep.threads.foreign-status"},
			Summary: "The answer doesn't show that a thread belongs to somebody else.",
			Apply:   on.LettingIn(aep.ErrThreadOfAnotherUser, func(aep.Threads, string, string) error { return aep.ErrUnknownThread })},
		{Name: "early-failure-in-stream", Freedom: "a failure before the stream", Apply: failsInStream,
			Summary: "An error event reports a failure after metadata, however early it comes."},
		{Name: "internal-errors-are-agents", Freedom: "aep.errors.internal", Warns: []string{"aep.errors.internal"},
			Summary: "The server can't tell its own failures from the agent's.",
			Apply:   on.Events(on.Failure("internal_error")).Edit(on.Recode("agent_error"))},
		{Name: "results-need-a-message", Freedom: "empty messages beside results",
			Warns:   []string{"aep.actions.empty-messages"},
			Summary: "A request needs a message, results or not.",
			Apply: on.CheckedAsks(func(ask *aep.RequestBody) error {
				if len(ask.Messages) == 0 {
					return on.Malformed("/messages is empty")
				}
				return nil
			})},
	}
}

// unprocessable answers 422 where the body is no JSON.
func unprocessable(next http.Handler) http.Handler {
	return alter.OnRequests(alter.Any, func(_ http.Handler, w http.ResponseWriter, r *http.Request) {
		body := &watched{ReadCloser: r.Body}
		r.Body = body
		on.RefusalsWhen(on.Status(http.StatusBadRequest), func(*on.Refusal) bool { return !json.Valid(body.seen) }).
			As(http.StatusUnprocessableEntity, "unprocessable")(next).ServeHTTP(w, r)
	})(next)
}

// watched records the bytes that are read of a body.
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

// refused is the script instruction for a refusal.
const refused = "refuse"

// failsInStream has a script that refuses fail as an agent does.
func failsInStream(o aep.Options) aep.Options {
	o = on.Asks(func(ask *aep.RequestBody) {
		if ask.Script != nil && ask.Script.Refuse != "" {
			ask.Script = &agent.Script{Instructions: []agent.Instruction{{Name: refused, Text: ask.Script.Refuse}}}
		}
	})(o)
	inner := o.Agent
	o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
		if t.Script != nil && len(t.Script.Instructions) == 1 && t.Script.Instructions[0].Name == refused {
			return &agent.Failure{Code: t.Script.Instructions[0].Text, Message: "it failed early"}
		}
		return inner.Run(ctx, t, say)
	})
	return o
}

// cancellations are other answers to a cancellation.
func cancellations() []Variant {
	cancellations := alter.AnswersTo(isCancellation)
	return []Variant{
		{Name: "cancellation-is-accepted", Freedom: "a cancellation",
			Summary: "A cancellation is answered 202.", Wrap: cancellations.When(alter.Status(http.StatusNoContent)).Replace(http.StatusAccepted, "application/json", "")},
		{Name: "cancellation-is-ok", Freedom: "a cancellation",
			Summary: "A cancellation is answered 200.", Wrap: cancellations.When(alter.Status(http.StatusNoContent)).Replace(http.StatusOK, "application/json", "")},
		{Name: "cancelled-once", Freedom: "cancelling a request that is over, or never was",
			Summary: "A request that was cancelled isn't found any more, though its response has yet to end.", Wrap: cancelledOnce},
		{Name: "aborted-without-reason", Freedom: "aep.cancel.aborted",
			Summary: "An aborted event doesn't repeat the reason.", Apply: on.Events().Edit(func(e *aep.Event) { e.Reason = "" })},
		{Name: "aborted-reason-null", Freedom: "optional members without a value", Warns: []string{"aep.events.nulls"},
			Summary: "The reason of an aborted event is null.",
			Apply:   on.Frames(on.Kind(aep.Aborted)).Set("reason", "null")},
	}
}

// cancelledOnce has a cancellation name another request where that request was cancelled before.
func cancelledOnce(h http.Handler) http.Handler {
	var cancelled alter.PerKey[bool] // by path
	noting := alter.AnswersTo(isCancellation).When(alter.Status(http.StatusNoContent)).Edit(func(_ *alter.Response, r *http.Request, sent int) int {
		cancelled.Set(r.URL.Path, true)
		return sent
	})(h)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if cancelled.Get(r.URL.Path) {
			r = r.Clone(r.Context())
			r.URL.Path = strings.TrimSuffix(r.URL.Path, "/cancel") + "-over/cancel"
		}
		noting.ServeHTTP(w, r)
	})
}

// isCancellation reports whether a request cancels another one.
func isCancellation(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/cancel") }
