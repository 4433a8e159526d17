package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/streamcert/streamcert/reference/store"
)

func firstTerminalWins(f *fixture) {
	ctx := f.Context()
	f.write(1)
	f.must(f.Fail(ctx, name, "boom", "tool_error"))
	f.must(f.End(ctx, name, json.RawMessage(`1`)))
	f.wantReady(f.attach(0), "1 fail#2(boom,tool_error) EOF")
	f.wantInfo(store.Info{Status: store.Failed, LatestSequence: 1, ChunkCount: 1, Terminal: 2})
	_, err := f.Append(ctx, name, f.writer, nil)
	f.wantError("writing", err, store.ErrFinished)
	f.wantError("pausing", f.SetStatus(ctx, name, store.Paused), store.ErrFinished)
}

// waits starts a Next that has nothing to deliver yet, and returns a channel with its result.
func waits(ctx context.Context, sub store.Subscription) <-chan string {
	got := make(chan string, 1)
	go func() {
		for {
			switch batch, err := sub.Next(ctx); {
			case err != nil:
				got <- err.Error()
				return
			case len(batch) > 0:
				got <- word(batch[0])
				return
			}
		}
	}()
	return got
}

func endWakes(f *fixture) {
	waiting := []<-chan string{waits(f.Context(), f.attach(0)), waits(f.Context(), f.attach(70))}
	f.must(f.End(f.Context(), name, json.RawMessage(`{"a":1}`)))
	for _, got := range waiting {
		f.same("event", `end#1{"a":1}`, <-got)
	}
}

func chunkWakes(f *fixture) {
	first, second := f.attach(0), f.attach(1)
	waiting := waits(f.Context(), first)
	f.write(1)
	f.same("event", "1", <-waiting)
	waiting = waits(f.Context(), second)
	f.write(1)
	f.same("event", "2", <-waiting)
}

func nextEndsWithItsContext(f *fixture) {
	ctx, cancel := context.WithCancel(f.Context())
	got := waits(ctx, f.attach(0))
	cancel()
	f.same("error", context.Canceled.Error(), <-got)
}

func statusNotices(f *fixture) {
	ctx := f.Context()
	f.write(1)
	before := f.attach(0)
	f.must(f.SetStatus(ctx, name, store.Active))
	f.must(f.SetStatus(ctx, name, store.Paused))
	f.must(f.SetStatus(ctx, name, store.Paused))
	during, resumed := f.attach(0), f.attach(1)
	f.write(1)
	f.wantInfo(store.Info{Status: store.Paused, LatestSequence: 2, ChunkCount: 2})
	f.must(f.SetStatus(ctx, name, store.Active))
	f.write(1)
	f.wantReady(before, "1 paused 2 active 3")
	f.wantReady(during, "1 paused 2 active 3")
	f.wantReady(resumed, "paused 2 active 3")
	f.wantReady(f.attach(0), "1 2 3")
	if err := f.SetStatus(ctx, name, store.Ended); err == nil {
		f.Error("a stream was ended by its status")
	}
}

func noticesAreBounded(f *fixture) {
	stalled := f.attach(0)
	for range 1000 {
		f.must(f.SetStatus(f.Context(), name, store.Paused))
		f.must(f.SetStatus(f.Context(), name, store.Active))
	}
	f.wantReady(stalled, store.ErrLagging.Error())
	f.write(1)
	f.wantReady(f.attach(0), "1")
}

func cleanup(f *fixture) {
	ctx := f.Context()
	f.write(1, -1, 2, 3)
	lagging, caughtUp := f.attach(0), f.attach(0)
	f.wantReady(caughtUp, "1 2 3 4")
	f.must(f.Store.Cleanup(ctx, name, 9))
	f.must(f.Store.Cleanup(ctx, name, 1))
	f.must(f.Store.Cleanup(ctx, name, 1))
	f.wantInfo(store.Info{Status: store.Active, LatestSequence: 4, ChunkCount: 2})
	f.write(2)
	f.wantReady(lagging, "1 2 truncated(1@4) 5")
	f.wantReady(caughtUp, "truncated(1@4) 5")
	f.wantReady(f.attach(0), "1 2 5")
	f.wantReady(f.attach(3), "5")
}

func cleanupOfFinished(f *fixture) {
	ctx := f.Context()
	f.write(1, -1, 2)
	attached, behind := f.attach(3), f.attach(0)
	f.must(f.End(ctx, name, nil))
	f.must(f.Store.Cleanup(ctx, name, 0))
	f.must(f.Store.Cleanup(ctx, name, -1)) // not even then does a chunk without a step count as one
	// A store that hands events out as they come may have handed the end out before.
	f.wantReady(attached, "truncated(0@3) end#4 EOF", "end#4 EOF")
	f.wantReady(behind, "2 truncated(0@3) end#4 EOF", "2 end#4 EOF")
	f.wantReady(f.attach(0), "2 end#4 EOF")
	f.wantInfo(store.Info{Status: store.Ended, LatestSequence: 3, ChunkCount: 1, Terminal: 4})
}

