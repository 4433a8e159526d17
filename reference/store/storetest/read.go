package storetest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/reference/store"
)

// wantRead compares a log as text, "complete active@3: 1 2 3", and returns the mark after it.
func (f *fixture) wantRead(after store.Mark, want string) store.Mark {
	f.Helper()
	log, err := f.Read(f.Context(), name, after)
	f.must(err)
	words := []string{fmt.Sprintf("%s@%d:", log.Status, log.LatestSequence)}
	mark := store.Mark{Sequence: after.Sequence, Edition: log.Edition}
	if log.FromStart {
		words[0], mark.Sequence = "whole "+words[0], 0
	}
	for _, e := range log.Events {
		words, mark.Sequence = append(words, word(e)), e.Sequence
	}
	f.same("log", want, strings.Join(words, " "))
	return mark
}

func readGoesOn(f *fixture) {
	ctx := f.Context()
	mark := f.wantRead(store.Mark{}, "whole active@0:")
	f.write(1, 2, 2)
	mark = f.wantRead(mark, "active@3: 1 2 3")
	mark = f.wantRead(mark, "active@3:")
	f.must(f.SetStatus(ctx, name, store.Paused))
	f.write(3)
	mark = f.wantRead(mark, "paused@4: 4")
	f.must(f.Store.Cleanup(ctx, name, 1))
	mark = f.wantRead(mark, "whole paused@4: 1")
	f.write(2)
	f.must(f.End(ctx, name, nil))
	mark = f.wantRead(mark, "ended@5: 5 end#6")
	f.must(f.Reset(ctx, name))
	mark = f.wantRead(mark, "whole active@5:")
	f.must(f.Delete(ctx, name))
	_, err := f.Read(ctx, name, mark)
	f.wantError("reading a deleted stream", err, store.ErrUnknownStream)
	f.open(name)
	f.wantRead(mark, "whole active@0:") // not a mark of this stream
}

// readIsOfItsInstant: a result of Read doesn't change with the log.
func readIsOfItsInstant(f *fixture) {
	ctx := f.Context()
	f.write(1, 2, 3)
	before, err := f.Read(ctx, name, store.Mark{})
	f.must(err)
	f.must(f.Store.Cleanup(ctx, name, 1))
	f.write(4, 4, 4)
	f.must(f.Reset(ctx, name))
	f.write(5)
	var got []string
	for _, e := range before.Events {
		got = append(got, fmt.Sprintf("%d:%d", e.Sequence, e.Chunk.Step))
	}
	f.same("events", "1:1 2:2 3:3", strings.Join(got, " "))
}

func initialState(f *fixture) {
	ctx := f.Context()
	mark := f.wantRead(store.Mark{}, "whole active@0:")
	f.must(f.SetInitial(ctx, name, json.RawMessage(`{"a":1}`)))
	f.wantRead(mark, "whole active@0:") // a result computed without an initial state is out of date
	f.must(f.SetInitial(ctx, "other", json.RawMessage(`[]`)))
	for stream, want := range map[string]string{name: `{"a":1}`, "other": `[]`} {
		log, err := f.Read(ctx, stream, store.Mark{})
		f.must(err)
		f.same("the initial state of "+stream, want, string(log.Initial))
	}
	f.write(1)
	f.wantError("with a chunk", f.SetInitial(ctx, name, json.RawMessage(`2`)), store.ErrStarted)
	f.must(f.End(ctx, "other", nil))
	f.wantError("finished", f.SetInitial(ctx, "other", json.RawMessage(`2`)), store.ErrFinished)
}
