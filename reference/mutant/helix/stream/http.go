package stream

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// httpMutants lists the mutants of http.
func httpMutants() []edit.Mutant {
	return []edit.Mutant{
		// These are found where nothing is.
		{Name: "unknown-stream-is-empty", Requirement: "helix.http.unknown-stream",
			Summary: "A resume waits on the channel of its stream without asking whether the stream exists.",
			Apply:   silentWhere(func(r helix.Reader) bool { return r.Cursor.Given })},
		{Name: "unknown-with-bad-cursor-breaks", Requirement: "helix.http.unknown-stream",
			Summary: "The message about a cursor that can't be read quotes the latest one, and there is no stream to take it from.",
			Apply: func(o reference.Options) reference.Options {
				return on.OnCursor(func(stream string, r *http.Request, read on.CursorReader) (helix.Cursor, error) {
					c, err := read(stream, r)
					if err == nil {
						return c, nil
					}
					if _, no := o.Store.Info(r.Context(), stream); no != nil {
						err = &helix.Error{Status: http.StatusInternalServerError, Message: "the server failed to answer"}
					}
					return c, err
				})(o)
			}},
		{Name: "unknown-stream-is-html-page", Requirement: "helix.http.unknown-stream",
			Summary: "A resume of what isn't found is answered 200 with the page of a web application, which is to sort out " +
				"the rest.",
			Also: []string{"helix.wire.content-type"},
			Wrap: alter.AnswersTo(readsFrom).When(alter.Status(http.StatusNotFound)).Replace(http.StatusOK, "text/html; charset=utf-8",
				"<!DOCTYPE html><title>Agents</title><div id=app></div>\n")},
		{Name: "streams-in-an-object", Requirement: "helix.http.unknown-stream", Stateful: true,
			Summary: "Streams are members of an object, which has inherited some that nobody made.",
			Apply: silentWhere(func(r helix.Reader) bool {
				return slices.Contains([]string{"constructor", "__proto__", "toString", "valueOf", "hasOwnProperty"}, r.Stream)
			})},

		// Mutants whose answers to all calls are wrong.
		{Name: "partial-content", Requirement: "helix.http.get",
			Summary: "A GET without a cursor is answered 206, as the part of a file that is there so far, which EventSource " +
				"refuses.",
			Also: []string{"helix.wire.content-type", "helix.wire.head", "helix.lifecycle.writer-creates"},
			Wrap: alter.AnswersTo(readsAll).When(alter.IsStream).As(http.StatusPartialContent)},
		{Name: "error-as-text", Requirement: "helix.http.error-body",
			Summary: "A 404 comes from the router and is plain text.",
			Wrap:    reads().When(alter.Status(http.StatusNotFound)).Replace(0, "text/plain; charset=utf-8", "404 page not found\n")},
		{Name: "http2-refused-stream", Requirement: "helix.http.version",
			Summary: "The read route takes over the connection, which HTTP/2 doesn't allow.",
			Wrap: alter.Answering(func(r *http.Request) bool { return edit.IsRead(r) && r.ProtoMajor == 2 }, http.StatusInternalServerError,
				"application/json", `{"error":"streaming is not supported","code":"framework_internal_error"}`)},
		{Name: "no-cors", Requirement: "helix.http.cors",
			Summary: "Preflights are answered for every origin, the stream itself is not.",
			Wrap:    streams().Set("Access-Control-Allow-Origin", "")},
	}
}

// silence is the subscription of a stream that doesn't exist.
type silence struct{}

func (silence) Next(ctx context.Context) ([]store.Event, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (silence) Close() {}

// onUnknown answers readers of streams that don't exist.
func onUnknown(answer func(r helix.Reader, err error) (store.Subscription, error)) on.Apply {
	return on.OnAttachment(func(ctx context.Context, s store.Store, r helix.Reader,
		attach on.Attachment) (store.Subscription, error) {
		sub, err := attach(ctx, s, r)
		if errors.Is(err, store.ErrUnknownStream) {
			return answer(r, err)
		}
		return sub, err
	})
}

// codeOfUnknown gives the answer for unknown streams another code.
func codeOfUnknown(code string) on.Apply {
	return onUnknown(func(helix.Reader, error) (store.Subscription, error) {
		return nil, &helix.Error{Status: http.StatusNotFound, Code: code, Message: strings.ToLower(http.StatusText(http.StatusNotFound))}
	})
}

// silentWhere lets some readers of streams that don't exist wait.
func silentWhere(hit func(r helix.Reader) bool) on.Apply {
	return onUnknown(func(r helix.Reader, err error) (store.Subscription, error) {
		if hit(r) {
			return silence{}, nil
		}
		return nil, err
	})
}