func reset(f *fixture) {
	ctx := f.Context()
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

func deletion(f *fixture) {
	ctx := f.Context()
	f.write(1)
	sub := f.attach(1)
	f.must(f.Delete(ctx, name))
	f.wantReady(sub, store.ErrUnknownStream.Error())
	f.wantError("deleting again", f.Delete(ctx, name), store.ErrUnknownStream)
	f.open(name)
	_, err := f.Append(ctx, name, f.writer, nil)
	f.wantError("writing through a writer of the deleted stream", err, store.ErrUnknownWriter)
	f.wantReady(f.attach(0), "")
	f.wantReady(sub, store.ErrUnknownStream.Error())
}

func fenced(f *fixture) {
	ctx := store.By(f.Context(), f.writer)
	f.write(1, 2)
	f.must(f.Cleanup(ctx, name, 1))
	f.must(f.SetStatus(ctx, name, store.Paused))
	f.must(f.CloseWriter(f.Context(), name, f.writer))
	f.wantError("a cleanup by a closed writer", f.Cleanup(ctx, name, 0), store.ErrWriterClosed)
	f.wantError("a pause by a closed writer", f.SetStatus(ctx, name, store.Active), store.ErrWriterClosed)
	f.wantError("an end by a closed writer", f.End(ctx, name, nil), store.ErrWriterClosed)
	f.wantError("a failure by a closed writer", f.Fail(ctx, name, "x", ""), store.ErrWriterClosed)
	f.wantInfo(store.Info{Status: store.Paused, LatestSequence: 2, ChunkCount: 1})
	f.must(f.End(store.By(f.Context(), f.open(name)), name, nil))
	f.wantInfo(store.Info{Status: store.Ended, LatestSequence: 2, ChunkCount: 1, Terminal: 3})
}

func records(f *fixture) {
	ctx, run := f.Context(), store.Key{Name: "a run"}
	kept := func(want string, version int64) {
		f.Helper()
		text, v, err := f.Record(ctx, "a run")
		f.must(err)
		if string(text) != want || v != version {
			f.Errorf("%q of version %d is kept, want %q of %d", text, v, want, version)
		}
	}
	kept("", 0)
	f.must(f.SetRecord(ctx, run, 0, []byte("one")))
	kept("one", 1)
	f.wantError("a second first record", f.SetRecord(ctx, run, 0, []byte("other")), store.ErrOutdated)
	f.must(f.SetRecord(ctx, run, 1, []byte("two")))
	f.wantError("a record of what was", f.SetRecord(ctx, run, 1, []byte("other")), store.ErrOutdated)
	kept("two", 2)
	f.must(f.SetRecord(ctx, run, 2, nil))
	kept("", 0)
	var wins atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if f.SetRecord(ctx, run, 0, []byte("x")) == nil {
				wins.Add(1)
			}
		})
	}
	if all.Wait(); wins.Load() != 1 {
		f.Errorf("%d of eight set the first record", wins.Load())
	}
}

func recordsOfStream(f *fixture) {
	ctx := f.Context()
	f.open("other")
	of := func(stream, key string) store.Key { return store.Key{Stream: stream, Name: key} }
	set := func() {
		f.Helper()
		for _, key := range []store.Key{of(name, "a"), of(name, "b"), of("other", "c"), of("", "d")} {
			if _, version, err := f.Record(ctx, key.Name); err != nil || version == 0 {
				f.must(errors.Join(err, f.SetRecord(ctx, key, 0, []byte("x"))))
			}
		}
	}
	kept := func(when, want string) {
		f.Helper()
		got := ""
		for _, key := range []string{"a", "b", "c", "d"} {
			_, version, err := f.Record(ctx, key)
			f.must(err)
			if version > 0 {
				got += key
			}
		}
		f.same("records "+when, want, got)
	}
	f.wantError("a record of no stream that there is", f.SetRecord(ctx, of("nobody", "e"), 0, []byte("x")), store.ErrUnknownStream)
	set()
	f.must(f.Cleanup(ctx, name, 0))
	f.must(f.End(ctx, name, nil))
	f.must(f.Reset(ctx, name))
	kept("of a stream that began again", "abcd")
	f.must(f.SetRecord(ctx, of(name, "a"), 1, nil))
	kept("when one was removed", "bcd")
	set()
	f.must(f.ForgetRecords(ctx, name))
	kept("when those of a stream were forgotten", "cd")
	set()
	f.must(f.Delete(ctx, name))
	kept("when a stream was deleted", "cd")
	f.open(name)
	kept("of a new stream of the name", "cd")
	set()
	kept("that were set again", "abcd")
}
