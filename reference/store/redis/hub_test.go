package redis

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/store/redis/redistest"
)

// TestDeliveredIsDropped: a stream that everybody has read up to its end takes no memory here, however much was written.
func TestDeliveredIsDropped(t *testing.T) {
	server, ctx := redistest.Start(t), t.Context()
	s, err := Open(ctx, server.URL, Options{Prefix: t.Name() + ":"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	writer, err := s.OpenWriter(ctx, "s")
	if err != nil {
		t.Fatal(err)
	}
	var subs []store.Subscription
	for range 2 {
		sub, err := s.Subscribe(ctx, "s", 0)
		if err != nil {
			t.Fatal(err)
		}
		defer sub.Close()
		subs = append(subs, sub)
	}
	for i := range int64(500) {
		if _, err := s.Append(ctx, "s", writer, []store.Chunk{{JSON: json.RawMessage(`{}`)}}); err != nil {
			t.Fatal(err)
		}
		for _, sub := range subs {
			for came := int64(0); came <= i; {
				batch, err := sub.Next(ctx)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range batch {
					came = e.Sequence
				}
			}
		}
	}
	for _, h := range s.hubs.open["s"] {
		h.mu.Lock()
		if len(h.entries) > 3 || h.bytes > 3*(eventCost+2) {
			t.Errorf("%d entries of %d bytes are kept that everybody has", len(h.entries), h.bytes)
		}
		h.mu.Unlock()
	}
}

// TestWhoComesIsNotHandedWhatIsGone: a reader that attaches after an acknowledged removal receives nothing that was
// removed, although this process hasn't been notified of the removal yet and caches the removed events for a lagging
// reader.
func TestWhoComesIsNotHandedWhatIsGone(t *testing.T) {
	server, ctx := redistest.Start(t), t.Context()
	for name, c := range map[string]struct {
		written []store.Chunk
		remove  func(s *Store, name string) error
	}{
		"a cleanup": {
			[]store.Chunk{{JSON: json.RawMessage(`{}`), Step: 2, HasStep: true}, {JSON: json.RawMessage(`{}`), Step: 2, HasStep: true}},
			func(s *Store, name string) error { return s.Cleanup(ctx, name, 1) },
		},
		"a reset": {
			[]store.Chunk{{JSON: json.RawMessage(`{}`)}},
			func(s *Store, name string) error { return s.Reset(ctx, name) },
		},
		"a reset of an end": {
			nil,
			func(s *Store, name string) error { return s.Reset(ctx, name) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Open(ctx, server.URL, Options{Prefix: t.Name() + ":"})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			writer, err := s.OpenWriter(ctx, "s")
			if err != nil {
				t.Fatal(err)
			}
			lags, err := s.Subscribe(ctx, "s", 0)
			if err != nil {
				t.Fatal(err)
			}
			defer lags.Close()
			ready, cancel := context.WithCancel(ctx)
			cancel()
			if _, err := lags.Next(ready); err != context.Canceled {
				t.Fatal(err)
			}
			for _, h := range s.hubs.open["s"] {
				h.running.Wait()
				h.mu.Lock()
				h.active = true // from now on change notifications are ignored
				h.mu.Unlock()
				if len(c.written) > 0 {
					_, err = s.Append(ctx, "s", writer, c.written)
				} else {
					err = s.End(ctx, "s", nil)
				}
				if err != nil {
					t.Fatal(err)
				}
				if err := h.advance(ctx); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.remove(s, "s"); err != nil {
				t.Fatal(err)
			}
			comes, err := s.Subscribe(ctx, "s", 0)
			if err != nil {
				t.Fatal(err)
			}
			defer comes.Close()
			batch, err := comes.Next(ready)
			if len(batch) > 0 || err != context.Canceled {
				t.Errorf("a reader that came after it got %v, %v; expected nothing", batch, err)
			}
		})
	}
}
