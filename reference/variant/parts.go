package variant

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// apply is what a variant does to the options of its server.
type apply = func(reference.Options) reference.Options

// around is what a variant puts around the handler of its server.
type around = func(http.Handler) http.Handler

// encoder makes a function an Encoder.
type encoder func(dst []byte, e store.Event) []byte

func (f encoder) Append(dst []byte, e store.Event) []byte { return f(dst, e) }

// onBlocks changes the blocks of a response, each with its blank line. The function is called once for each response
// and makes the function that changes its blocks.
func onBlocks(begin func() func(block []byte, e store.Event) []byte) apply {
	return func(o reference.Options) reference.Options {
		inner := o.Encoder
		o.Encoder = func(r helix.Reader) helix.Encoder {
			encode, change := inner(r), begin()
			return encoder(func(dst []byte, e store.Event) []byte {
				return append(dst, change(encode.Append(nil, e), e)...)
			})
		}
		return o
	}
}

// onEachBlock changes blocks without remembering anything.
func onEachBlock(change func(block []byte, e store.Event) []byte) apply {
	return onBlocks(func() func([]byte, store.Event) []byte { return change })
}

const dataField = "data: "

// onJSON changes the JSON of every frame.
func onJSON(change func(frame []byte, e store.Event) []byte) apply {
	return onEachBlock(func(block []byte, e store.Event) []byte {
		head, frame, _ := bytes.Cut(block, []byte(dataField))
		frame = change(bytes.TrimSuffix(frame, []byte("\n\n")), e)
		return slices.Concat(head, []byte(dataField), frame, []byte("\n\n"))
	})
}

// onAttach puts something around the subscription of each reader.
func onAttach(wrap func(r helix.Reader, s store.Subscription) store.Subscription) apply {
	return onAttaching(func(ctx context.Context, s store.Store, r helix.Reader,
		attach attachment) (store.Subscription, error) {
		sub, err := attach(ctx, s, r)
		if err != nil {
			return nil, err
		}
		return wrap(r, sub), nil
	})
}

// attachment is how a reader gets its subscription.
type attachment = func(context.Context, store.Store, helix.Reader) (store.Subscription, error)

// onAttaching attaches readers in its own way.
func onAttaching(wrap func(ctx context.Context, s store.Store, r helix.Reader,
	attach attachment) (store.Subscription, error)) apply {
	return func(o reference.Options) reference.Options {
		attach := o.Attach
		o.Attach = func(ctx context.Context, s store.Store, r helix.Reader) (store.Subscription, error) {
			return wrap(ctx, s, r, attach)
		}
		return o
	}
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

// response is a ResponseWriter that does some things differently; each function may be nil.
type response struct {
	http.ResponseWriter
	head  func(status int) int                        // before the head is sent; returns the status to send
	write func(w http.ResponseWriter, p []byte) error // called instead of a write
	flush func(flush func() error) error              // called instead of a flush
	sent  bool
}

func (w *response) WriteHeader(status int) {
	if w.head != nil && !w.sent {
		status = w.head(status)
	}
	w.sent = true
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(p []byte) (int, error) {
	if w.write == nil {
		return w.ResponseWriter.Write(p)
	}
	if err := w.write(w.ResponseWriter, p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// FlushError is how a ResponseController flushes.
func (w *response) FlushError() error {
	flush := http.NewResponseController(w.ResponseWriter).Flush
	if w.flush != nil {
		return w.flush(flush)
	}
	return flush()
}

// Unwrap lets a ResponseController reach the deadlines of the connection.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// instead answers with another status and body.
func (w *response) instead(status int, contentType, body string) int {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.write = func(inner http.ResponseWriter, _ []byte) error {
		_, err := inner.Write([]byte(body))
		return err
	}
	return status
}

// onResponse changes answers. The function is called once for each request.
func onResponse(begin func(w *response, r *http.Request)) around {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			changed := &response{ResponseWriter: w}
			begin(changed, r)
			next.ServeHTTP(changed, r)
		})
	}
}

// onHead changes the heads of streams.
func onHead(change func(h http.Header, r *http.Request)) around {
	return onResponse(func(w *response, r *http.Request) {
		w.head = func(status int) int {
			if isStream(status, w.Header()) {
				change(w.Header(), r)
			}
			return status
		}
	})
}

// onBody changes the bytes of streams, as they are written.
func onBody(change func(p []byte) []byte) around {
	return onResponse(func(w *response, _ *http.Request) {
		w.head = func(status int) int {
			if isStream(status, w.Header()) {
				w.write = func(w http.ResponseWriter, p []byte) error {
					_, err := w.Write(change(p))
					return err
				}
			}
			return status
		}
	})
}

// isStream says whether a head is that of a stream.
func isStream(status int, h http.Header) bool {
	return status == http.StatusOK && strings.HasPrefix(h.Get("Content-Type"), "text/event-stream")
}

// isControl says whether a request is a control call.
func isControl(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/control/") }
