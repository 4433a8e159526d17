package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference/store"
)

// read returns a log as text, "whole active@3: 1 2 3", and the mark behind it.
func (f *fixture) read(after store.Mark) (string, store.Mark) {
	f.Helper()
	log, err := f.Read(f.Context(), name, after)
	f.must(err)
	words := []string{fmt.Sprintf("%s@%d:", log.Status, log.LatestSequence)}
	if log.Whole {
		words[0] = "whole " + words[0]
	}
	mark := store.Mark{Sequence: after.Sequence, Edition: log.Edition}
	if log.Whole {
		mark.Sequence = 0
	}
	for _, e := range log.Events {
		words, mark.Sequence = append(words, word(e)), e.Sequence
	}
	return strings.Join(words, " "), mark
}

func (f *fixture) wantRead(after store.Mark, want string) store.Mark {
	f.Helper()
	got, mark := f.read(after)
	if diff := cmp.Diff(want, got); diff != "" {
		f.Errorf("log (-want +got):\n%s", diff)
	}
	return mark
}

func TestReadGoesOnAtItsMark(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	mark := f.wantRead(store.Mark{}, "whole active@0:")
	f.write(1, 2, 2)
	mark = f.wantRead(mark, "active@3: 1 2 3")
	mark = f.wantRead(mark, "active@3:")
	f.must(f.SetStatus(ctx, name, store.Paused))
	f.write(3)
	mark = f.wantRead(mark, "paused@4: 4")
	f.must(f.Cleanup(ctx, name, 1))
	mark = f.wantRead(mark, "whole paused@4: 1")
	f.write(2)
	f.must(f.End(ctx, name, nil))
	mark = f.wantRead(mark, "ended@5: 5 end#6")
	f.must(f.Reset(ctx, name))
	mark = f.wantRead(mark, "whole active@5:")
	f.must(f.Delete(ctx, name))
	if _, err := f.Read(ctx, name, mark); !errors.Is(err, store.ErrUnknownStream) {
		t.Errorf("reading a deleted stream: got %v", err)
	}
	_, err := f.OpenWriter(ctx, name)
	f.must(err)
	f.wantRead(mark, "whole active@0:") // not a mark of this stream
}

// TestReadIsOfItsInstant: what was read doesn't change with the log.
func TestReadIsOfItsInstant(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	f.write(1, 2, 3)
	before, err := f.Read(ctx, name, store.Mark{})
	f.must(err)
	f.must(f.Cleanup(ctx, name, 1))
	f.write(4, 4, 4)
	f.must(f.Reset(ctx, name))
	f.write(5)
	var got []string
	for _, e := range before.Events {
		got = append(got, fmt.Sprintf("%d:%d", e.Sequence, e.Chunk.Step))
	}
	if diff := cmp.Diff("1:1 2:2 3:3", strings.Join(got, " ")); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestInitialState(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	mark := f.wantRead(store.Mark{}, "whole active@0:")
	f.must(f.SetInitial(ctx, name, json.RawMessage(`{"a":1}`)))
	f.wantRead(mark, "whole active@0:") // what was made of no state is out of date
	f.must(f.SetInitial(ctx, "other", json.RawMessage(`[]`)))
	for stream, want := range map[string]string{name: `{"a":1}`, "other": `[]`} {
		log, err := f.Read(ctx, stream, store.Mark{})
		f.must(err)
		if string(log.Initial) != want {
			t.Errorf("the state of %s begins as %s, want %s", stream, log.Initial, want)
		}
	}
	f.write(1)
	if err := f.SetInitial(ctx, name, json.RawMessage(`2`)); !errors.Is(err, store.ErrStarted) {
		t.Errorf("with a chunk: got %v", err)
	}
	f.must(f.End(ctx, "other", nil))
	if err := f.SetInitial(ctx, "other", json.RawMessage(`2`)); !errors.Is(err, store.ErrFinished) {
		t.Errorf("finished: got %v", err)
	}
}
