package helix

import (
	"context"
	"net/http"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// apply changes the options of a server.
type apply = on.Apply

// around stands around the handler of a server.
type around = alter.Around

const dataField = "data: "

// onAttach puts something around the subscription of each reader.
func onAttach(wrap func(r helix.Reader, s store.Subscription) store.Subscription) apply {
	return on.OnAttach(func(_ store.Store, r helix.Reader, s store.Subscription) store.Subscription { return wrap(r, s) })
}

// over is a context that is done: what a subscription has ready it returns nevertheless.
func over() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// refusal is an answer without a code, since most refusals have none.
func refusal(status int, message string) *helix.Error {
	return &helix.Error{Status: status, Message: message}
}

// onHead changes the heads of streams.
func onHead(change func(h http.Header, r *http.Request)) around {
	return alter.OnResponses(alter.Any, func(w *alter.Response, r *http.Request) {
		w.StreamOnly = true
		w.Head = func(status int) int {
			change(w.Header(), r)
			return status
		}
	})
}

// onBody changes the bytes of streams, as they are written.
func onBody(change func(p []byte) []byte) around {
	return alter.OnResponses(alter.Any, func(w *alter.Response, _ *http.Request) {
		w.StreamOnly, w.Body = true, change
	})
}
