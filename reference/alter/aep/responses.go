package aep

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/reference/alter"
)

// Requests handles requests to agents, those that when matches if it is given; control calls pass unchanged.
func Requests(serve func(next http.Handler, w http.ResponseWriter, r *http.Request), when ...func(*http.Request) bool) alter.Around {
	return alter.OnRequests(func(r *http.Request) bool {
		return !alter.IsControl(r) && !slices.ContainsFunc(when, func(hit func(*http.Request) bool) bool { return !hit(r) })
	}, serve)
}

// Streams changes the responses that are streams. The function is called once for each request.
func Streams(begin func(w *alter.Response, r *http.Request)) alter.Around {
	return Requests(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		changed := &alter.Response{ResponseWriter: w, StreamOnly: true}
		begin(changed, r)
		next.ServeHTTP(changed, r)
	})
}

// Heads changes the heads of streams.
func Heads(change func(h http.Header)) alter.Around { return streams().Header(change) }

// Head sets a header of streams.
func Head(name, value string) alter.Around { return streams().Set(name, value) }

func streams() alter.Answers {
	return alter.AnswersTo(func(r *http.Request) bool { return !alter.IsControl(r) }).When(alter.IsStream)
}

// Refusal is an answer with an error status.
type Refusal struct {
	Status  int
	Kind    string // the content type of the body
	Body    []byte
	Request *http.Request
}

// Members changes the members of the body, if it is an object.
func (a *Refusal) Members(change func(members alter.Object)) {
	if members := alter.Members(a.Body); members != nil {
		change(members)
		a.Body = alter.Encode(members)
	}
}

// Become gives it another status, and another code unless that is empty.
func (a *Refusal) Become(status int, code string) {
	a.Status = status
	if code != "" {
		a.Members(func(o alter.Object) { o.Set("code", code) })
	}
}

// Refusals selects the answers with an error status for which conditions hold.
type Refusals struct{ when []func(*Refusal) bool }

// RefusalsWhen selects the answers with an error status for which all conditions hold; without any, all of them.
func RefusalsWhen(when ...func(*Refusal) bool) Refusals { return Refusals{when} }

// Status matches answers with one of some statuses.
func Status(statuses ...int) func(*Refusal) bool {
	return func(a *Refusal) bool { return slices.Contains(statuses, a.Status) }
}

// ServerError matches answers with a 5xx status.
func ServerError(a *Refusal) bool { return a.Status >= http.StatusInternalServerError }

// Coded matches answers with a code.
func Coded(code string) func(*Refusal) bool {
	return func(a *Refusal) bool { return alter.Members(a.Body).Text("code") == code }
}

// As gives them another status, and another code unless that is empty.
func (f Refusals) As(status int, code string) alter.Around {
	return f.Edit(func(a *Refusal) { a.Become(status, code) })
}

// Remove takes members of their bodies away.
func (f Refusals) Remove(names ...string) alter.Around {
	return f.Edit(func(a *Refusal) { a.Members(func(o alter.Object) { o.Remove(names...) }) })
}

// Edit changes each.
func (f Refusals) Edit(change func(a *Refusal)) alter.Around {
	return Requests(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		held := &holding{ResponseWriter: w}
		next.ServeHTTP(held, r)
		if held.status == 0 {
			return
		}
		a := &Refusal{Status: held.status, Kind: w.Header().Get("Content-Type"), Body: held.body.Bytes(), Request: r}
		if !slices.ContainsFunc(f.when, func(hit func(*Refusal) bool) bool { return !hit(a) }) {
			change(a)
		}
		w.Header().Set("Content-Type", a.Kind)
		w.Header().Set("Content-Length", strconv.Itoa(len(a.Body)))
		w.WriteHeader(a.Status)
		_, _ = w.Write(a.Body) // a client that has gone needs no answer
	})
}

// holding keeps answers with an error status back.
type holding struct {
	http.ResponseWriter
	status int // 0: not an error
	body   bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (w *holding) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *holding) Write(p []byte) (int, error) {
	if w.status != 0 {
		return w.body.Write(p)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets a ResponseController reach the connection.
func (w *holding) Unwrap() http.ResponseWriter { return w.ResponseWriter }
