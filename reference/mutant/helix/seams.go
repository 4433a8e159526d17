package helix

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// apply changes the options of a server.
type apply = seams.Apply

// around stands around the handler of a server.
type around = alter.Around

// shim is a store that does some things differently: each function that is set stands in for the method of its name.
// Everything else goes to the store inside, which is also how the functions get there.
type shim struct {
	store.Store
	openWriter  func(ctx context.Context, stream string) (string, error)
	closeWriter func(ctx context.Context, stream, writer string) error
	append      func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error)
	end         func(ctx context.Context, stream string, finalOutput json.RawMessage) error
	fail        func(ctx context.Context, stream, message, code string) error
	setStatus   func(ctx context.Context, stream string, status store.Status) error
	cleanup     func(ctx context.Context, stream string, step int64) error
	reset       func(ctx context.Context, stream string) error
	info        func(ctx context.Context, stream string) (store.Info, error)
	subscribe   func(ctx context.Context, stream string, after int64) (store.Subscription, error)
}

// onStore puts a shim around the store. The function is called once for each server.
func onStore(replace func(inner store.Store, s *shim)) apply {
	return func(o reference.Options) reference.Options {
		s := &shim{Store: o.Store}
		replace(o.Store, s)
		o.Store = s
		return o
	}
}

func (s *shim) OpenWriter(ctx context.Context, stream string) (string, error) {
	if s.openWriter == nil {
		return s.Store.OpenWriter(ctx, stream)
	}
	return s.openWriter(ctx, stream)
}

func (s *shim) CloseWriter(ctx context.Context, stream, writer string) error {
	if s.closeWriter == nil {
		return s.Store.CloseWriter(ctx, stream, writer)
	}
	return s.closeWriter(ctx, stream, writer)
}

func (s *shim) Append(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
	if s.append == nil {
		return s.Store.Append(ctx, stream, writer, chunks)
	}
	return s.append(ctx, stream, writer, chunks)
}

func (s *shim) End(ctx context.Context, stream string, finalOutput json.RawMessage) error {
	if s.end == nil {
		return s.Store.End(ctx, stream, finalOutput)
	}
	return s.end(ctx, stream, finalOutput)
}

func (s *shim) Fail(ctx context.Context, stream, message, code string) error {
	if s.fail == nil {
		return s.Store.Fail(ctx, stream, message, code)
	}
	return s.fail(ctx, stream, message, code)
}

func (s *shim) SetStatus(ctx context.Context, stream string, status store.Status) error {
	if s.setStatus == nil {
		return s.Store.SetStatus(ctx, stream, status)
	}
	return s.setStatus(ctx, stream, status)
}

func (s *shim) Cleanup(ctx context.Context, stream string, step int64) error {
	if s.cleanup == nil {
		return s.Store.Cleanup(ctx, stream, step)
	}
	return s.cleanup(ctx, stream, step)
}

func (s *shim) Reset(ctx context.Context, stream string) error {
	if s.reset == nil {
		return s.Store.Reset(ctx, stream)
	}
	return s.reset(ctx, stream)
}

func (s *shim) Info(ctx context.Context, stream string) (store.Info, error) {
	if s.info == nil {
		return s.Store.Info(ctx, stream)
	}
	return s.info(ctx, stream)
}

func (s *shim) Subscribe(ctx context.Context, stream string, after int64) (store.Subscription, error) {
	if s.subscribe == nil {
		return s.Store.Subscribe(ctx, stream, after)
	}
	return s.subscribe(ctx, stream, after)
}

// object is a JSON object whose members keep their bytes.
type object = alter.Object

// textOf reads a member that is a string; empty if it isn't one.
func textOf(members object, name string) string {
	var text string
	if json.Unmarshal(members[name], &text) != nil {
		return ""
	}
	return text
}

// edited returns a chunk with its members changed; a chunk that the function reports unchanged keeps its bytes.
func edited(chunk json.RawMessage, change func(kind string, members object) bool) json.RawMessage {
	members := alter.Members(chunk)
	if members == nil || !change(textOf(members, "type"), members) {
		return chunk
	}
	return alter.Encode(members)
}

// onChunks changes the chunks that are stored. The function gets the type and the members, and reports whether it
// changed them.
func onChunks(change func(kind string, members object) bool) apply {
	return onStore(func(inner store.Store, s *shim) {
		s.append = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
			chunks = slices.Clone(chunks)
			for i := range chunks {
				chunks[i].JSON = edited(chunks[i].JSON, change)
			}
			return inner.Append(ctx, stream, writer, chunks)
		}
	})
}

// onBlocks changes the blocks of a response. The function is called once for each response and makes the function that
// changes its blocks. The store is there to look things up.
func onBlocks(begin func(o reference.Options, r helix.Reader) func(b *alter.Block, e store.Event)) apply {
	return seams.OnBytes(func(o reference.Options, r helix.Reader) func([]byte, store.Event) []byte {
		change := begin(o, r)
		return func(whole []byte, e store.Event) []byte {
			b := alter.ParseBlock(whole)
			change(&b, e)
			return b.Append(nil)
		}
	})
}

// onFrames changes the frames of one kind, on every response alike.
func onFrames(kind store.Kind, change func(frame object, e store.Event)) apply {
	return onBlocks(func(reference.Options, helix.Reader) func(*alter.Block, store.Event) {
		return func(b *alter.Block, e store.Event) {
			if e.Kind == kind {
				b.Members(func(f object) { change(f, e) })
			}
		}
	})
}

// stored is the highest sequence that a stream has given to a chunk: what comes later is live.
func stored(s store.Store, r helix.Reader) int64 {
	info, err := s.Info(r.Request.Context(), r.Stream)
	if err != nil { // it was deleted a moment ago: there is nothing to tell apart
		return 0
	}
	return info.LatestSequence
}

// onResponse changes the answers to readers; other calls pass untouched.
func onResponse(begin func(w *alter.Response, r *http.Request)) around {
	return alter.OnResponses(isRead, begin)
}

// onRequest handles the requests of readers; other calls pass untouched.
func onRequest(serve func(next http.Handler, w http.ResponseWriter, r *http.Request)) around {
	return alter.OnRequests(isRead, serve)
}

// isRead reports whether a request is one of a reader.
func isRead(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/streams/") }
