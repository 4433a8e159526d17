package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/store"
)

func readersStartAfterTheirCursor(f *fixture) {
	f.write(1, 1, 1)
	attached := []store.Subscription{f.attach(0), f.attach(2), f.attach(3), f.attach(100), f.attach(math.MaxInt64)}
	f.write(1)
	for i, want := range []string{"1 2 3 4", "3 4", "4", "", ""} {
		f.wantReady(attached[i], want)
	}
	f.must(f.End(f.Context(), name, nil))
	for _, sub := range attached {
		f.wantReady(sub, "end#5 EOF")
	}
	f.wantReady(f.attach(4), "end#5 EOF")
	for _, after := range []int64{5, 6, math.MaxInt64} {
		_, err := f.Subscribe(f.Context(), name, after)
		f.wantError(fmt.Sprintf("after %d", after), err, store.ErrComplete)
	}
}

func longLog(f *fixture) {
	var want []string
	for i := range 1000 {
		f.write(1)
		want = append(want, fmt.Sprint(i+1))
	}
	f.wantReady(f.attach(0), strings.Join(want, " "))
}

// valuesComeBack: bytes, steps and errors are stored unchanged, with any content.
func valuesComeBack(f *fixture) {
	chunks := []store.Chunk{
		{JSON: json.RawMessage(`"a\u0000\r\n\u2028é😀"`), Step: 1 << 53, HasStep: true},
		{JSON: json.RawMessage(`1E400`), HasStep: true},
		{JSON: json.RawMessage("\"\xed\xa0\x80\"")},
		{JSON: json.RawMessage(`"` + strings.Repeat("x", 3<<20) + `"`), Step: -7, HasStep: true},
	}
	_, err := f.Append(f.Context(), name, f.writer, chunks)
	f.must(err)
	f.must(f.Fail(f.Context(), name, "line\r\n\x00 é", "c:d"))
	log, err := f.Read(f.Context(), name, store.Mark{})
	f.must(err)
	if len(log.Events) != len(chunks)+1 {
		f.Fatalf("%d events", len(log.Events))
	}
	for i, c := range chunks {
		if got := log.Events[i].Chunk; string(got.JSON) != string(c.JSON) || got.Step != c.Step || got.HasStep != c.HasStep {
			f.Errorf("chunk %d: %d bytes, step %d %t", i, len(got.JSON), got.Step, got.HasStep)
		}
	}
	last := log.Events[len(chunks)]
	f.same("failure", "line\r\n\x00 é c:d", last.Error+" "+last.Code)
}

// streamsAreApart: a name is bytes, and none is a part of another.
func streamsAreApart(f *fixture) {
	names := []string{"", "a", "A", "a:b", "a:b:log", "{a}", "a*", "a\x00", "é", "e\u0301", "../a", strings.Repeat("a", 200), strings.Repeat("a", 201)}
	for i, n := range names {
		chunks := make([]store.Chunk, i+1)
		for k := range chunks {
			chunks[k].JSON = json.RawMessage(`1`)
		}
		_, err := f.Append(f.Context(), n, f.open(n), chunks)
		f.must(err)
	}
	f.must(f.Store.Reset(f.Context(), "a"))
	for i, n := range names {
		info, err := f.Info(f.Context(), n)
		f.must(err)
		if want := int64(i + 1); info.LatestSequence != want || info.ChunkCount != want && n != "a" {
			f.Errorf("stream %q holds %+v, want %d", n, info, want)
		}
	}
}

func unknownStream(f *fixture) {
	ctx := f.Context()
	_, appended := f.Append(ctx, "none", f.writer, nil)
	_, informed := f.Info(ctx, "none")
	_, read := f.Read(ctx, "none", store.Mark{})
	_, subscribed := f.Subscribe(ctx, "none", 0)
	for what, err := range map[string]error{
		"Append": appended, "Info": informed, "Read": read, "Subscribe": subscribed,
		"CloseWriter": f.CloseWriter(ctx, "none", f.writer), "End": f.End(ctx, "none", nil), "Fail": f.Fail(ctx, "none", "", ""),
		"SetStatus": f.SetStatus(ctx, "none", store.Paused), "Cleanup": f.Store.Cleanup(ctx, "none", 0),
		"Reset": f.Reset(ctx, "none"), "Delete": f.Delete(ctx, "none"),
	} {
		f.wantError(what, err, store.ErrUnknownStream)
	}
}

func writers(f *fixture) {
	ctx := f.Context()
	second := f.open(name)
	reader := f.attach(0)
	f.must(f.CloseWriter(ctx, name, f.writer))
	f.must(f.CloseWriter(ctx, name, f.writer))
	f.wantError("closing nobody", f.CloseWriter(ctx, name, "nobody"), store.ErrUnknownWriter)
	one := []store.Chunk{{JSON: json.RawMessage(`1`)}}
	for _, c := range []struct {
		stream, writer string
		want           error
	}{
		{name, f.writer, store.ErrWriterClosed},
		{name, "nobody", store.ErrUnknownWriter},
		{name, "", store.ErrUnknownWriter},
		{"other", second, store.ErrUnknownStream},
		{name, second, nil},
	} {
		_, err := f.Append(ctx, c.stream, c.writer, one)
		f.wantError(fmt.Sprintf("writing to %s as %s", c.stream, c.writer), err, c.want)
	}
	f.wantReady(reader, "1")
	f.wantInfo(store.Info{Status: store.Active, LatestSequence: 1, ChunkCount: 1})
}

// allOrNone: the chunks of a call lie next to each other, and a refused call stores none.
func allOrNone(f *fixture) {
	ctx := f.Context()
	many := make([]store.Chunk, 300)
	for i := range many {
		many[i].JSON = json.RawMessage(`1`)
	}
	got, err := f.Append(ctx, name, f.writer, many)
	f.must(err)
	if len(got) != 300 || got[0] != 1 || got[299] != 300 {
		f.Errorf("sequences %v", got)
	}
	if none, err := f.Append(ctx, name, f.writer, nil); err != nil || len(none) != 0 {
		f.Errorf("no chunk: %v, %v", none, err)
	}
	f.must(f.CloseWriter(ctx, name, f.writer))
	_, err = f.Append(ctx, name, f.writer, many)
	f.wantError("a closed writer", err, store.ErrWriterClosed)
	f.wantInfo(store.Info{Status: store.Active, LatestSequence: 300, ChunkCount: 300})
}

func concurrentWriters(f *fixture) {
	const writers, each = 8, 100
	var readers, all sync.WaitGroup
	got := make([]strings.Builder, 5)
	for i := range got {
		sub := f.attach(0)
		readers.Go(func() {
			for {
				batch, err := sub.Next(context.Background())
				if err != nil {
					return
				}
				for _, e := range batch {
					fmt.Fprintf(&got[i], "%d %s\n", e.Sequence, e.Chunk.JSON)
				}
			}
		})
	}
	for i := range writers {
		writer := f.open(name)
		all.Go(func() {
			for n := range each {
				chunk := store.Chunk{JSON: json.RawMessage(fmt.Sprintf(`[%d,%d]`, i, n))}
				if _, err := f.Append(context.Background(), name, writer, []store.Chunk{chunk}); err != nil {
					f.Error(err)
				}
			}
		})
	}
	all.Wait()
	f.must(f.End(f.Context(), name, nil))
	readers.Wait()
	for i := range got {
		if s := got[i].String(); s != got[0].String() || strings.Count(s, "\n") != writers*each+1 {
			f.Errorf("reader %d saw %d events, in an order of its own: %t", i, strings.Count(s, "\n"), s != got[0].String())
		}
	}
}
