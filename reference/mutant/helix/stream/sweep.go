package stream

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// resumeSweep lists mutants that fail only where a connection breaks at a certain byte, or resumes at a certain moment.
func resumeSweep() []edit.Mutant {
	return []edit.Mutant{
		{Name: "id-line-counts-as-delivered", Requirement: "helix.resume.cycles", Stateful: true,
			Summary: "An event whose id line was flushed counts as delivered: a reader that is cut before the data line never " +
				"gets it.",
			Also: []string{"helix.resume.complete", "helix.resume.stable"},
			Wrap: onDisconnect(endOfIDLine, func([]byte, stretch) []byte { return nil })},
		{Name: "twice-cut-event-is-skipped", Requirement: "helix.resume.cycles", Stateful: true,
			Summary: "An event that two resumes could not get past is taken for poison, and the third begins behind it.",
			Apply:   skipsPoison},
		{Name: "cut-character-is-replaced", Requirement: "helix.resume.stable", Stateful: true,
			Summary: "The buffer of a connection that was cut inside a character is decoded, with a replacement for the half, " +
				"and sent again.",
			Also: []string{"helix.resume.cycles"},
			Wrap: onDisconnect(characters, func(block []byte, at stretch) []byte {
				return slices.Concat(block[:at.from], []byte("\ufffd"), block[at.to+1:])
			})},
		{Name: "resume-misses-what-is-being-written", Requirement: "helix.resume.complete", Stateful: true,
			Summary: "A resume reads the log, then registers: what writers finish in between is in neither.",
			Apply:   registersDelayed},
	}
}

// stretch is a part of a block, from one byte to another.
type stretch struct{ from, to int }

// glance is long enough for a connection that was closed to be noticed.
const glance = 4 * time.Millisecond

// onDisconnect sends each block of a stream in pieces, and checks after each whether the reader is still connected. spoils
// gets a block and the stretch in which its reader disconnected, and returns the bytes that the next resume is sent
// instead.
func onDisconnect(stretches func(block []byte) []stretch, spoils func(block []byte, at stretch) []byte) alter.Around {
	return func(next http.Handler) http.Handler {
		var rejectedBatch alter.PerKey[*[]byte] // by stream and id
		return edit.OnReads(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
			id := func(block []byte) string { return r.URL.Path + " " + alter.ParseBlock(block).ID }
			next.ServeHTTP(&pieces{
				ResponseWriter: w, gone: r.Context().Done(), stretches: stretches,
				disconnect: func(block []byte, at stretch) {
					other := spoils(block, at)
					rejectedBatch.Set(id(block), &other)
				},
				instead: func(block []byte) []byte {
					rejectedBatch.With(id(block), func(other **[]byte) {
						if *other != nil && r.Header.Get("Last-Event-ID") != "" {
							block, *other = **other, nil
						}
					})
					return block
				},
			}, r)
		})(next)
	}
}

// pieces is a ResponseWriter that detects where a reader of a stream disconnects.
type pieces struct {
	http.ResponseWriter
	gone       <-chan struct{}
	stretches  func(block []byte) []stretch
	disconnect func(block []byte, at stretch)
	instead    func(block []byte) []byte
}

// Unwrap lets a ResponseController reach the connection.
func (p *pieces) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// Write writes complete blocks.
func (p *pieces) Write(blocks []byte) (int, error) {
	if !alter.IsStream(http.StatusOK, p.Header()) {
		return p.ResponseWriter.Write(blocks)
	}
	for _, block := range bytes.SplitAfter(blocks, []byte("\n\n")) {
		if err := p.block(p.instead(block)); err != nil {
			return 0, err
		}
	}
	return len(blocks), nil
}

func (p *pieces) block(block []byte) error {
	sent := 0
	for _, at := range p.stretches(block) {
		left, err := p.piece(block[sent:at.from])
		if left || err != nil {
			return errors.Join(context.Canceled, err)
		}
		if left, err = p.piece(block[at.from:at.to]); left || err != nil {
			p.disconnect(block, at)
			return errors.Join(context.Canceled, err)
		}
		sent = at.to
	}
	_, err := p.ResponseWriter.Write(block[sent:])
	return err
}

// piece sends a part of a block and reports whether the reader has left.
func (p *pieces) piece(part []byte) (left bool, err error) {
	if _, err := p.ResponseWriter.Write(part); err != nil {
		return true, err
	}
	if err := http.NewResponseController(p.ResponseWriter).Flush(); err != nil {
		return true, err
	}
	select {
	case <-p.gone:
		return true, nil
	case <-time.After(glance):
		return false, nil
	}
}

// endOfIDLine returns the line feed after an id.
func endOfIDLine(block []byte) []stretch {
	end := bytes.IndexByte(block, '\n')
	if !bytes.HasPrefix(block, []byte("id:")) || end < 0 {
		return nil
	}
	return []stretch{{end, end + 1}}
}

// characters are the characters of several bytes, but for the last of these.
func characters(block []byte) []stretch {
	var all []stretch
	for i := 0; i < len(block); {
		_, size := utf8.DecodeRune(block[i:])
		if size > 1 {
			all = append(all, stretch{i, i + size - 1})
		}
		i += size
	}
	return all
}

func skipsPoison(o reference.Options) reference.Options {
	var requested alter.PerKey[map[int64]int]
	return on.OnStart(func(c helix.Cursor, i store.Info, stream string) (int64, error) {
		after := c.After
		requested.With(stream, func(times *map[int64]int) {
			if *times == nil {
				*times = map[int64]int{}
			}
			if (*times)[after]++; after > 0 && after < i.LatestSequence && (*times)[after] > 2 {
				after++
			}
		})
		return after, nil
	})(o)
}

// registersDelayed loses chunks that are written just after the log was read.
func registersDelayed(o reference.Options) reference.Options {
	return on.OnAttachment(func(ctx context.Context, s store.Store, r helix.Reader,
		attach on.Attachment) (store.Subscription, error) {
		read, err := s.Info(ctx, r.Stream)
		if err != nil || r.Cursor.After == 0 || read.Terminal > 0 {
			return attach(ctx, s, r)
		}
		time.Sleep(glance)
		registered, err := s.Info(ctx, r.Stream)
		if err != nil {
			return nil, err
		}
		sub, err := attach(ctx, s, r)
		if err != nil {
			return nil, err
		}
		return store.Map(sub, edit.Except(func(e store.Event) bool {
			return e.Kind == store.ChunkWritten && e.Sequence > read.LatestSequence && e.Sequence <= registered.LatestSequence
		})), nil
	})(o)
}
