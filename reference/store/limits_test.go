package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference/store"
)

// TestLimits: one stream and all of them are limited, a refused write changes nothing, and a removal frees memory.
func TestLimits(t *testing.T) {
	ctx := context.Background()
	big := store.Chunk{JSON: json.RawMessage(`"` + strings.Repeat("x", 10_000) + `"`), Step: 7, HasStep: true}
	m := &store.Memory{MaxStream: 40_000, MaxTotal: 70_000}
	writer := func(stream string) string {
		t.Helper()
		w, err := m.OpenWriter(ctx, stream)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	fill := func(stream, w string, most int) (n int, err error) {
		for n = range most {
			if _, err = m.Append(ctx, stream, w, []store.Chunk{big}); err != nil {
				return n, err
			}
		}
		return most, nil
	}
	a := writer("a")
	for _, c := range []struct {
		name  string
		empty func() error
	}{
		{"nothing", func() error { return nil }},
		{"cleanup", func() error { return m.Cleanup(ctx, "a", 6) }},
		{"reset", func() error { return m.Reset(ctx, "a") }},
		{"delete", func() error {
			err := m.Delete(ctx, "a")
			a = writer("a")
			return err
		}},
	} {
		name, empty := c.name, c.empty
		if err := m.Reset(ctx, "a"); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if n, err := fill("a", a, 9); n != 3 || !errors.Is(err, store.ErrStreamFull) {
				t.Fatalf("%s: %d chunks were taken, then %v", name, n, err)
			}
			if name == "nothing" {
				break
			}
			if err := empty(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := m.End(ctx, "a", big.JSON); err != nil {
		t.Fatal(err)
	}
	if _, err := fill("a", a, 2); !errors.Is(err, store.ErrFinished) {
		t.Fatal(err)
	}
	if err := m.Reset(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if n, err := fill("a", a, 9); n != 3 || !errors.Is(err, store.ErrStreamFull) {
		t.Fatal(n, err)
	}
	if n, err := fill("b", writer("b"), 9); n != 3 || err == nil {
		t.Fatal(n, err)
	}
	info, err := m.Info(ctx, "b")
	if n, full := fill("c", writer("c"), 9); n != 0 || !errors.Is(full, store.ErrFull) || err != nil || info.ChunkCount != 3 || info.LatestSequence != 3 {
		t.Errorf("%d, %v, %+v, %v", n, full, info, err)
	}
	if err := m.SetInitial(ctx, "d", big.JSON); !errors.Is(err, store.ErrFull) {
		t.Error(err)
	}
	var refused error
	for i := range 1000 {
		if _, refused = m.OpenWriter(ctx, strings.Repeat("e", i)); refused != nil {
			break
		}
	}
	if !errors.Is(refused, store.ErrFull) {
		t.Errorf("a thousand streams of nothing were taken: %v", refused)
	}
	if err := errors.Join(m.Delete(ctx, "a"), m.SetInitial(ctx, "d", big.JSON), m.SetInitial(ctx, "d", json.RawMessage(`1`))); err != nil {
		t.Error(err)
	}
}
