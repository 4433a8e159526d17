package stream

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// resume lists the mutants of resume.
func resume() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that begin at the wrong sequence.
		{Name: "inclusive-resume", Requirement: "helix.resume.after-cursor", Stateful: true,
			Summary: "Once a stream fills a second page, a resume begins with the chunk that the cursor names.",
			Also:    []string{"helix.resume.cycles"},
			Apply:   on.Starts(func(s on.Start) bool { return s.After > 0 && s.After <= s.LatestSequence && s.LatestSequence > 8 }).By(-1)},
		{Name: "wrong-across-9-10", Requirement: "helix.resume.after-cursor", Stateful: true,
			Summary: "The replay after a cursor compares ids as text, so that after 10 come 2 to 9 again.",
			Also:    []string{"helix.resume.cycles"},
			Apply:   comparesAsText},
		{Name: "resume-skips-one", Requirement: "helix.resume.complete", Stateful: true,
			Summary: "On a finished stream, where the cursor is an offset into an archive, a resume skips one chunk.",
			Apply:   on.Starts(on.Start.Finished, func(s on.Start) bool { return s.Given && s.After < s.LatestSequence }).By(1)},
		{Name: "ignores-query", Requirement: "helix.resume.query",
			Summary: "fromSequence is checked and then forgotten.",
			Also:    []string{"helix.resume.after-cursor"},
			Apply: edit.OnCursor(func(header, _ *string, c helix.Cursor, err error) (helix.Cursor, error) {
				if header == nil || *header == "" {
					return helix.Cursor{}, err
				}
				return c, err
			})},
		{Name: "zero-is-latest", Requirement: "helix.resume.zero",
			Summary: "A cursor of 0 stands for whatever comes next, as in some message brokers.",
			Apply:   on.Starts(func(s on.Start) bool { return s.Given && s.After == 0 }).At(latest)},

		// These mistake one of two cursors for the other.
		{Name: "query-wins", Requirement: "helix.resume.header-wins",
			Summary: "The query is preferred to the header, so that each reconnection starts where the first connection did.",
			Also:    []string{"helix.resume.after-cursor"},
			Apply: edit.OnCursor(func(header, query *string, c helix.Cursor, err error) (helix.Cursor, error) {
				if header != nil && query != nil && *query != "" {
					return helix.ParseSequence(*query)
				}
				return c, err
			})},
		{Name: "bad-query-drops-header", Requirement: "helix.resume.header-wins",
			Summary: "Header and query are read in one go, and if either can't be, there is no cursor.",
			Apply: edit.OnCursor(func(header, query *string, c helix.Cursor, err error) (helix.Cursor, error) {
				if header != nil && query != nil && *query != "" {
					if _, no := helix.ParseSequence(*query); no != nil {
						return helix.Cursor{}, nil
					}
				}
				return c, err
			})},

		// These number chunks wrongly, or differently each time.
		{Name: "starts-at-1000", Requirement: "helix.resume.first-sequence",
			Summary: "Sequences begin at 1000, to leave room.",
			Apply:   on.Numbering(func(p store.Position) int64 { return max(p.Highest+1, 1000) })},
		{Name: "skips-numbers", Requirement: "helix.resume.gapless", Stateful: true,
			Summary: "The server reserves numbers in blocks of ten and begins a new block one too late.",
			Apply: on.Numbering(func(p store.Position) int64 {
				if next := p.Highest + 1; next%10 != 0 {
					return next
				}
				return p.Highest + 2
			})},
		{Name: "renumbers-on-resume", Requirement: "helix.resume.stable", Stateful: true,
			Summary: "When several readers share a stream's cache, the replay after a cursor counts from one place too far.",
			Apply:   on.Events(sharedReplay()).Edit(func(e *store.Event) { e.Sequence++ })},
		{Name: "resume-re-encodes", Requirement: "helix.resume.stable", Stateful: true,
			Summary: "When several readers share a stream's cache, the replay after a cursor comes from rows that keep whole " +
				"seconds.",
			Apply: on.Events(sharedReplay()).Edit(func(e *store.Event) {
				e.Chunk.JSON = edit.Chunk(e.Chunk.JSON, func(_ string, members alter.Object) bool {
					var milliseconds int64
					if json.Unmarshal(members["timestamp"], &milliseconds) != nil {
						return false
					}
					members["timestamp"] = alter.Encode(milliseconds / 1000 * 1000)
					return true
				})
			})},

		// These get the end of a stream wrong.
		{Name: "resume-at-latest-ends", Requirement: "helix.resume.at-latest",
			Summary: "A reader that has everything so far is answered 204, as if the stream were over.",
			Also:    []string{"helix.wire.head"},
			Apply:   on.Starts(on.Start.HasAll, on.Start.Unfinished).Refuse(store.ErrComplete)},
		{Name: "finished-tail-204", Requirement: "helix.resume.finished-tail", Stateful: true,
			Summary: "A reader that has every chunk of a failed stream is answered 204 and never learns of the failure.",
			Apply:   on.Starts(on.Start.HasAll, func(s on.Start) bool { return s.Status == store.Failed }).Refuse(store.ErrComplete)},
		{Name: "terminal-again", Requirement: "helix.resume.no-content",
			Summary: "A reader that has the terminal frame gets it again, each time it asks.",
			Apply:   on.Starts(on.Start.Finished).At(func(s on.Start) int64 { return min(s.After, s.Terminal-1) })},
		{Name: "beyond-latest-delivers-next", Requirement: "helix.resume.beyond-latest",
			Summary: "A cursor beyond the latest sequence is taken for the latest.",
			Also:    []string{"helix.resume.after-cursor"},
			Apply:   on.Starts(on.Start.Unfinished, func(s on.Start) bool { return s.After > s.LatestSequence }).At(latest)},

		// These fail when it isn't the first time, or when something happened meanwhile.
		{Name: "second-resume-skips", Requirement: "helix.resume.cycles", Stateful: true,
			Summary: "From its second resume on, a stream is served from one place too far.",
			Apply: alter.WithState(func(resumes *alter.PerKey[int]) on.Apply {
				return on.OnStart(func(c helix.Cursor, _ store.Info, stream string) (int64, error) {
					if c.After > 0 && alter.Count(resumes, stream) > 1 {
						return c.After + 1, nil
					}
					return c.After, nil
				})
			})},
		{Name: "resume-loses-chunk-before-live", Requirement: "helix.resume.cycles", Stateful: true,
			Summary: "From the third resume of a stream on, the first chunk that was written after the replay is lost.",
			Apply: alter.WithState(func(resumes *alter.PerKey[int]) on.Apply {
				return on.Events(on.ForAttached(func(v on.Attached) bool {
					return v.Cursor.After > 0 && alter.Count(resumes, v.Stream) > 2
				}), on.Live().Nth(1)).Drop()
			})},
		{Name: "forgets-when-idle", Requirement: "helix.resume.after-idle", Stateful: true,
			Summary: "When nothing was written for a while, the index for resumes is dropped, and only new chunks are sent.",
			Apply:   forgetsWhenIdle},
		{Name: "paused-resume-goes-deaf", Requirement: "helix.resume.paused", Stateful: true,
			Summary: "A reader that resumes during a pause isn't fed any more when the stream goes on.",
			Apply:   on.Events(on.Fresh().Not(), on.CameWhile(store.Paused), on.All().Since(on.StatusIs(store.Active))).Drop()},
		{Name: "removed-cursor-refused", Requirement: "helix.resume.removed-cursor", Stateful: true,
			Summary: "A cursor that isn't found among later chunks is refused as gone.",
			Also:    []string{"helix.truncation.removed-on-resume"},
			Apply: on.OnAttachment(func(ctx context.Context, s store.Store, r helix.Reader,
				attach on.Attachment) (store.Subscription, error) {
				chunks := edit.ChunksIn(s, r.Stream)
				known := func(e store.Event) bool { return e.Sequence == r.Cursor.After }
				if r.Cursor.After > 0 && !slices.ContainsFunc(chunks, known) && len(chunks) > 0 &&
					chunks[len(chunks)-1].Sequence > r.Cursor.After {
					return nil, &helix.Error{Status: http.StatusGone, Message: "the cursor was removed"}
				}
				return attach(ctx, s, r)
			})},
	}
}

