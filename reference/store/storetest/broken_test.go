package storetest_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/store/storetest"
)

// brokenVariable names the store that a test of this package tests against the contract in a separate process.
const brokenVariable = "STREAMCERT_BROKEN_STORE"

// broken are stores with one fault each, and the test of the contract that must see it.
func broken() map[string]struct {
	test string
	open func() store.Store
} {
	type entry = struct {
		test string
		open func() store.Store
	}
	return map[string]entry{
		"delivers its cursor": {"readers start after their cursor", func() store.Store { return inclusive{new(store.Memory)} }},
		"numbers on its own": {"readers start after their cursor", func() store.Store {
			return &store.Memory{Number: func(p store.Position) int64 { return p.Highest + 2 }}
		}},
		"forgets steps":             {"values come back as they were", func() store.Store { return stepless{new(store.Memory)} }},
		"folds the case of names":   {"streams are apart", func() store.Store { return folded{new(store.Memory)} }},
		"stores before it refuses":  {"all chunks or none", func() store.Store { return hasty{new(store.Memory)} }},
		"lets the last end win":     {"the first terminal event wins", func() store.Store { return lastWins{new(store.Memory)} }},
		"says nothing of a cleanup": {"cleanup", func() store.Store { return quiet{new(store.Memory)} }},
		"keeps the number of a removed end": {"a log that begins again", func() store.Store {
			return &store.Memory{Number: func(p store.Position) int64 { return p.Latest + 1 }}
		}},
		"reads on where the name goes on": {"the next life of a name", func() store.Store { return nameless{new(store.Memory)} }},
		"cuts what is large":              {"a long log and a large value", func() store.Store { return cutting{new(store.Memory)} }},
		"tells of every reset":            {"calls at once", func() store.Store { return chatty{new(store.Memory)} }},
		"reads a page and sleeps":         {"who waits gets all", func() store.Store { return paging{new(store.Memory)} }},
		"hoards records":                  {"records of a stream", func() store.Store { return hoarding{new(store.Memory)} }},
		"reads from its start again":      {"a read goes on at its mark", func() store.Store { return markless{new(store.Memory)} }},
	}
}

// TestBrokenStoresAreSeen: every fault fails the test that it is made for.
func TestBrokenStoresAreSeen(t *testing.T) {
	if name := os.Getenv(brokenVariable); name != "" {
		storetest.WaitLimit = time.Second
		storetest.Run(t, func(*testing.T) store.Store { return broken()[name].open() })
		return
	}
	for name, b := range broken() {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBrokenStoresAreSeen$")
			cmd.Env = append(os.Environ(), brokenVariable+"="+name)
			out, err := cmd.CombinedOutput()
			if want := "--- FAIL: TestBrokenStoresAreSeen/" + strings.ReplaceAll(b.test, " ", "_"); err == nil || !strings.Contains(string(out), want) {
				t.Errorf("%q isn't in: %v\n%s", want, err, out)
			}
		})
	}
}

type inclusive struct{ store.Store }

func (s inclusive) Subscribe(ctx context.Context, stream string, after int64) (store.Subscription, error) {
	return s.Store.Subscribe(ctx, stream, max(0, after-1))
}

type stepless struct{ store.Store }

func (s stepless) Append(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
	chunks = slices.Clone(chunks)
	for i := range chunks {
		chunks[i].HasStep = false
	}
	return s.Store.Append(ctx, stream, writer, chunks)
}

type folded struct{ store.Store }

func (s folded) OpenWriter(ctx context.Context, stream string) (string, error) {
	return s.Store.OpenWriter(ctx, strings.ToLower(stream))
}

func (s folded) Append(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
	return s.Store.Append(ctx, strings.ToLower(stream), writer, chunks)
}

func (s folded) Info(ctx context.Context, stream string) (store.Info, error) {
	return s.Store.Info(ctx, strings.ToLower(stream))
}

// hasty stores half of a closed writer's write.
type hasty struct{ store.Store }

func (s hasty) Append(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
	sequences, err := s.Store.Append(ctx, stream, writer, chunks)
	if err != nil && len(chunks) > 1 {
		if other, failed := s.OpenWriter(ctx, stream); failed == nil {
			_, _ = s.Store.Append(ctx, stream, other, chunks[:len(chunks)/2])
		}
	}
	return sequences, err
}

type lastWins struct{ store.Store }

func (s lastWins) Fail(context.Context, string, string, string) error { return nil }

type quiet struct{ *store.Memory }

func (s quiet) Subscribe(ctx context.Context, stream string, after int64) (store.Subscription, error) {
	sub, err := s.Memory.Subscribe(ctx, stream, after)
	if err != nil {
		return nil, err
	}
	return store.Map(sub, func(e store.Event) []store.Event {
		if e.Kind == store.Truncated {
			return nil
		}
		return []store.Event{e}
	}), nil
}

type markless struct{ store.Store }

func (s markless) Read(ctx context.Context, stream string, _ store.Mark) (store.Log, error) {
	return s.Store.Read(ctx, stream, store.Mark{})
}

type hoarding struct{ store.Store }

func (hoarding) ForgetRecords(context.Context, string) error { return nil }

// nameless subscribes again where a stream is gone.
type nameless struct{ store.Store }

func (s nameless) Subscribe(ctx context.Context, stream string, after int64) (store.Subscription, error) {
	sub, err := s.Store.Subscribe(ctx, stream, after)
	return &again{sub, s.Store, stream}, err
}

type again struct {
	store.Subscription
	of     store.Store
	stream string
}

func (s *again) Next(ctx context.Context) ([]store.Event, error) {
	batch, err := s.Subscription.Next(ctx)
	if errors.Is(err, store.ErrUnknownStream) {
		if sub, failed := s.of.Subscribe(ctx, s.stream, 0); failed == nil {
			s.Subscription = sub
			return s.Subscription.Next(ctx)
		}
	}
	return batch, err
}

// cutting stores a mebibyte of a value.
type cutting struct{ store.Store }

func (s cutting) Append(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
	chunks = slices.Clone(chunks)
	for i, c := range chunks {
		chunks[i].JSON = c.JSON[:min(len(c.JSON), 1<<20)]
	}
	return s.Store.Append(ctx, stream, writer, chunks)
}

// chatty reports at each reset that something was removed.
type chatty struct{ *store.Memory }

func (s chatty) Reset(ctx context.Context, stream string) error {
	info, err := s.Info(ctx, stream)
	if err == nil && info.ChunkCount == 0 {
		err = s.Notify(stream, store.Event{Kind: store.Truncated, AtSequence: info.LatestSequence})
	}
	if err != nil {
		return err
	}
	return s.Memory.Reset(ctx, stream)
}

// paging hands out 256 events, and no more.
type paging struct{ store.Store }

func (s paging) Subscribe(ctx context.Context, stream string, after int64) (store.Subscription, error) {
	sub, err := s.Store.Subscribe(ctx, stream, after)
	if err != nil {
		return nil, err
	}
	return store.Map(sub, func(e store.Event) []store.Event {
		if e.Sequence > after+256 {
			return nil
		}
		return []store.Event{e}
	}), nil
}
