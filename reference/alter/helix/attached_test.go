package helix_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// delivered returns the events that a reader with a cursor receives from a stream of three chunks that has ended: their
// kinds and sequences, "over" at the end of the subscription, or the error that refuses the reader.
func delivered(do on.Apply, cursor helix.Cursor) string {
	s := new(store.Memory)
	writer, err := s.OpenWriter(context.Background(), "s")
	if err == nil {
		_, err = s.Append(context.Background(), "s", writer, []store.Chunk{{JSON: []byte("1")}, {JSON: []byte("2")}, {JSON: []byte("3")}})
	}
	if err = errors.Join(err, s.End(context.Background(), "s", nil)); err != nil {
		panic(err)
	}
	o := do(reference.Defaults(reference.Options{Store: s}))
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	sub, err := o.Attach(ctx, o.Store, helix.Reader{Stream: "s", Cursor: cursor})
	if err != nil {
		return err.Error()
	}
	defer sub.Close()
	var out []string
	for {
		events, err := sub.Next(ctx)
		for _, e := range events {
			out = append(out, fmt.Sprint(map[bool]string{true: "end"}[e.Kind.Terminal()], e.Sequence))
		}
		switch {
		case ctx.Err() != nil:
			return strings.Join(out, " ")
		case err != nil:
			return strings.Join(append(out, "over"), " ")
		}
	}
}

func TestVisits(t *testing.T) {
	refused := errors.New("refused")
	never := on.ForAttached(func(on.Attached) bool { return false })
	for _, c := range []struct {
		name, want string
		do         on.Apply
		after      int64
	}{
		{"starts, earlier", "2 3 end4 over", on.Starts(on.Start.Finished).By(-1), 2},
		{"starts, at another place", "3 end4 over", on.Starts().At(func(s on.Start) int64 { return s.LatestSequence - 1 }), 0},
		{"starts, of those that have all", "refused", on.Starts(on.Start.HasAll).Refuse(refused), 3},
		{"starts, of those that don't", "2 3 end4 over", on.Starts(on.Start.HasAll).Refuse(refused), 1},
		{"starts, where all conditions hold", "end4 over", on.Starts(on.Start.HasAll, on.Start.Unfinished).Refuse(refused), 3},
		{"never sent, one of several", "1 3 end4 over", on.NeverSent(on.IfEvent(func(e store.Event) bool { return e.Sequence == 2 })), 0},
		{"never sent, the end", "1 2 3", on.NeverSent(on.Terminal()), 0},
		{"never sent, to others", "1 2 3 end4 over", on.NeverSent(on.Terminal(), never), 0},
		{"kind", "end4 over", on.Events(on.Kind(store.ChunkWritten)).Drop(), 0},
		{"unfinished", "1 2 3 end4 over", on.Events(on.Unfinished()).Drop(), 0},
		{"came while", "over", on.Events(on.CameWhile(store.Ended)).Drop(), 0},
		{"came after nobody", "1 2 3 end4 over", on.Events(on.CameAfter(1)).Drop(), 0},
		{"preceded", "7 1 2 3 end4 over", on.OnAttach(func(_ store.Store, _ helix.Reader, s store.Subscription) store.Subscription {
			return on.Preceded(s, store.Event{Kind: store.ChunkWritten, Sequence: 7})
		}), 0},
	} {
		if got := delivered(c.do, helix.Cursor{After: c.after, Given: c.after > 0}); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestCursor(t *testing.T) {
	o := on.OnCursor(func(stream string, r *http.Request, read on.CursorReader) (helix.Cursor, error) {
		c, err := read(stream, r)
		c.After++
		return c, err
	})(reference.Defaults(reference.Options{Store: ended()}))
	if c, err := o.Cursor("s", httptest.NewRequest("GET", "/streams/s/events?fromSequence=4", nil)); c.After != 5 || err != nil {
		t.Errorf("got %d, %v", c.After, err)
	}
}
