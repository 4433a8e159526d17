package campaignonly

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// spelling are mutants that read some spellings of JSON only, though all mean the same.
func spelling() []edit.Mutant {
	return []edit.Mutant{
		{Name: "escaped-pairs-are-halves", Requirement: "aep.request.text-blocks", Also: []string{"aep.content.text", "aep.threads.history", "aep.request.context"},
			Summary: "Of a character that is escaped as a pair the first half is lost.",
			Apply: onBodyText(func(body []byte) ([]byte, error) {
				return bytes.ReplaceAll(body, []byte(`\ud83d\u`), []byte(`\ufffd\u`)), nil
			})},
		{Name: "bodies-begin-with-a-brace", Requirement: "aep.request.post",
			Summary: "A body with white space before the object is refused.",
			Apply: onBodyText(func(body []byte) ([]byte, error) {
				if !bytes.HasPrefix(body, []byte("{")) {
					return nil, &aep.Error{Code: "invalid_message_format", Message: "the body is not an object"}
				}
				return body, nil
			})},
		{Name: "bodies-without-a-length-are-short", Requirement: "aep.request.post", Also: []string{"aep.request.text-blocks"},
			Summary: "What a body has beyond 64 KiB is read by its Content-Length; where that isn't said, the rest is cut off.",
			Wrap: on.Requests(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				if complete := r.Body; r.ContentLength < 0 && strings.HasSuffix(r.URL.Path, "/stream") {
					r.Body = truncatedBody{io.LimitReader(complete, 64<<10), complete}
				}
				next.ServeHTTP(w, r)
			})},
		{Name: "bodies-without-a-length-are-empty", Requirement: "aep.request.post",
			Summary: "Of a body as many bytes are read as Content-Length says, and none where it isn't said.",
			Wrap: on.Requests(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				if r.ContentLength < 0 && strings.HasSuffix(r.URL.Path, "/stream") {
					r.Body = http.NoBody
				}
				next.ServeHTTP(w, r)
			})},
	}
}

// truncatedBody is the beginning of a body; Close closes the body itself.
type truncatedBody struct {
	io.Reader
	io.Closer
}

// onBodyText changes a body before it is read, or refuses it.
func onBodyText(change func(body []byte) ([]byte, error)) on.Apply {
	return func(o aep.Options) aep.Options {
		decode := o.Decode
		o.Decode = func(body []byte) (aep.RequestBody, error) {
			body, err := change(body)
			if err != nil {
				return aep.RequestBody{}, err
			}
			return decode(body)
		}
		return o
	}
}

// connections are mutants that take a connection for a user, know one version of HTTP, or read half of a credential.
func connections() []edit.Mutant {
	return []edit.Mutant{
		{Name: "credential-of-the-connection", Requirement: "aep.http.credential", Also: []string{"aep.threads.foreign", "aep.request.post"},
			Summary: "Who asks is found out once for each connection.", Apply: alter.WithState(connected)},
		{Name: "cancelled-over-http-1-only", Requirement: "aep.cancel.aborted",
			Summary: "A cancellation doesn't find a request that came over HTTP/2.",
			Apply: func(o aep.Options) aep.Options {
				inner := o.Cancelled
				o.Cancelled = func(live []aep.Request, principal, id string) []string {
					live = slices.DeleteFunc(slices.Clone(live), func(r aep.Request) bool { return r.HTTP.ProtoMajor == 2 })
					return inner(live, principal, id)
				}
				return o
			}},
		{Name: "half-a-credential-will-do", Requirement: "aep.http.credential",
			Summary: "A credential is compared as far as it goes.",
			Apply: func(o aep.Options) aep.Options {
				return onAuthenticate(o, func(r *http.Request, inner authenticate) (string, error) {
					principal, err := inner(r)
					half, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
					for token, name := range o.Principals {
						if ok && half != "" && strings.HasPrefix(token, half) {
							return name, nil
						}
					}
					return principal, err
				})
			}},
		{Name: "nobody-may-cancel", Requirement: "aep.cancel.foreign",
			Summary: "A cancellation needs no credential.",
			Apply: func(o aep.Options) aep.Options {
				inner := o.Cancelled
				o.Cancelled = func(live []aep.Request, principal, id string) []string {
					if principal == "" {
						return []string{id}
					}
					return inner(live, principal, id)
				}
				return onAuthenticate(o, func(r *http.Request, inner authenticate) (string, error) {
					if strings.HasSuffix(r.URL.Path, "/cancel") && r.Header.Get("Authorization") == "" {
						return "", nil
					}
					return inner(r)
				})
			}},
		{Name: "failures-name-the-credential", Requirement: "aep.security.no-secret-echo",
			Summary: "The message of a failure during a stream holds the headers of the request.",
			Apply: on.Events(on.Kind(aep.Failed)).EditIn(func(r aep.Request, e *aep.Event) {
				e.Message += " (" + r.HTTP.Header.Get("Authorization") + ")"
			})},
	}
}

