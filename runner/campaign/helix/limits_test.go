package helix_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference"
	seams "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/runner/campaign/campaigntest"
	"github.com/streamcert/streamcert/runner/campaign/helix/draw"
	"github.com/streamcert/streamcert/runner/campaign/helix/play"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/transcript"
)

// The limits that the servers of these tests declare.
const (
	mostEvents  = 150
	mostReaders = 4
	mostText    = 4 << 10
)

// limited is a server with limits. Each set field is a bug.
type limited struct {
	store.Store
	events       int64 // the limit of events
	readers      int64
	text         int
	beyondLatest func(l *limited, stream, writer string, chunks []store.Chunk) ([]int64, error) // replaces a refusal
	unseated     bool                                                                           // a reader that leaves still counts
	deaf         bool                                                                           // readers receive nothing after a refusal
	status       int                                                                            // status of a refusal

	sitting, refused atomic.Int64
}

func (l *limited) Append(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
	info, err := l.Info(ctx, stream)
	for _, c := range chunks {
		if len(c.JSON) > l.text+300 || err == nil && info.ChunkCount+int64(len(chunks)) > l.events {
			if l.beyondLatest != nil {
				return l.beyondLatest(l, stream, writer, chunks)
			}
			return nil, &helix.Error{Status: l.status, Message: "it is too much"}
		}
	}
	return l.Store.Append(ctx, stream, writer, chunks)
}

func (l *limited) attach(ctx context.Context, s store.Store, r helix.Reader, attach seams.Attachment) (store.Subscription, error) {
	if l.sitting.Add(1) > l.readers {
		l.sitting.Add(-1)
		l.refused.Add(1)
		return nil, &helix.Error{Status: http.StatusServiceUnavailable, Message: "no seat is free"}
	}
	sub, err := attach(ctx, s, r)
	if err != nil {
		l.sitting.Add(-1)
		return nil, err
	}
	sub = store.Map(sub, func(e store.Event) []store.Event {
		if l.deaf && l.refused.Load() > 0 {
			return nil
		}
		return []store.Event{e}
	})
	return &sitting{sub, l}, nil
}

type sitting struct {
	store.Subscription
	l *limited
}

func (s *sitting) Close() {
	s.Subscription.Close()
	if !s.l.unseated {
		s.l.sitting.Add(-1)
	}
}

func sequencesOf(chunks []store.Chunk) []int64 { return make([]int64, len(chunks)) }

// TestLimits: nothing within the declared limits may be lost; requests beyond them are accepted or refused without
// another effect.
func TestLimits(t *testing.T) {
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(l *limited)
		says   string // a part of the finding, "" for none
	}{
		{"refuses beyond", func(*limited) {}, ""},
		{"takes more", func(l *limited) { l.events, l.readers, l.text = 1<<40, 1<<40, 1<<30 }, ""},
		{"refuses with 507", func(l *limited) { l.status = http.StatusInsufficientStorage }, ""},
		{"fails beyond", func(l *limited) { l.status = http.StatusInternalServerError }, "neither accepted nor refused"},
		{"refuses the last event", func(l *limited) { l.events-- }, "refused POST"},
		{"refuses the last reader", func(l *limited) { l.readers-- }, "wasn't served"},
		{"refuses the longest text", func(l *limited) { l.text -= 400 }, "refused POST"},
		{"drops beyond silently", func(l *limited) {
			l.beyondLatest = func(_ *limited, _, _ string, chunks []store.Chunk) ([]int64, error) { return sequencesOf(chunks), nil }
		}, "didn't get what was due"},
		{"takes a part of an array", func(l *limited) {
			l.beyondLatest = func(l *limited, stream, writer string, chunks []store.Chunk) ([]int64, error) {
				if len(chunks) > 1 {
					_, _ = l.Store.Append(context.Background(), stream, writer, chunks[:1])
				}
				return nil, &helix.Error{Status: http.StatusRequestEntityTooLarge, Message: "it is too much"}
			}
		}, "refused POST"}, // the one that fits
		{"loses what it had on a refusal", func(l *limited) {
			l.beyondLatest = func(l *limited, stream, _ string, _ []store.Chunk) ([]int64, error) {
				_ = l.Reset(context.Background(), stream)
				return nil, &helix.Error{Status: http.StatusRequestEntityTooLarge, Message: "it is too much"}
			}
		}, "truncated"},
		{"forgets others when it refuses a reader", func(l *limited) { l.deaf = true }, "didn't get what was due"},
		{"keeps the seat of who has gone", func(l *limited) { l.unseated = true }, "wasn't served after others had gone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &limited{Store: new(store.Memory), events: mostEvents, readers: mostReaders, text: mostText, status: http.StatusRequestEntityTooLarge}
			c.change(l)
			ref := reference.New(seams.OnAttachment(l.attach)(reference.Defaults(reference.Options{Validate: validate, Store: l})))
			defer ref.Close()
			tg, stop := campaigntest.Serve(t, ref, target.Config{
				Timing: target.Timing{Deadline: 400 * time.Millisecond}, Limits: target.Limits{Events: mostEvents, Readers: mostReaders, String: mostText},
			})
			defer stop()
			const about = "a stream at its limits"
			result, err := play.Play(context.Background(), tg, draw.Draw(1, 0, about, tg.Claims), play.Options{})
			if err != nil {
				t.Fatal(err)
			}
			switch f := result.Failure; {
			case c.says != "" && (f == nil || !strings.Contains(f.Error(), c.says)):
				t.Errorf("got %v, expected %q", f, c.says)
			case c.says == "" && f != nil:
				t.Errorf("%s: %v\n%s", f.Requirement, f, transcript.Render(f.Exchange, -1))
			case c.says == "" && (result.Proven.Events < mostEvents || result.Proven.Readers < mostReaders || result.Proven.Bytes < mostText):
				t.Errorf("only %+v was proven", result.Proven)
			}
		})
	}
}
