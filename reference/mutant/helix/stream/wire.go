package stream

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

func wire() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that change the form of all frames.
		{Name: "says-done", Requirement: "helix.wire.json",
			Summary: "The body closes with data: [DONE], as other services do it.",
			Also:    []string{"helix.lifecycle.one-terminal"},
			Apply:   on.Frames(on.Last()).Behind("data: [DONE]\n\n")},
		{Name: "frame-without-type", Requirement: "helix.wire.frame-type",
			Summary: "A greeting without a type comes before the first frame.",
			Apply:   on.Frames(on.Sent().Nth(1)).Before("data: {\"connected\":true}\n\n")},
		{Name: "splits-data-over-lines", Requirement: "helix.wire.single-data-line",
			Summary: "Frames are printed for people, indented.",
			Apply:   on.Frames().Indent()},
		{Name: "end-frame-repeats-chunk", Requirement: "helix.wire.exclusive",
			Summary: "The structure for frames is used again for the end, and still holds the chunk that was sent last.",
			Apply: onBlocks(func(reference.Options, helix.Reader) func(*alter.Block, store.Event) {
				var last json.RawMessage
				return func(b *alter.Block, e store.Event) {
					switch {
					case e.Kind == store.ChunkWritten:
						last = e.Chunk.JSON
					case e.Kind == store.StreamEnded && last != nil:
						b.Members(func(f alter.Object) { f["chunk"] = last })
					}
				}
			})},

		// Mutants that get the frames of one kind wrong.
		{Name: "bare-chunks", Requirement: "helix.wire.chunk-frame", Stateful: true,
			Summary: "A replay that is just a page, three chunks without a step, takes a path that forgets to wrap them into " +
				"frames.",
			Also: []string{"helix.lifecycle.late-reader"},
			Wrap: alter.OnResponses(readsAll, bareChunks)},
		{Name: "end-frame-numeric-stream-id", Requirement: "helix.wire.end-frame",
			Summary: "The end frame tells the key of the stream in the database, a number.",
			Apply:   on.Frames(on.Of(store.StreamEnded)).Set("streamId", `42`)},
		{Name: "fail-frame-error-object", Requirement: "helix.wire.fail-frame",
			Summary: "The error of a fail frame is an object with a message, unless the failure has a code.",
			Also:    []string{"helix.lifecycle.fail", "helix.security.forged-error"},
			Apply: on.Frames(on.Of(store.StreamFailed)).Members(func(f alter.Object, e store.Event) {
				if e.Code == "" {
					f["error"] = alter.Encode(map[string]string{"message": e.Error})
				}
			})},
		{Name: "status-frame-says-running", Requirement: "helix.wire.status-frame",
			Summary: "A stream that goes on after a pause is called running.",
			Also:    []string{"helix.status.frames"},
			Apply: on.Frames(on.Of(store.StatusChanged), on.IfSent(func(e store.Event) bool { return e.Status == store.Active })).
				Set("status", `"running"`)},
		{Name: "truncated-frame-text-step", Requirement: "helix.wire.truncated-frame",
			Summary: "The step of a truncated frame is a string of digits.",
			Apply: on.Frames(on.Of(store.Truncated)).
				SetTo("truncatedAtStep", func(e store.Event) any { return strconv.FormatInt(e.AtStep, 10) })},

		// Mutants that get the fields around the data of chunks wrong.
		{Name: "chunk-without-id", Requirement: "helix.wire.chunk-id", Stateful: true,
			Summary: "The first chunk after a resume has no id.",
			Also:    []string{"helix.resume.beyond-latest"},
			Apply: on.Frames(on.Of(store.ChunkWritten).Nth(1),
				alter.In[helix.Reader, store.Event](func(r helix.Reader) bool { return r.Cursor.Given })).
				Fields(func(b *alter.Block, _ store.Event) { b.ID = "" })},
		{Name: "sequence-off-by-one", Requirement: "helix.wire.sequence", Stateful: true,
			Summary: "Live frames count from zero, those that are replayed from one.",
			Apply: onBlocks(func(o reference.Options, r helix.Reader) func(*alter.Block, store.Event) {
				known := stored(o.Store, r)
				return func(b *alter.Block, e store.Event) {
					if e.Kind == store.ChunkWritten && e.Sequence > known {
						b.Members(func(f alter.Object) { f["sequence"] = alter.Encode(e.Sequence - 1) })
					}
				}
			})},

		// Mutants that get the fields around the data of terminal frames wrong.
		{Name: "last-frame-without-blank-line", Requirement: "helix.wire.blank-line", Stateful: true,
			Summary: "Frames are joined by blank lines instead of followed by them, when a failed stream is replayed from its " +
				"start.",
			Apply: unterminatedFailure},
		{Name: "id-with-prefix", Requirement: "helix.wire.id-digits",
			Summary: "The id of an end frame is marked with a prefix, which the server itself takes back.",
			Apply:   prefixedEnd()},
		{Name: "terminal-without-id", Requirement: "helix.wire.terminal-id",
			Summary: "The frame of a failure has no id, because a failure isn't stored as the end is.",
			Also:    []string{"helix.resume.no-content"},
			Apply:   on.Frames(on.Of(store.StreamFailed)).Fields(func(b *alter.Block, _ store.Event) { b.ID = "" })},
		{Name: "terminal-id-far", Requirement: "helix.wire.terminal-id-next",
			Summary: "The id of the terminal frame leaves room for a thousand chunks that might still come.",
			Also:    []string{"helix.truncation.reset-sequence"},
			Apply: on.Frames(on.Last()).
				Fields(func(b *alter.Block, e store.Event) { b.ID = strconv.FormatInt(e.Sequence+1000, 10) })},
		{Name: "named-frames", Requirement: "helix.wire.unnamed",
			Summary: "The end frame has an event name, so that onmessage never sees it.",
			Apply:   on.Frames(on.Of(store.StreamEnded)).Name("end")},

		// Mutants that get the encoding of the body wrong.
		{Name: "latin1-body", Requirement: "helix.wire.utf8",
			Summary: "Letters of chunks that Latin-1 has are written as one byte.",
			Also:    []string{"helix.chunks.strings-exact"},
			Apply:   on.Frames(on.Of(store.ChunkWritten)).Latin1()},
		{Name: "leading-bom", Requirement: "helix.wire.no-bom",
			Summary: "The body begins with a byte order mark.",
			Apply:   on.Frames(on.Sent().Nth(1)).Before("\ufeff")},

		// Mutants that get the response around the frames wrong.
		{Name: "html-content-type", Requirement: "helix.wire.content-type",
			Summary: "The framework's default content type is left on the response.",
			Wrap:    streams().Set("Content-Type", "text/html; charset=utf-8")},
		{Name: "cacheable-stream", Requirement: "helix.wire.cache-control",
			Summary: "A stream may be cached for a minute, as all answers of the service.",
			Wrap:    streams().Set("Cache-Control", "private, max-age=60")},
		{Name: "head-waits-for-first-frame", Requirement: "helix.wire.head", Stateful: true,
			Summary: "A reader that resumes gets the head together with the first frame.",
			Also:    []string{"helix.resume.beyond-latest", "helix.resume.at-latest"},
			Wrap:    alter.OnResponses(readsFrom, delayedHead)},
		{Name: "idle-time-out", Requirement: "helix.wire.stays-open", Stateful: true,
			Summary: "A wait for the next chunk that times out is taken for the end of the response.",
			Apply:   on.OnAttach(idleTimeout)},
		{Name: "no-heartbeat", Requirement: "helix.wire.heartbeat",
			Summary: "Nothing is sent while nothing is written.",
			Apply: func(o reference.Options) reference.Options {
				o.Heartbeat = -1
				return o
			}},
		{Name: "gzip-without-flush", Requirement: "helix.wire.compression",
			Summary: "A reader that accepts gzip gets what the compressor lets go.",
			Wrap:    edit.OnReads(gzipped(false, true))},
		{Name: "gzip-without-trailer", Requirement: "helix.wire.accept-encoding",
			Summary: "The compressor is flushed after each frame and never closed, so that the body has no trailer.",
			Wrap:    edit.OnReads(gzipped(true, false))},
		{Name: "gzip-forgets-cursor", Requirement: "helix.wire.accept-encoding",
			Summary: "Readers that accept gzip are served from a cache of whole streams.",
			Also:    []string{"helix.wire.compression"},
			Apply: on.OnCursor(func(stream string, r *http.Request, read on.CursorReader) (helix.Cursor, error) {
				c, err := read(stream, r)
				if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
					c = helix.Cursor{}
				}
				return c, err
			})},
	}
}

