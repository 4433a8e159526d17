package aep

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
)

func http_() []Mutant { return slices.Concat(httpStatuses(), httpStarts(), httpBodies(), httpDoors()) }

// httpStatuses answer with the wrong status or code.
func httpStatuses() []Mutant {
	return []Mutant{{
		Name: "unknown-thread-is-a-bad-request", Requirement: "aep.http.status",
		Summary: "A thread that isn't there is a mistake of the client, and answered 400.",
		Also:    []string{"aep.threads.unknown"},
		Wrap: onRefusals(func(a *refusal) {
			if a.code() == "thread_not_found" {
				a.status = http.StatusBadRequest
			}
		}),
	}, {
		Name: "every-error-is-500", Requirement: "aep.http.status",
		Summary: "Every refusal is thrown, and whatever is thrown is answered 500.",
		Also:    []string{"aep.request.malformed", "aep.threads.unknown", "aep.http.credential"},
		Wrap:    onRefusals(func(a *refusal) { a.status = http.StatusInternalServerError }),
	}, {
		Name: "bad-request-code", Requirement: "aep.http.code",
		Summary: "The code of a refusal is the status in words, which the protocol doesn't know.",
		Wrap: onRefusals(func(a *refusal) {
			a.members(func(m object) {
				m["code"] = alter.Encode(strings.ReplaceAll(strings.ToLower(http.StatusText(a.status)), " ", "_"))
			})
		}),
	}, {
		Name: "action-error-is-a-format-error", Requirement: "aep.http.code",
		Summary: "An action that is unknown or resolved already is a message in a wrong format.",
		Apply: onResolve(func(inner aep.Actions) func(string, string, []string) error {
			return func(owner, thread string, ids []string) error {
				if err := inner.Resolve(owner, thread, ids); err != nil {
					return invalid(err.Error())
				}
				return nil
			}
		}),
	}, {
		Name: "limits-have-own-codes", Requirement: "aep.http.code", Stateful: true,
		Summary: "What is too large or too often is refused with a code of the server's own.",
		Wrap: onRefusals(func(a *refusal) {
			if a.status == http.StatusRequestEntityTooLarge || a.status == http.StatusTooManyRequests {
				a.members(func(m object) { m["code"] = alter.Encode("over_the_limit") })
			}
		}),
	}}
}

// httpStarts get failures before the stream wrong.
func httpStarts() []Mutant {
	return []Mutant{{
		Name: "failed-start-is-empty", Requirement: "aep.http.failed-start",
		Summary: "A failure before the stream is a stream with nothing in it.",
		Also:    []string{"aep.flow.terminal"},
		Wrap: onRefusals(func(a *refusal) {
			if a.status >= http.StatusInternalServerError {
				a.status, a.kind, a.body = http.StatusOK, "text/event-stream", nil
			}
		}),
	}, {
		Name: "agent-error-before-the-stream", Requirement: "aep.http.in-stream-codes",
		Summary: "A failure before the stream is reported as one of the agent.",
		Wrap: onRefusals(func(a *refusal) {
			if a.status >= http.StatusInternalServerError {
				a.status = http.StatusInternalServerError
				a.members(func(m object) { m["code"], m["retryable"] = alter.Encode("agent_error"), json.RawMessage("false") })
			}
		}),
	}}
}

