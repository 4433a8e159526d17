package stream

import (
	"net/http"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// readers err with some reader among several.
func readers() []edit.Mutant {
	return []edit.Mutant{
		{Name: "ninth-reader-misses-live", Requirement: "helix.lifecycle.independent-readers",
			Summary: "What is written reaches eight readers.",
			Apply:   loses(func(v on.Attached, e store.Event) bool { return v.Live(e) && v.Others >= 8 })},
		{Name: "later-resume-mutes-earlier", Requirement: "helix.lifecycle.reader-disconnect",
			Summary: "Readers with a cursor are kept by their cursor: a second at the same place takes the place of the first.",
			Apply: func(o reference.Options) reference.Options {
				var newest alter.PerKey[map[int64]int]
				return on.Events().Map(func(v on.Attached) func(store.Event) []store.Event {
					if v.Cursor.After == 0 {
						return nil
					}
					own := 0
					newest.With(v.Stream, func(m *map[int64]int) {
						if *m == nil {
							*m = map[int64]int{}
						}
						(*m)[v.Cursor.After]++
						own = (*m)[v.Cursor.After]
					})
					return edit.Except(func(e store.Event) bool { return v.Live(e) && newest.Get(v.Stream)[v.Cursor.After] != own })
				})(o)
			}},
	}
}

// transports err on some way to the reader.
func transports() []edit.Mutant {
	zipped := func(v on.Attached) bool { return v.Request.Header.Get("Accept-Encoding") == "gzip" }
	return []edit.Mutant{
		{Name: "gzip-unpaused", Requirement: "helix.status.frames",
			Summary: "A notice is too short to be flushed by the compressor.",
			Apply:   loses(func(v on.Attached, e store.Event) bool { return zipped(v) && isNotice(e, store.StatusChanged) })},
		{Name: "http2-untold", Requirement: "helix.truncation.notifies",
			Summary: "The frame of a cleanup isn't sent on streams of HTTP/2.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return v.Request.ProtoMajor == 2 && isNotice(e, store.Truncated)
			})},
		{Name: "http2-resume-from-start", Requirement: "helix.resume.after-cursor",
			Summary: "Over HTTP/2 the names of headers are in lower case, and the cursor isn't found.",
			Apply: on.OnCursor(func(stream string, r *http.Request, read on.CursorReader) (helix.Cursor, error) {
				if r.ProtoMajor == 2 && r.Header.Get("Last-Event-ID") != "" {
					r = r.Clone(r.Context())
					r.Header.Del("Last-Event-ID")
				}
				return read(stream, r)
			})},
	}
}
