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

// around wraps the handler of a server.
type around = alter.Around

const dataField = "data: "

// onAttach wraps the subscription of each reader.
func onAttach(wrap func(r helix.Reader, s store.Subscription) store.Subscription) apply {
	return on.OnAttach(func(_ store.Store, r helix.Reader, s store.Subscription) store.Subscription { return wrap(r, s) })
}

// over returns a done context: a subscription still returns the events that are ready.
func over() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// refusal returns an answer without a code, since most refusals have none.
func refusal(status int, message string) *helix.Error {
	return &helix.Error{Status: status, Message: message}
}

// streams returns the answers that are streams, and others those that aren't control calls.
func streams() alter.Answers { return alter.AnswersTo(alter.Any).When(alter.IsStream) }

func others() alter.Answers {
	return alter.AnswersTo(func(r *http.Request) bool { return !alter.IsControl(r) })
}