// httpBodies get the bodies of refusals wrong.
func httpBodies() []Mutant {
	return []Mutant{{
		Name: "plain-text-errors", Requirement: "aep.http.error-body",
		Summary: "An error is a line of text.",
		Also:    []string{"aep.http.code", "aep.threads.foreign-status"},
		Wrap: onRefusals(func(a *refusal) {
			a.kind, a.body = "text/plain; charset=utf-8", []byte(http.StatusText(a.status)+"\n")
		}),
	}, {
		Name: "errors-have-a-detail", Requirement: "aep.http.error-body",
		Summary: "An error is what the framework makes of it, an object with a detail.",
		Also:    []string{"aep.http.code", "aep.threads.foreign-status"},
		Wrap: onRefusals(func(a *refusal) {
			a.body = alter.Encode(map[string]string{"detail": http.StatusText(a.status)})
		}),
	}, {
		Name: "http-error-is-no-event", Requirement: "aep.http.error-event",
		Summary: "The body of an error has a code and a message, and nothing that an event has.",
		Wrap: onRefusals(func(a *refusal) {
			a.members(func(m object) {
				delete(m, "event")
				delete(m, "requestId")
				delete(m, "timestamp")
			})
		}),
	}, {
		Name: "refused-requests-have-no-id", Requirement: "aep.http.error-event",
		Summary: "A request that is refused isn't given an id.",
		Wrap: onRefusals(func(a *refusal) {
			a.members(func(m object) { delete(m, "requestId") })
		}),
	}}
}

// httpDoors let in who shouldn't be.
func httpDoors() []Mutant {
	return []Mutant{{
		Name: "open-door", Requirement: "aep.http.credential",
		Summary: "Whoever brings no credential is let in as a guest.",
		Apply: onAuthentication(func(r *http.Request, name string, err error) (string, error) {
			if r.Header.Get("Authorization") == "" {
				return "guest", nil
			}
			return name, err
		}),
	}, {
		Name: "any-token-will-do", Requirement: "aep.http.credential",
		Summary: "That there is a token is looked at, and not which.",
		Apply: onAuthentication(func(r *http.Request, name string, err error) (string, error) {
			if err != nil && r.Header.Get("Authorization") != "" {
				return "guest", nil
			}
			return name, err
		}),
	}, {
		Name: "known-address-needs-no-token", Requirement: "aep.http.credential", Stateful: true,
		Summary: "After the first request from an address, whoever comes from there is who came first.",
		Apply:   remembersAddress,
	}, {
		Name: "forbidden-in-place-of-unauthorized", Requirement: "aep.http.credential",
		Summary: "A client without a credential gets the answer that it is forbidden.",
		Wrap: onRefusals(func(a *refusal) {
			if a.status == http.StatusUnauthorized {
				a.status = http.StatusForbidden
				a.members(func(m object) { m["code"] = alter.Encode("access_denied") })
			}
		}),
	}, {
		Name: "no-rate-limit", Requirement: "aep.http.rate-limit",
		Summary: "The limit is configured, and nobody counts.",
		Apply: func(o aep.Options) aep.Options {
			o.Admit = func(string) error { return nil }
			return o
		},
	}, {
		Name: "rate-limit-is-unavailable", Requirement: "aep.http.rate-limit", Stateful: true,
		Summary: "A client that has asked too often gets the answer that the service is not available.",
		Wrap: onRefusals(func(a *refusal) {
			if a.status == http.StatusTooManyRequests {
				a.status = http.StatusServiceUnavailable
				a.members(func(m object) { m["code"] = alter.Encode("unavailable") })
			}
		}),
	}}
}

// onAuthentication changes who somebody is.
func onAuthentication(change func(r *http.Request, name string, err error) (string, error)) apply {
	return func(o aep.Options) aep.Options {
		inner := o.Authenticate
		o.Authenticate = func(r *http.Request) (string, error) {
			name, err := inner(r)
			return change(r, name, err)
		}
		return o
	}
}

// remembersAddress lets in who comes from an address that somebody was let in from, if there is no credential at all.
func remembersAddress(o aep.Options) aep.Options {
	var last locked[string]
	return onAuthentication(func(r *http.Request, name string, err error) (string, error) {
		last.do(func(known *string) {
			var refused *aep.Error
			switch {
			case err == nil:
				*known = name
			case errors.As(err, &refused) && r.Header.Get("Authorization") == "" && *known != "":
				name, err = *known, nil
			}
		})
		return name, err
	})(o)
}
