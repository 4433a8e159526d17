package aep

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference/request"
)

// Handler serves agents. Make it with New.
type Handler struct {
	o        Options            // with defaults; never changes
	closing  context.Context    // done once Close was called, which ends all responses
	close    context.CancelFunc // of closing
	requests requests           // with open streams, and the latest without
}

// New makes a handler.
func New(o Options) *Handler {
	h := &Handler{o: o.WithDefaults()}
	h.closing, h.close = context.WithCancel(context.Background())
	return h
}

// Close ends every stream that is open, with an error that reports that it may be tried again.
func (h *Handler) Close() { h.close() }

// Serves reports whether a path is one of this protocol.
func Serves(escapedPath string) bool {
	return strings.HasPrefix(escapedPath, "/v1/agents/") || strings.HasPrefix(escapedPath, "/control/aep/")
}

// ServeHTTP implements http.Handler. It routes by the escaped path; each segment is decoded once.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	segments := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	serve := h.route(segments)
	for i := range segments {
		segment, err := url.PathUnescape(segments[i])
		if err != nil || segment == "" {
			serve = nil
		}
		segments[i] = segment
	}
	if serve == nil {
		h.refuse(w, r, &Error{Code: "not_found", Status: http.StatusNotFound, Message: "there is nothing at this path"})
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		h.refuse(w, r, &Error{
			Code: "method_not_allowed", Status: http.StatusMethodNotAllowed, Message: "the method is not allowed here",
		})
		return
	}
	// aep.http.failed-start: serve returns an error only before the head is sent.
	if err := serve(w, r, segments); err != nil {
		h.refuse(w, r, err)
	}
}

// serve answers a request, or returns why it is refused.
type serve func(w http.ResponseWriter, r *http.Request, segments []string) error

func (h *Handler) route(segments []string) serve {
	switch pattern := strings.Join(segments, "/"); {
	case pattern == "control/aep/release":
		return h.release
	case len(segments) < 4 || segments[0] != "v1" || segments[1] != "agents":
		return nil
	// aep.request.post: ServeHTTP refuses every method but POST.
	case len(segments) == 4 && segments[3] == "stream":
		return h.postRequest
	case len(segments) == 6 && segments[3] == "requests" && segments[5] == "cancel":
		return h.cancel
	}
	return nil
}

// body reads a body up to the limit.
func (h *Handler) body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	return request.Body(w, r, h.o.MaxBody, h.o.BodyTimeout)
}

// postRequest checks all conditions under which a request is refused, and streams the answer.
func (h *Handler) postRequest(w http.ResponseWriter, r *http.Request, segments []string) error {
	// aep.http.credential: the credential is checked before the body is read.
	principal, err := h.o.Authenticate(r)
	if err != nil {
		return err
	}
	// aep.http.rate-limit: the rate is checked before the body is read.
	if err := h.o.Admit(principal); err != nil {
		return err
	}
	body, err := h.body(w, r)
	if err != nil {
		return err
	}
	ask, err := h.o.Decode(body)
	if err != nil {
		return err
	}
	if err := h.o.Trust(r, &ask); err != nil {
		return err
	}
	for _, m := range ask.Messages {
		// aep.request.too-large: Text joins all blocks of the message.
		if len(m.Text()) > h.o.MaxMessage {
			return refusal("message_too_large", "a message is larger than "+strconv.Itoa(h.o.MaxMessage)+" bytes")
		}
	}
	thread, err := h.enter(principal, ask)
	if err != nil {
		return err
	}
	// aep.threads.history: Say returns the earlier messages of both sides, which go to the agent.
	// aep.threads.unfinished: the user's messages are kept before anything can fail.
	// aep.events.unique-request: NewID never returns an id twice.
	id := h.o.NewID(RequestID)
	history := h.o.Threads.Say(thread, ask.messages(id))
	h.answer(w, r, Request{
		ID: id, Agent: segments[2], Principal: principal, Thread: thread,
		Message: h.o.NewID(MessageID), Body: ask, HTTP: r,
	}, history)
	return nil
}

// enter finds the request's thread, or begins one, and takes the results of actions. Nothing has changed if it fails.
func (h *Handler) enter(principal string, ask RequestBody) (thread string, err error) {
	if ask.Thread != "" {
		// aep.threads.unknown, aep.threads.foreign: the check comes before anything changes.
		if err := h.o.Threads.Check(principal, ask.Thread); err != nil {
			return "", err
		}
	}
	if ask.Script != nil && ask.Script.Refuse != "" {
		return "", refusal(ask.Script.Refuse, "the request failed before its stream had begun")
	}
	// aep.actions.left-open: a request without results resolves nothing.
	if len(ask.Results) > 0 {
		// aep.actions.resumed: after Resolve the request is served like any other.
		if err := h.o.Actions.Resolve(principal, ask.Thread, ask.resolves()); err != nil {
			return "", err
		}
	}
	if ask.Thread != "" {
		// aep.threads.echoed, aep.actions.same-thread: the response names the thread of the request.
		return ask.Thread, nil
	}
	// aep.threads.created: a new id makes a new thread.
	thread = h.o.NewID(ThreadID)
	return thread, h.o.Threads.Begin(principal, thread)
}

// cancel ends a request of the same principal. The requests of others are unknown to it.
func (h *Handler) cancel(w http.ResponseWriter, r *http.Request, segments []string) error {
	principal, err := h.o.Authenticate(r)
	if err != nil {
		return err
	}
	body, err := h.body(w, r)
	if err != nil {
		return err
	}
	reason := ""
	if len(body) > 0 {
		members := objectOf(body)
		if members == nil {
			return invalid("the body is not an object")
		}
		if raw, ok := members["reason"]; ok {
			if reason, ok = textOf(raw); !ok {
				return invalid("/reason is not a string")
			}
		}
	}
	id := segments[4]
	victims := h.o.Cancelled(h.requests.open(), principal, id)
	if len(victims) == 0 && !h.requests.owned(principal, id) {
		return &Error{Code: "request_not_found", Status: http.StatusNotFound, Message: "there is no such request"}
	}
	h.requests.cancel(victims, reason)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// release opens a barrier for a script.
func (h *Handler) release(w http.ResponseWriter, r *http.Request, _ []string) error {
	if !hasToken(h.o.ControlToken, r.Header.Get("X-Streamcert-Control")) {
		return &Error{Code: "control_denied", Status: http.StatusForbidden, Message: "control calls need their token"}
	}
	if err := request.Local(r, h.o.KnownHost, h.o.ControlToken != ""); err != nil {
		return err
	}
	body, err := h.body(w, r)
	if err != nil {
		return err
	}
	members := objectOf(body)
	id, ok := textOf(members["requestId"])
	barrier, named := textOf(members["barrier"])
	if !ok || id == "" || !named || barrier == "" {
		return invalid("a release needs a /requestId and a /barrier")
	}
	if !h.requests.release(id, barrier) {
		return &Error{Code: "request_not_found", Status: http.StatusNotFound, Message: "there is no such request"}
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