func comparesAsText(o reference.Options) reference.Options {
	return on.OnAttachment(func(ctx context.Context, s store.Store, r helix.Reader,
		attach on.Attachment) (store.Subscription, error) {
		info, err := s.Info(ctx, r.Stream)
		if err != nil || r.Cursor.After == 0 || r.Cursor.After > info.LatestSequence || info.Terminal > 0 {
			return attach(ctx, s, r)
		}
		after := r.Cursor.After
		r.Cursor.After = 0
		sub, err := attach(ctx, s, r)
		if err != nil {
			return nil, err
		}
		return store.Map(sub, edit.Except(func(e store.Event) bool {
			return e.Kind == store.ChunkWritten && e.Sequence <= info.LatestSequence && compareAsText(e.Sequence, after) <= 0
		})), nil
	})(o)
}

func forgetsWhenIdle(o reference.Options) reference.Options {
	var written alter.PerKey[time.Time]
	return alter.All(on.OnStore(edit.OnAppended(func(stream string, _ []store.Event) {
		written.Set(stream, time.Now())
	})), on.OnStart(func(c helix.Cursor, i store.Info, stream string) (int64, error) {
		if c.Given && i.Terminal == 0 && time.Since(written.Get(stream)) > maxIdle {
			return i.LatestSequence, nil
		}
		return c.After, nil
	}))(o)
}

// latest is the last sequence that a stream has given to a chunk.
func latest(s on.Start) int64 { return s.LatestSequence }

// sharedReplay matches chunks that are replayed to a reader with a cursor while several others are attached.
func sharedReplay() on.Reading { return on.Stored().And(on.Fresh().Not(), on.CameAfter(2)) }
