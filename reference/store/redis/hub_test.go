package redis

import (
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
	for _, h := range s.hubs["s"] {
		h.mu.Lock()
		if len(h.kept) > 3 || h.bytes > 3*(eventCost+2) {
			t.Errorf("%d entries of %d bytes are kept that everybody has", len(h.kept), h.bytes)
		}
		h.mu.Unlock()
	}
}
