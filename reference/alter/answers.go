package alter

import (
	"cmp"
	"io"
	"net/http"
	"slices"
	"strings"
)

// Answers selects the responses to some requests. Its methods change those for which all conditions hold, and leave the
// others unchanged.
type Answers struct {
	of   func(*http.Request) bool
	when []HeadCondition
}

// HeadCondition is a condition on the head of a response.
type HeadCondition = func(status int, h http.Header) bool

// AnswersTo selects the responses to the requests that of matches.
func AnswersTo(of func(*http.Request) bool) Answers { return Answers{of: of} }

// When restricts the selection to those for which all conditions hold.
func (a Answers) When(conditions ...HeadCondition) Answers {
	a.when = append(slices.Clip(a.when), conditions...)
	return a
}

// Status matches responses with one of some statuses.
func Status(statuses ...int) HeadCondition {
	return func(status int, _ http.Header) bool { return slices.Contains(statuses, status) }
}

// Edit changes each before its head is sent: change returns the status to send, and may set functions of the response that
// change its body.
func (a Answers) Edit(change func(w *Response, r *http.Request, status int) int) Around {
	return OnResponses(a.of, func(w *Response, r *http.Request) {
		w.Head = func(status int) int {
			for _, hit := range a.when {
				if !hit(status, w.Header()) {
					return status
				}
			}
			return change(w, r, status)
		}
	})
}

// Header changes the header of each.
func (a Answers) Header(change func(h http.Header)) Around {
	return a.Edit(func(w *Response, _ *http.Request, status int) int {
		change(w.Header())
		return status
	})
}

// Set sets a header of each; an empty value removes it.
func (a Answers) Set(name, value string) Around {
	return a.Header(func(h http.Header) {
		h.Set(name, value)
		if value == "" {
			h.Del(name)
		}
	})
}

// As gives each another status.
func (a Answers) As(status int) Around {
	return a.Edit(func(*Response, *http.Request, int) int { return status })
}

// Body changes the bytes of each, as they are written.
func (a Answers) Body(change func(written []byte) []byte) Around {
	return a.Edit(func(w *Response, _ *http.Request, status int) int {
		w.Header().Del("Content-Length") // it may be another one
		w.Body = change
		return status
	})
}

// Send writes the bytes of each in another way.
func (a Answers) Send(write func(w http.ResponseWriter, p []byte) error) Around {
	return a.Edit(func(w *Response, _ *http.Request, status int) int {
		w.Send = write
		return status
	})
}

// Replace sends another content type and body, and another status unless that is 0.
func (a Answers) Replace(status int, contentType, body string) Around {
	return a.Edit(func(w *Response, _ *http.Request, was int) int {
		return w.Replace(cmp.Or(status, was), contentType, body)
	})
}

// InPieces returns a way to send: it flushes size bytes at a time.
func InPieces(size int) func(w http.ResponseWriter, p []byte) error {
	return func(w http.ResponseWriter, p []byte) error {
		for piece := range slices.Chunk(p, size) {
			if _, err := w.Write(piece); err != nil {
				return err
			}
			if err := http.NewResponseController(w).Flush(); err != nil {
				return err
			}
		}
		return nil
	}
}

// InLowerCase writes the names of headers in lower case, and the media type of streams not.
func InLowerCase(h http.Header) {
	h.Set("Content-Type", "Text/Event-Stream")
	for name, values := range h.Clone() {
		h[name] = nil // so that the server doesn't fill it in
		h[strings.ToLower(name)] = values
	}
}

// Answering answers the requests that of matches instead of the server. Without a content type there is no body.
func Answering(of func(*http.Request) bool, status int, contentType, body string) Around {
	return OnRequests(of, func(_ http.Handler, w http.ResponseWriter, _ *http.Request) {
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		w.WriteHeader(status)
		if contentType != "" {
			_, _ = w.Write([]byte(body)) // a client that has gone needs no answer
		}
	})
}

// longestBody limits the bytes of a request's body that are read; later bytes are dropped.
const longestBody = 32 << 20

// OnBodies changes the bodies of the requests that of matches, before the server reads them.
func OnBodies(of func(*http.Request) bool, change func(body []byte) []byte) Around {
	return OnRequests(of, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, longestBody))
		if err != nil { // the client has gone
			panic(http.ErrAbortHandler)
		}
		r = r.Clone(r.Context())
		SetBody(r, change(body))
		next.ServeHTTP(w, r)
	})
}
