package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference/store"
)

// Run tests a store against the contract. open makes an empty one for each test, and registers a cleanup that closes it.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	for _, c := range []struct {
		name string
		test func(*fixture)
	}{
		{"readers start after their cursor", readersStartAfterTheirCursor},
		{"a log longer than a batch", longLog},
		{"values come back as they were", valuesComeBack},
		{"streams are apart", streamsAreApart},
		{"an unknown stream", unknownStream},
		{"writers", writers},
		{"all chunks or none", allOrNone},
		{"concurrent writers", concurrentWriters},
		{"the first terminal event wins", firstTerminalWins},
		{"the end wakes who waits", endWakes},
		{"a chunk wakes who waits", chunkWakes},
		{"who waits gets all", waitsForAll},
		{"Next ends with its context", nextEndsWithItsContext},
		{"notices of status", statusNotices},
		{"unread notices are bounded", noticesAreBounded},
		{"cleanup", cleanup},
		{"cleanup of a finished stream", cleanupOfFinished},
		{"reset", reset},
		{"a log that begins again", beginsAgain},
		{"behind a cleanup", behindACleanup},
		{"a long log and a large value", long},
		{"calls at once", callsAtOnce},
		{"delete", deletion},
		{"the next life of a name", restart},
		{"a read goes on at its mark", readGoesOn},
		{"a read is of its instant", readIsOfItsInstant},
		{"the initial state", initialState},
		{"who is fenced off changes nothing", fenced},
		{"records", records},
		{"records of a stream", recordsOfStream},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(newFixture(t, open(t))) })
	}
}

const name = "s"

// fixture is a store with one stream and one open writer.
type fixture struct {
	*testing.T
	store.Store
	writer string
}

func newFixture(t *testing.T, s store.Store) *fixture {
	f := &fixture{T: t, Store: s}
	f.writer = f.open(name)
	return f
}

func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// open opens a writer.
func (f *fixture) open(stream string) string {
	f.Helper()
	writer, err := f.OpenWriter(f.Context(), stream)
	f.must(err)
	return writer
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
	f.T.Cleanup(sub.Close)
	return sub
}

// ready lists the events that a subscription delivers without waiting: "1 2 paused truncated(1@2) end#3 EOF".
func ready(sub store.Subscription) string {
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
		return fmt.Sprintf("end#%d%s", e.Sequence, e.FinalOutput)
	case store.StreamFailed:
		return fmt.Sprintf("fail#%d(%s,%s)", e.Sequence, e.Error, e.Code)
	case store.StatusChanged:
		return string(e.Status)
	case store.Truncated:
		return fmt.Sprintf("truncated(%d@%d)", e.AtStep, e.AtSequence)
	}
	return fmt.Sprint(e.Sequence)
}

// wantReady compares the ready events with alternatives.
func (f *fixture) wantReady(sub store.Subscription, want ...string) {
	f.Helper()
	if got := ready(sub); !slices.Contains(want, got) {
		f.same("events", want[0], got)
	}
}

func (f *fixture) wantInfo(want store.Info) {
	f.Helper()
	got, err := f.Info(f.Context(), name)
	f.must(err)
	f.same("info", fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got))
}

func (f *fixture) wantError(what string, got, want error) {
	f.Helper()
	if !errors.Is(got, want) {
		f.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func (f *fixture) same(what, want, got string) {
	f.Helper()
	if want != got {
		f.Errorf("%s:\nwant %s\ngot  %s", what, want, got)
	}
}
