package helix

import (
	"net/http"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// deepReaders err with some reader among several.
func deepReaders() []Mutant {
	return []Mutant{{
		Name: "fourth-reader-untold", Requirement: "helix.truncation.notifies",
		Summary: "A cleanup is told to the first three readers.",
		Apply:   loses(func(v visit, e store.Event) bool { return told(e, store.Truncated) && v.others >= 3 }),
	}, {
		Name: "status-to-fresh-readers-only", Requirement: "helix.status.frames",
		Summary: "Readers that came with a cursor aren't on the list for a change of status.",
		Apply: loses(func(v visit, e store.Event) bool {
			return told(e, store.StatusChanged) && v.Cursor.After > 0 && v.Status == store.Active
		}),
	}, {
		Name: "cleanup-to-fresh-readers-only", Requirement: "helix.truncation.notifies",
		Summary: "Readers that came with a cursor aren't on the list for a cleanup.",
		Apply:   loses(func(v visit, e store.Event) bool { return told(e, store.Truncated) && v.Cursor.After > 0 }),
	}, {
		Name: "ninth-reader-misses-live", Requirement: "helix.lifecycle.independent-readers",
		Summary: "What is written reaches eight readers.",
		Apply:   loses(func(v visit, e store.Event) bool { return v.live(e) && v.others >= 8 }),
	}, {
		Name: "third-reader-misses-fail", Requirement: "helix.lifecycle.fail",
		Summary: "The third reader gets an end where the stream failed.",
		Apply: onEvents(func(v visit, e store.Event) []store.Event {
			if e.Kind == store.StreamFailed && v.others >= 2 && !v.finished() {
				e.Kind = store.StreamEnded
			}
			return []store.Event{e}
		}),
	}, {
		Name: "later-resume-mutes-earlier", Requirement: "helix.lifecycle.reader-disconnect",
		Summary: "Readers with a cursor are kept by their cursor: a second at the same place takes the place of the first.",
		Apply: func(o reference.Options) reference.Options {
			var newest ledger[map[int64]int]
			return onVisitEvents(func(v visit) func(store.Event) []store.Event {
				if v.Cursor.After == 0 {
					return nil
				}
				own := 0
				newest.with(v.Stream, func(m *map[int64]int) {
					if *m == nil {
						*m = map[int64]int{}
					}
					(*m)[v.Cursor.After]++
					own = (*m)[v.Cursor.After]
				})
				return except(func(e store.Event) bool { return v.live(e) && newest.get(v.Stream)[v.Cursor.After] != own })
			})(o)
		},
	}}
}

// deepMoreReaders do, too.
func deepMoreReaders() []Mutant {
	return []Mutant{{
		Name: "truncated-with-id-on-resume", Requirement: "helix.truncation.not-numbered",
		Summary: "On a connection that was resumed, a truncated frame takes the next number as its id.",
		Apply: onBlocks(func(_ reference.Options, r helix.Reader) func(*alter.Block, store.Event) {
			return func(b *alter.Block, e store.Event) {
				if told(e, store.Truncated) && r.Cursor.After > 0 {
					b.ID = "999999"
				}
			}
		}),
	}, {
		Name: "one-flood-loses-last", Requirement: "helix.lifecycle.terminal-last-chunks",
		Summary: "A live reader of a stream that ends gets the end in place of a chunk that came in the same instant.",
		Apply: onVisit(func(v visit, s store.Subscription) store.Subscription {
			return &batches{Subscription: s, change: func(events []store.Event) []store.Event {
				if n := len(events); n > 20 && v.finished() && events[n-1].Kind.Terminal() {
					return append(append([]store.Event{}, events[:n-2]...), events[n-1])
				}
				return events
			}}
		}),
	}}
}

// deepTransports err on some way to the reader.
func deepTransports() []Mutant {
	zipped := func(v visit) bool { return v.Request.Header.Get("Accept-Encoding") == "gzip" }
	return []Mutant{{
		Name: "gzip-resume-loses-last", Requirement: "helix.resume.complete",
		Summary: "On a resume with compression, the last chunk of the replay stays in the compressor.",
		Apply: loses(func(v visit, e store.Event) bool {
			return zipped(v) && onResume(v, e) && e.Sequence == v.LatestSequence
		}),
	}, {
		Name: "gzip-unpaused", Requirement: "helix.status.frames",
		Summary: "A notice is too short to be flushed by the compressor.",
		Apply:   loses(func(v visit, e store.Event) bool { return zipped(v) && told(e, store.StatusChanged) }),
	}, {
		Name: "http2-untold", Requirement: "helix.truncation.notifies",
		Summary: "The frame of a cleanup isn't sent on streams of HTTP/2.",
		Apply:   loses(func(v visit, e store.Event) bool { return v.Request.ProtoMajor == 2 && told(e, store.Truncated) }),
	}, {
		Name: "http2-resume-from-start", Requirement: "helix.resume.after-cursor",
		Summary: "Over HTTP/2 the names of headers are in lower case, and the cursor isn't found.",
		Apply: func(o reference.Options) reference.Options {
			read := o.Cursor
			o.Cursor = func(stream string, r *http.Request) (helix.Cursor, error) {
				if r.ProtoMajor == 2 && r.Header.Get("Last-Event-ID") != "" {
					r = r.Clone(r.Context())
					r.Header.Del("Last-Event-ID")
				}
				return read(stream, r)
			}
			return o
		},
	}}
}