// trust lists mutants that trust properties of a connection or a header in addition to the credential, or repeat it.
func trust() []edit.Mutant {
	return []edit.Mutant{
		{Name: "connections-are-trusted", Requirement: "aep.http.credential",
			Summary: "Who shows no credential is who showed one on the connection before.", Apply: alter.WithState(trusting)},
		{Name: "credential-of-another-scheme-is-quoted", Requirement: "aep.security.no-secret-echo",
			Summary: "A refusal says which Authorization is no bearer token.",
			Apply: on.Authentication(func(r *http.Request, name string, err error) (string, error) {
				if emitted := r.Header.Get("Authorization"); err != nil && emitted != "" && !strings.HasPrefix(strings.ToLower(emitted), "bearer ") {
					err = &aep.Error{Code: "auth_failed", Message: emitted + " is no bearer token"}
				}
				return name, err
			})},
		{Name: "scheme-is-quoted", Requirement: "aep.security.no-secret-echo",
			Summary: "A refusal says which scheme came in place of Bearer: what stands before the first space, which of a client that forgot the scheme is its token.",
			Apply: on.Authentication(func(r *http.Request, name string, err error) (string, error) {
				if scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " "); err != nil && scheme != "" && !strings.EqualFold(scheme, "Bearer") {
					err = &aep.Error{Code: "auth_failed", Message: "a bearer token is needed, and not " + scheme}
				}
				return name, err
			})},
		{Name: "requests-without-a-message-share-an-id", Requirement: "aep.events.unique-request",
			Summary: "The id of a request is made of its thread and of what was said there: the next one has it too where nothing was said.",
			Apply: alter.WithState(func(emitted *alter.PerKey[int]) on.Apply {
				return on.Events(on.Any()).EditIn(func(r aep.Request, e *aep.Event) {
					if e.Kind == aep.Metadata && len(r.Body.Messages) > 0 {
						alter.Count(emitted, r.Thread)
					}
					if len(r.Body.Messages) == 0 {
						e.RequestID = fmt.Sprintf("request-%s-%d", r.Thread, emitted.Get(r.Thread))
					}
				})
			})},
		{Name: "requests-are-what-clients-call-them", Requirement: "aep.events.unique-request",
			Summary: "A request has the id that its header X-Request-Id says, which a client may say twice.",
			Apply: on.Events(on.Any()).EditIn(func(r aep.Request, e *aep.Event) {
				e.RequestID = cmp.Or(r.HTTP.Header.Get("X-Request-Id"), e.RequestID)
			})},
	}
}

// authenticate returns the user of a request.
type authenticate = func(*http.Request) (principal string, err error)

func onAuthenticate(o aep.Options, change func(r *http.Request, inner authenticate) (string, error)) aep.Options {
	inner := o.Authenticate
	o.Authenticate = func(r *http.Request) (string, error) { return change(r, inner) }
	return o
}

// connected remembers the first user of a connection.
func connected(known *alter.PerKey[string]) func(aep.Options) aep.Options {
	return func(o aep.Options) aep.Options {
		return onAuthenticate(o, func(r *http.Request, inner authenticate) (principal string, err error) {
			known.With(r.RemoteAddr, func(who *string) {
				if *who == "" {
					*who, err = inner(r)
				}
				principal = *who
			})
			return principal, err
		})
	}
}

// trusting remembers who showed a credential last over a connection.
func trusting(known *alter.PerKey[string]) func(aep.Options) aep.Options {
	return func(o aep.Options) aep.Options {
		return onAuthenticate(o, func(r *http.Request, inner authenticate) (string, error) {
			principal, err := inner(r)
			if err == nil {
				known.Set(r.RemoteAddr, principal)
				return principal, nil
			}
			if before := known.Get(r.RemoteAddr); before != "" && r.Header.Get("Authorization") == "" {
				return before, nil
			}
			return "", err
		})
	}
}
