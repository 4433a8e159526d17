package aep

import (
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

func http_() []edit.Mutant {
	hasToken := func(r *http.Request) bool { return r.Header.Get("Authorization") != "" }
	return []edit.Mutant{
		// Mutants that answer with the wrong status or code.
		{Name: "unknown-thread-is-a-bad-request", Requirement: "aep.http.status", Also: []string{"aep.threads.unknown"},
			Summary: "A thread that isn't there is a mistake of the client, and answered 400.",
			Wrap:    on.RefusalsWhen(on.Coded("thread_not_found")).As(http.StatusBadRequest, "")},
		{Name: "bad-request-code", Requirement: "aep.http.code",
			Summary: "The code of a refusal is the status in words, which the protocol doesn't know.",
			Wrap: on.RefusalsWhen().Edit(func(a *on.Refusal) {
				a.Become(a.Status, strings.ReplaceAll(strings.ToLower(http.StatusText(a.Status)), " ", "_"))
			})},
		{Name: "action-error-is-a-format-error", Requirement: "aep.http.code",
			Summary: "An action that is unknown or resolved already is a message in a wrong format.",
			Apply:   on.ResolveErrors(func(err error) error { return on.Malformed(err.Error()) })},
		{Name: "limits-have-own-codes", Requirement: "aep.http.code", Stateful: true,
			Summary: "What is too large or too often is refused with a code of the server's own.",
			Wrap: on.RefusalsWhen(on.Status(http.StatusRequestEntityTooLarge, http.StatusTooManyRequests)).
				Edit(func(a *on.Refusal) { a.Become(a.Status, "over_the_limit") })},
		{Name: "failed-start-is-empty", Requirement: "aep.http.failed-start", Also: []string{"aep.flow.terminal"},
			Summary: "A failure before the stream is a stream with nothing in it.",
			Wrap: on.RefusalsWhen(on.ServerError).Edit(func(a *on.Refusal) {
				a.Status, a.Kind, a.Body = http.StatusOK, "text/event-stream", nil
			})},
		{Name: "agent-error-before-the-stream", Requirement: "aep.http.in-stream-codes",
			Summary: "A failure before the stream is reported as one of the agent.",
			Wrap: on.RefusalsWhen(on.ServerError).Edit(func(a *on.Refusal) {
				a.Become(http.StatusInternalServerError, "agent_error")
				a.Members(func(o alter.Object) { o.Set("retryable", false) })
			})},

		// Mutants that get the bodies of refusals wrong.
		{Name: "plain-text-errors", Requirement: "aep.http.error-body", Also: []string{"aep.http.code", "aep.threads.foreign-status"},
			Summary: "An error is a line of text.",
			Wrap: on.RefusalsWhen().Edit(func(a *on.Refusal) {
				a.Kind, a.Body = "text/plain; charset=utf-8", []byte(http.StatusText(a.Status)+"\n")
			})},
		{Name: "errors-have-a-detail", Requirement: "aep.http.error-body", Also: []string{"aep.http.code", "aep.threads.foreign-status"},
			Summary: "An error is what the framework makes of it, an object with a detail.",
			Wrap: on.RefusalsWhen().Edit(func(a *on.Refusal) {
				a.Body = alter.Encode(map[string]string{"detail": http.StatusText(a.Status)})
			})},
		{Name: "http-error-is-no-event", Requirement: "aep.http.error-event",
			Summary: "The body of an error has a code and a message, and nothing that an event has.",
			Wrap:    on.RefusalsWhen().Remove("event", "requestId", "timestamp")},
		{Name: "refused-requests-have-no-id", Requirement: "aep.http.error-event",
			Summary: "A request that is refused isn't given an id.",
			Wrap:    on.RefusalsWhen().Remove("requestId")},

		// Mutants that let in who shouldn't be.
		{Name: "any-token-will-do", Requirement: "aep.http.credential",
			Summary: "That there is a token is looked at, and not which.",
			Apply: on.Authentication(func(r *http.Request, name string, err error) (string, error) {
				if err != nil && hasToken(r) {
					return "guest", nil
				}
				return name, err
			})},
		{Name: "known-address-needs-no-token", Requirement: "aep.http.credential", Stateful: true,
			Summary: "After the first request from an address, whoever comes from there is who came first.",
			Apply: alter.WithState(func(last *alter.PerKey[string]) on.Apply {
				return on.Authentication(func(r *http.Request, name string, err error) (string, error) {
					if err == nil {
						last.Set("", name)
					} else if known := last.Get(""); known != "" && !hasToken(r) {
						return known, nil
					}
					return name, err
				})
			})},
		{Name: "tokens-are-known-by-their-beginning", Requirement: "aep.threads.foreign", Stateful: true, Also: []string{"aep.http.credential", "aep.cancel.foreign"},
			Summary: "Who asks is remembered by the first 32 bytes of the token, which are the header of many a JSON Web Token.",
			Apply: alter.WithState(func(known *alter.PerKey[string]) on.Apply {
				return on.Authentication(func(r *http.Request, name string, err error) (string, error) {
					token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
					if len(token) < 32 {
						return name, err
					}
					if before := known.Get(token[:32]); before != "" {
						return before, nil
					}
					if err == nil {
						known.Set(token[:32], name)
					}
					return name, err
				})
			})},

		// Mutants that don't limit the rate of requests, or report the limit wrongly.
		{Name: "no-rate-limit", Requirement: "aep.http.rate-limit",
			Summary: "The limit is configured, and nobody counts.",
			Apply: func(o aep.Options) aep.Options {
				o.Admit = func(string) error { return nil }
				return o
			}},
		{Name: "refusal-gives-the-rate-back", Requirement: "aep.http.rate-limit", Stateful: true,
			Summary: "Whoever is refused because of too many requests may make as many again at once.",
			Apply: func(o aep.Options) aep.Options {
				var made alter.PerKey[int]
				rates := o.Rates
				o.Admit = func(principal string) error {
					rate, limited := rates[principal]
					if !limited || alter.Count(&made, principal) <= rate.Requests {
						return nil
					}
					made.Set(principal, 0)
					return &aep.Error{Code: "rate_limit_exceeded", Message: "too many requests"}
				}
				return o
			}},
	}
}
