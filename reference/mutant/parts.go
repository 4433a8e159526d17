package mutant

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// apply is what a mutant does to the options of its server.
type apply = func(reference.Options) reference.Options

// around is what a mutant puts around the handler of its server.
type around = func(http.Handler) http.Handler

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
type object = map[string]json.RawMessage

// encode writes JSON without the escapes that only HTML needs, so that a mutant changes no more than it means to.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // only values that came from JSON are encoded
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// objectOf reads an object; nil if it isn't one.
func objectOf(raw []byte) object {
	var members object
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	return members
}

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
	members := objectOf(chunk)
	if members == nil || !change(textOf(members, "type"), members) {
		return chunk
	}
	return encode(members)
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

// onAttach puts something around the subscription of each reader.
func onAttach(wrap func(inner store.Store, r helix.Reader, s store.Subscription) store.Subscription) apply {
	return func(o reference.Options) reference.Options {
		attach := o.Attach
		o.Attach = func(ctx context.Context, inner store.Store, r helix.Reader) (store.Subscription, error) {
			s, err := attach(ctx, inner, r)
			if err != nil {
				return nil, err
			}
			return wrap(inner, r, s), nil
		}
		return o
	}
}

// encoder makes a function an Encoder.
type encoder func(dst []byte, e store.Event) []byte

func (f encoder) Append(dst []byte, e store.Event) []byte { return f(dst, e) }

// block is one event on its way to the wire.
type block struct {
	id    string   // empty: no id line
	event string   // empty: no event line
	data  []string // one for each data line
}

// onBlocks changes the blocks of a response. The function is called once for each response and makes the function that
// changes its blocks. The store is there to look things up.
func onBlocks(begin func(o reference.Options, r helix.Reader) func(b *block, e store.Event)) apply {
	return onBytes(func(o reference.Options, r helix.Reader) func([]byte, store.Event) []byte {
		change := begin(o, r)
		return func(whole []byte, e store.Event) []byte {
			b := parseBlock(whole)
			change(&b, e)
			return b.append(nil)
		}
	})
}

// onBytes is onBlocks for the bytes of each block, its blank line included.
func onBytes(begin func(o reference.Options, r helix.Reader) func(whole []byte, e store.Event) []byte) apply {
	return func(o reference.Options) reference.Options {
		inner := o
		o.Encoder = func(r helix.Reader) helix.Encoder {
			encode, change := inner.Encoder(r), begin(inner, r)
			return encoder(func(dst []byte, e store.Event) []byte {
				return append(dst, change(encode.Append(nil, e), e)...)
			})
		}
		return o
	}
}

func parseBlock(whole []byte) block {
	var b block
	for _, line := range strings.Split(strings.TrimSuffix(string(whole), "\n\n"), "\n") {
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "id":
			b.id = value
		case "data":
			b.data = append(b.data, value)
		}
	}
	return b
}

func (b block) append(dst []byte) []byte {
	if b.event != "" {
		dst = append(append(append(dst, "event: "...), b.event...), '\n')
	}
	if b.id != "" {
		dst = append(append(append(dst, "id: "...), b.id...), '\n')
	}
	for _, line := range b.data {
		dst = append(append(append(dst, "data: "...), line...), '\n')
	}
	return append(dst, '\n')
}

// frame changes the members of the block's frame.
func (b *block) frame(change func(object)) {
	members := objectOf([]byte(strings.Join(b.data, "\n")))
	change(members)
	b.data = []string{string(encode(members))}
}

// onFrames changes the frames of one kind, on every response alike.
func onFrames(kind store.Kind, change func(frame object, e store.Event)) apply {
	return onBlocks(func(reference.Options, helix.Reader) func(*block, store.Event) {
		return func(b *block, e store.Event) {
			if e.Kind == kind {
				b.frame(func(f object) { change(f, e) })
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

// response is a ResponseWriter that does some things differently; each function may be nil.
type response struct {
	http.ResponseWriter
	head  func(status int) int           // before the head is sent; returns the status to send
	body  func(written []byte) []byte    // returns what is written instead
	flush func(flush func() error) error // called instead of a flush
}

func (w *response) WriteHeader(status int) {
	if w.head != nil {
		status = w.head(status)
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(p []byte) (int, error) {
	written := p
	if w.body != nil {
		written = w.body(slices.Clone(p))
	}
	if _, err := w.ResponseWriter.Write(written); err != nil {
		return 0, err
	}
	return len(p), nil
}

// FlushError is how a ResponseController flushes.
func (w *response) FlushError() error {
	flush := http.NewResponseController(w.ResponseWriter).Flush
	if w.flush != nil {
		return w.flush(flush)
	}
	return flush()
}

// Unwrap lets a ResponseController reach the deadlines of the connection.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// onResponse changes the answers to readers; control calls pass untouched.
func onResponse(begin func(w *response, r *http.Request)) around {
	return onRequest(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		changed := &response{ResponseWriter: w}
		begin(changed, r)
		next.ServeHTTP(changed, r)
	})
}

// onRequest handles the requests of readers; control calls pass untouched.
func onRequest(serve func(next http.Handler, w http.ResponseWriter, r *http.Request)) around {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/streams/") {
				serve(next, w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// isStream says whether a head is that of a stream.
func isStream(status int, h http.Header) bool {
	return status == http.StatusOK && strings.HasPrefix(h.Get("Content-Type"), "text/event-stream")
}
