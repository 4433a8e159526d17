package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference/store"
)

// beginsAgain: the steps that a cleanup compares, the number of chunks and the next number are right after each reset of a
// log, also after the third.
func beginsAgain(f *fixture) {
	ctx := f.Context()
	f.must(f.SetInitial(ctx, name, json.RawMessage(`{"k":1}`)))
	var latest int64
	for range 3 {
		f.write(2, 3)
		f.must(f.Reset(ctx, name))
		f.write(1, 2, -1, 3)
		latest += 6
		f.must(f.Store.Cleanup(ctx, name, 1))
		f.wantInfo(store.Info{Status: store.Active, LatestSequence: latest, ChunkCount: 2})
		f.wantReady(f.attach(0), fmt.Sprint(latest-3, " ", latest-1))
		sub := f.attach(latest)
		f.wantReady(sub, "")
		f.must(f.SetStatus(ctx, name, store.Paused))
		f.must(f.Reset(ctx, name))
		f.wantInfo(store.Info{Status: store.Active, LatestSequence: latest})
		f.wantReady(sub, fmt.Sprintf("paused truncated(0@%d) active", latest))
		log, err := f.Read(ctx, name, store.Mark{})
		f.must(err)
		f.same("initial state", `{"k":1}`, string(log.Initial))
	}
	sub := f.attach(latest)
	f.must(f.End(ctx, name, nil))
	f.must(f.Reset(ctx, name))
	f.write(1)
	// A store that hands events out as they come may have handed the end out before.
	f.wantReady(sub, fmt.Sprint(latest+2), fmt.Sprintf("end#%d EOF", latest+1))
	f.wantReady(f.attach(latest), fmt.Sprint(latest+2))
}

// behindACleanup: removed chunks aren't delivered to any reader from then on, whether it lags or was attached before.
func behindACleanup(f *fixture) {
	ctx := f.Context()
	behind, caughtUp := f.attach(0), f.attach(0)
	f.wantReady(behind, "")
	f.wantReady(caughtUp, "")
	f.write(1, 2, 3)
	f.wantReady(caughtUp, "1 2 3")
	f.must(f.Store.Cleanup(ctx, name, 1))
	f.wantReady(caughtUp, "truncated(1@3)")
	f.wantReady(f.attach(0), "1")
	f.wantReady(behind, "1 truncated(1@3)")
	f.write(2)
	f.wantReady(caughtUp, "4")
	f.must(f.Reset(ctx, name))
	f.wantReady(f.attach(0), "")
	f.wantReady(behind, "truncated(0@4)", "4 truncated(0@4)")
	f.wantReady(caughtUp, "truncated(0@4)")
}

// long: nothing depends on how long a log is, how much a call removes, or how large a value is.
func long(f *fixture) {
	ctx := f.Context()
	const events = 4100
	sub := f.attach(0)
	f.wantReady(sub, "")
	chunks := make([]store.Chunk, events)
	for i := range chunks {
		chunks[i] = store.Chunk{JSON: json.RawMessage(`1`), Step: int64(i % 2), HasStep: true}
	}
	_, err := f.Append(ctx, name, f.writer, chunks)
	f.must(err)
	for what, reader := range map[string]store.Subscription{"a reader that waited": sub, "a reader that came": f.attach(0)} {
		got := ready(reader)
		if n := len(strings.Fields(got)); n != events || !strings.HasPrefix(got, "1 2 ") {
			f.Errorf("%s got %d events of %d", what, n, events)
		}
	}
	f.must(f.Store.Cleanup(ctx, name, 0))
	f.wantInfo(store.Info{Status: store.Active, LatestSequence: events, ChunkCount: events / 2})
	if n := len(strings.Fields(ready(f.attach(0)))); n != events/2 {
		f.Errorf("%d events are left of %d", n, events/2)
	}
	large := json.RawMessage(`"` + strings.Repeat("é", 1<<20) + `"`)
	_, err = f.Append(ctx, name, f.writer, []store.Chunk{{JSON: large}})
	f.must(err)
	log, err := f.Read(ctx, name, store.Mark{})
	f.must(err)
	if last := log.Events[len(log.Events)-1].Chunk.JSON; string(last) != string(large) {
		f.Errorf("%d bytes came back of %d", len(last), len(large))
	}
}

// restart: who reads a stream that is deleted gets nothing of the one that takes its name.
func restart(f *fixture) {
	ctx := f.Context()
	f.write(1)
	sub := f.attach(0)
	f.wantReady(sub, "1")
	f.must(f.Delete(ctx, name))
	f.writer = f.open(name)
	f.write(1, 2, 3)
	f.wantReady(sub, store.ErrUnknownStream.Error())
	f.wantReady(f.attach(0), "1 2 3")
}

// callsAtOnce: of several resets at once, and of several ends, one has something to do.
func callsAtOnce(f *fixture) {
	ctx := f.Context()
	sub := f.attach(0)
	f.wantReady(sub, "")
	f.write(1, 2)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := f.Reset(ctx, name); err != nil {
				f.Error(err)
			}
		})
	}
	all.Wait()
	// The first of them removed the chunks, the others found nothing to tell of.
	f.wantReady(sub, "truncated(0@2)", "1 2 truncated(0@2)")
	for i := range 8 {
		all.Go(func() {
			if err := f.Fail(ctx, name, fmt.Sprint(i), ""); err != nil && !errors.Is(err, store.ErrFinished) {
				f.Error(err)
			}
		})
	}
	all.Wait()
	f.wantInfo(store.Info{Status: store.Failed, LatestSequence: 2, Terminal: 3})
	f.wantError("a pause of what has failed", f.SetStatus(ctx, name, store.Paused), store.ErrFinished)
	_, err := f.Append(ctx, name, f.writer, []store.Chunk{{JSON: json.RawMessage(`1`)}})
	f.wantError("a chunk for what has failed", err, store.ErrFinished)
}

// WaitLimit limits the time for a reader to receive all of a large write; stores that are known to be broken need less.
var WaitLimit = 20 * time.Second

// waitsForAll: who waits gets all of a large write and hears of the end of its stream, though nothing else happens then.
func waitsForAll(f *fixture) {
	const events = 1000
	sub, all, gone := f.attach(0), make(chan struct{}), make(chan error, 1)
	go func() {
		for n := 0; ; {
			batch, err := sub.Next(f.Context())
			if err != nil {
				gone <- err
				return
			}
			if n += len(batch); n == events {
				close(all)
			}
		}
	}()
	f.write(make([]int64, events)...)
	select {
	case <-all:
	case <-time.After(WaitLimit):
		f.Fatalf("who waited has not got all of %d events", events)
	}
	f.must(f.Delete(f.Context(), name))
	select {
	case err := <-gone:
		f.wantError("reading what was deleted", err, store.ErrUnknownStream)
	case <-time.After(WaitLimit):
		f.Error("who waited has not heard that the stream was deleted")
	}
}
