package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const name = "s"

// fixture is a store with one stream and one open writer.
type fixture struct {
	*testing.T
	*store.Memory
	writer string
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{T: t, Memory: new(store.Memory)}
	var err error
	if f.writer, err = f.OpenWriter(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// write appends a chunk for each step; a negative step is none.
func (f *fixture) write(steps ...int64) {
	f.Helper()
	var chunks []store.Chunk
	for _, s := range steps {
		chunks = append(chunks, store.Chunk{JSON: json.RawMessage(`{}`), Step: max(s, 0), HasStep: s >= 0})
	}
	_, err := f.Append(f.Context(), name, f.writer, chunks)
	f.must(err)
}

func (f *fixture) attach(after int64) store.Subscription {
	f.Helper()
	sub, err := f.Subscribe(f.Context(), name, after)
	f.must(err)
	return sub
}

// ready lists what a subscription delivers without waiting: "1 2 paused truncated(1@2) end#3 EOF".
func ready(t *testing.T, sub store.Subscription) string {
	t.Helper()
	done, cancel := context.WithCancel(context.Background())
	cancel()
	var words []string
	for {
		batch, err := sub.Next(done)
		for _, e := range batch {
			words = append(words, word(e))
		}
		switch {
		case errors.Is(err, context.Canceled):
			return strings.Join(words, " ")
		case err == io.EOF:
			return strings.Join(append(words, "EOF"), " ")
		case err != nil:
			return strings.Join(append(words, err.Error()), " ")
		}
	}
}

func word(e store.Event) string {
	switch e.Kind {
	case store.StreamEnded:
		return fmt.Sprintf("end#%d", e.Sequence)
	case store.StreamFailed:
		return fmt.Sprintf("fail#%d(%s,%s)", e.Sequence, e.Error, e.Code)
	case store.StatusChanged:
		return string(e.Status)
	case store.Truncated:
		return fmt.Sprintf("truncated(%d@%d)", e.AtStep, e.AtSequence)
	}
	return fmt.Sprint(e.Sequence)
}

func (f *fixture) wantReady(sub store.Subscription, want string) {
	f.Helper()
	if diff := cmp.Diff(want, ready(f.T, sub)); diff != "" {
		f.Errorf("events (-want +got):\n%s", diff)
	}
}

func (f *fixture) wantInfo(want store.Info) {
	f.Helper()
	got, err := f.Info(f.Context(), name)
	f.must(err)
	if diff := cmp.Diff(want, got); diff != "" {
		f.Errorf("info (-want +got):\n%s", diff)
	}
}

func TestReadersStartAfterTheirCursor(t *testing.T) {
	f := newFixture(t)
	f.write(1, 1, 1)
	attached := []store.Subscription{f.attach(0), f.attach(2), f.attach(3), f.attach(100), f.attach(math.MaxInt64)}
	f.write(1)
	for i, want := range []string{"1 2 3 4", "3 4", "4", "", ""} {
		f.wantReady(attached[i], want)
	}
	f.must(f.End(t.Context(), name, nil))
	for i, want := range []string{"end#5 EOF", "end#5 EOF", "end#5 EOF", "end#5 EOF", "end#5 EOF"} {
		f.wantReady(attached[i], want)
	}
	f.wantReady(f.attach(4), "end#5 EOF")
	for _, after := range []int64{5, 6, math.MaxInt64} {
		if _, err := f.Subscribe(t.Context(), name, after); !errors.Is(err, store.ErrComplete) {
			t.Errorf("after %d: got %v, want ErrComplete", after, err)
		}
	}
}

func TestLogLongerThanABatch(t *testing.T) {
	f := newFixture(t)
	var want []string
	for i := range 1000 {
		f.write(1)
		want = append(want, fmt.Sprint(i+1))
	}
	f.wantReady(f.attach(0), strings.Join(want, " "))
}

func TestWriters(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	second, err := f.OpenWriter(ctx, name)
	f.must(err)
	reader := f.attach(0)
	f.must(f.CloseWriter(ctx, name, f.writer))
	f.must(f.CloseWriter(ctx, name, f.writer))
	one := []store.Chunk{{JSON: json.RawMessage(`1`)}}
	for _, c := range []struct {
		stream, writer string
		want           error
	}{
		{name, f.writer, store.ErrWriterClosed},
		{name, "nobody", store.ErrUnknownWriter},
		{"other", second, store.ErrUnknownStream},
		{name, second, nil},
	} {
		if _, err := f.Append(ctx, c.stream, c.writer, one); !errors.Is(err, c.want) {
			t.Errorf("writing to %s as %s: got %v, want %v", c.stream, c.writer, err, c.want)
		}
	}
	f.wantReady(reader, "1")
	f.wantInfo(store.Info{Status: store.Active, LatestSequence: 1, ChunkCount: 1})
}

func TestFirstTerminalWins(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	f.write(1)
	f.must(f.Fail(ctx, name, "boom", "tool_error"))
	f.must(f.End(ctx, name, nil))
	f.wantReady(f.attach(0), "1 fail#2(boom,tool_error) EOF")
	f.wantInfo(store.Info{Status: store.Failed, LatestSequence: 1, ChunkCount: 1, Terminal: 2})
	if _, err := f.Append(ctx, name, f.writer, nil); !errors.Is(err, store.ErrFinished) {
		t.Errorf("writing: got %v, want ErrFinished", err)
	}
	if err := f.SetStatus(ctx, name, store.Paused); !errors.Is(err, store.ErrFinished) {
		t.Errorf("pausing: got %v, want ErrFinished", err)
	}
}

func TestStatusNotices(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	f.write(1)
	before := f.attach(0)
	f.must(f.SetStatus(ctx, name, store.Active))
	f.must(f.SetStatus(ctx, name, store.Paused))
	f.must(f.SetStatus(ctx, name, store.Paused))
	during := f.attach(0)
	resumed := f.attach(1)
	f.write(1)
	f.wantInfo(store.Info{Status: store.Paused, LatestSequence: 2, ChunkCount: 2})
	f.must(f.SetStatus(ctx, name, store.Active))
	f.write(1)
	f.wantReady(before, "1 paused 2 active 3")
	f.wantReady(during, "1 paused 2 active 3")
	f.wantReady(resumed, "paused 2 active 3")
	f.wantReady(f.attach(0), "1 2 3")
}

func TestCleanup(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	f.write(1, -1, 2, 3)
	lagging, caughtUp := f.attach(0), f.attach(0)
	f.wantReady(caughtUp, "1 2 3 4")
	f.must(f.Cleanup(ctx, name, 9))
	f.must(f.Cleanup(ctx, name, 1))
	f.must(f.Cleanup(ctx, name, 1))
	f.wantInfo(store.Info{Status: store.Active, LatestSequence: 4, ChunkCount: 2})
	f.write(2)
	f.wantReady(lagging, "1 2 truncated(1@4) 5")
	f.wantReady(caughtUp, "truncated(1@4) 5")
	f.wantReady(f.attach(0), "1 2 5")
	f.wantReady(f.attach(3), "5")
	f.must(f.End(ctx, name, nil))
	f.must(f.Cleanup(ctx, name, 0))
	f.must(f.Cleanup(ctx, name, -1)) // not even then does a chunk without a step count as one
	f.wantReady(f.attach(0), "2 end#6 EOF")
}

func TestReset(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	f.write(1, -1)
	attached := f.attach(1)
	f.must(f.SetStatus(ctx, name, store.Paused))
	f.must(f.End(ctx, name, nil))
	f.must(f.Reset(ctx, name))
	f.wantInfo(store.Info{Status: store.Active, LatestSequence: 2})
	f.write(1)
	f.wantReady(attached, "paused truncated(0@2) active 4")
	f.wantReady(f.attach(3), "4")
	f.must(f.Reset(ctx, name))
	f.must(f.End(ctx, name, nil))
	f.wantReady(f.attach(0), "end#5 EOF")
	f.must(f.Reset(ctx, name))
	quiet := f.attach(0)
	f.must(f.Reset(ctx, name)) // nothing to remove
	f.wantReady(quiet, "")
}

func TestDelete(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	f.write(1)
	sub := f.attach(1)
	f.must(f.Delete(ctx, name))
	f.wantReady(sub, store.ErrUnknownStream.Error())
	sub.Close()
	if err := f.Delete(ctx, name); !errors.Is(err, store.ErrUnknownStream) {
		t.Errorf("deleting again: got %v", err)
	}
	_, err := f.OpenWriter(ctx, name)
	f.must(err)
	if _, err := f.Append(ctx, name, f.writer, nil); !errors.Is(err, store.ErrUnknownWriter) {
		t.Errorf("writing through a writer of the deleted stream: got %v", err)
	}
	f.wantReady(f.attach(0), "")
}

func TestUnreadNoticesAreBounded(t *testing.T) {
	f := newFixture(t)
	stalled := f.attach(0)
	for range 1000 {
		f.must(f.SetStatus(t.Context(), name, store.Paused))
		f.must(f.SetStatus(t.Context(), name, store.Active))
	}
	f.wantReady(stalled, store.ErrLagging.Error())
}

func TestNumber(t *testing.T) {
	f := newFixture(t)
	f.Number = func(p store.Position) int64 { return p.Highest + 10 }
	sub := f.attach(0)
	f.write(1, 1)
	f.must(f.End(t.Context(), name, nil))
	f.wantReady(sub, "10 20 end#21 EOF")
}

func TestConcurrentWriters(t *testing.T) {
	f := newFixture(t)
	const writers, each = 8, 200
	var readers, all sync.WaitGroup
	got := make([]string, 5)
	for i := range got {
		sub := f.attach(0)
		readers.Go(func() {
			defer sub.Close()
			for {
				batch, err := sub.Next(context.Background())
				if err != nil {
					return
				}
				for _, e := range batch {
					got[i] += fmt.Sprintf("%d %s\n", e.Sequence, e.Chunk.JSON)
				}
			}
		})
	}
	for i := range writers {
		writer, err := f.OpenWriter(t.Context(), name)
		f.must(err)
		all.Go(func() {
			for n := range each {
				chunk := store.Chunk{JSON: json.RawMessage(fmt.Sprintf(`[%d,%d]`, i, n))}
				if _, err := f.Append(context.Background(), name, writer, []store.Chunk{chunk}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	f.must(f.End(t.Context(), name, nil))
	readers.Wait()
	for i := range got {
		if got[i] != got[0] || strings.Count(got[i], "\n") != writers*each+1 {
			t.Errorf("reader %d saw %d events, in an order of its own: %t", i, strings.Count(got[i], "\n"), got[i] != got[0])
		}
	}
}

func TestNextEndsWithItsContext(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	sub := f.attach(0)
	failed := make(chan error)
	go func() {
		_, err := sub.Next(ctx)
		failed <- err
	}()
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func ExampleMap() {
	ctx := context.Background()
	streams := new(store.Memory)
	writer, _ := streams.OpenWriter(ctx, "s")
	_, _ = streams.Append(ctx, "s", writer, []store.Chunk{{JSON: json.RawMessage(`1`)}, {JSON: json.RawMessage(`2`)}})
	sub, _ := streams.Subscribe(ctx, "s", 0)
	defer sub.Close()
	twice := store.Map(sub, func(e store.Event) []store.Event { return []store.Event{e, e} })
	events, _ := twice.Next(ctx)
	for _, e := range events {
		fmt.Println(e.Sequence, string(e.Chunk.JSON))
	}
	// Output:
	// 1 1
	// 1 1
	// 2 2
	// 2 2
}