func unterminatedFailure(o reference.Options) reference.Options {
	return on.OnBytes(func(o reference.Options, r helix.Reader) func([]byte, store.Event) []byte {
		info, err := o.Store.Info(r.Request.Context(), r.Stream)
		failed := err == nil && info.Status == store.Failed && info.ChunkCount > 0 && !r.Cursor.Given
		return func(whole []byte, e store.Event) []byte {
			if failed && e.Kind == store.StreamFailed {
				return bytes.TrimSuffix(whole, []byte("\n"))
			}
			return whole
		}
	})(o)
}

func prefixedEnd() on.Apply {
	const prefix = "end-"
	return alter.All(on.OnCursor(func(stream string, r *http.Request, read on.CursorReader) (helix.Cursor, error) {
		if id, marked := strings.CutPrefix(r.Header.Get("Last-Event-ID"), prefix); marked {
			r = r.Clone(r.Context())
			r.Header.Set("Last-Event-ID", id)
		}
		return read(stream, r)
	}), on.Frames(on.Of(store.StreamEnded)).Fields(func(b *alter.Block, _ store.Event) { b.ID = prefix + b.ID }))
}

// bareChunks removes the frames around the chunks of a first write of three of them, none with a step.
func bareChunks(w *alter.Response, _ *http.Request) {
	const page = 3
	started := false
	w.Body = func(written []byte) []byte {
		whole := bytes.SplitAfter(written, []byte("\n\n"))
		whole = whole[:len(whole)-1] // nothing follows the last blank line
		if started || len(whole) != page {
			started = true
			return written
		}
		started = true
		var out []byte
		for _, raw := range whole {
			b := alter.ParseBlock(raw)
			chunk := alter.Members([]byte(strings.Join(b.Data, "\n")))["chunk"]
			if members := alter.Members(chunk); members == nil || members["step"] != nil {
				return written
			}
			b.Data = []string{string(chunk)}
			out = b.Append(out)
		}
		return out
	}
}
