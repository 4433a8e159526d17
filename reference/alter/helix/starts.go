package helix

import (
	"context"
	"net/http"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// Start is a reader with the position from which it requests to be served.
type Start struct {
	helix.Cursor
	store.Info // of its stream
}

// Finished reports whether the stream is over.
func (s Start) Finished() bool { return Finished(s.Info) }

// Unfinished reports whether it isn't.
func (s Start) Unfinished() bool { return !s.Finished() }

// HasAll reports whether the reader has the last chunk that there is.
func (s Start) HasAll() bool { return s.After > 0 && s.After == s.LatestSequence }

// StartChoice selects some of the positions from which readers request to be served.
type StartChoice struct{ when []func(s Start) bool }

// Starts selects those for which all conditions hold; without any, all of them.
func Starts(when ...func(s Start) bool) StartChoice { return StartChoice{when} }

// By moves each by a number of sequences.
func (c StartChoice) By(n int64) Apply { return c.At(func(s Start) int64 { return s.After + n }) }

// At moves each: position returns the sequence after which the reader is served.
func (c StartChoice) At(position func(s Start) int64) Apply {
	return c.to(func(s Start) (int64, error) { return position(s), nil })
}

// Refuse answers with an error.
func (c StartChoice) Refuse(err error) Apply {
	return c.to(func(Start) (int64, error) { return 0, err })
}

func (c StartChoice) to(change func(s Start) (int64, error)) Apply {
	return OnStart(func(cursor helix.Cursor, info store.Info, _ string) (int64, error) {
		s := Start{cursor, info}
		for _, hit := range c.when {
			if !hit(s) {
				return cursor.After, nil
			}
		}
		return change(s)
	})
}

// OnStart moves the position from which a reader is served. The function returns the sequence to start after, or an error
// to answer with.
func OnStart(start func(c helix.Cursor, i store.Info, stream string) (int64, error)) Apply {
	return OnAttachment(func(ctx context.Context, s store.Store, r helix.Reader,
		attach Attachment) (store.Subscription, error) {
		info, err := s.Info(ctx, r.Stream)
		if err != nil {
			return nil, err
		}
		if r.Cursor.After, err = start(r.Cursor, info, r.Stream); err != nil {
			return nil, err
		}
		return attach(ctx, s, r)
	})
}

// CursorReader returns the cursor of a request for a stream.
type CursorReader = func(stream string, r *http.Request) (helix.Cursor, error)

// OnCursor replaces the function that returns cursors.
func OnCursor(find func(stream string, r *http.Request, read CursorReader) (helix.Cursor, error)) Apply {
	return func(o helix.Options) helix.Options {
		read := o.Cursor
		o.Cursor = func(stream string, r *http.Request) (helix.Cursor, error) { return find(stream, r, read) }
		return o
	}
}
