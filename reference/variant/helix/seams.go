package helix

import (
	"context"
	"net/http"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// apply changes the options of a server.
type apply = seams.Apply

// around stands around the handler of a server.
type around = alter.Around

// onBlocks changes the blocks of a response, each with its blank line. The function is called once for each response
// and makes the function that changes its blocks.
func onBlocks(begin func() func(block []byte, e store.Event) []byte) apply {
	return seams.OnBytes(func(reference.Options, helix.Reader) func([]byte, store.Event) []byte { return begin() })
}

// onEachBlock changes blocks without remembering anything.
func onEachBlock(change func(block []byte, e store.Event) []byte) apply {
	return onBlocks(func() func([]byte, store.Event) []byte { return change })
}

// onJSON changes the JSON of every frame.
func onJSON(change func(frame []byte, e store.Event) []byte) apply {
	return onEachBlock(func(block []byte, e store.Event) []byte {
		return alter.OnData(block, func(frame []byte) []byte { return change(frame, e) })
	})
}

const dataField = "data: "

// onAttach puts something around the subscription of each reader.
func onAttach(wrap func(r helix.Reader, s store.Subscription) store.Subscription) apply {
	return seams.OnAttach(func(_ store.Store, r helix.Reader, s store.Subscription) store.Subscription { return wrap(r, s) })
}

// onStore puts a store around the store. The function is called once for each server.
func onStore(wrap func(inner store.Store) store.Store) apply {
	return func(o reference.Options) reference.Options {
		o.Store = wrap(o.Store)
		return o
	}
}

// over is a context that is done: what a subscription has ready it returns nevertheless.
func over() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// isFinished says whether a stream has its terminal frame.
func isFinished(i store.Info) bool { return i.Status == store.Ended || i.Status == store.Failed }

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
