package play

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// bounds has the operations at and beyond the declared limits.
type bounds struct {
	env     *env // shared by all parts of the play
	readers *readers
	writers *writers
	sure    bool // a refusal wasn't for load
}

// attachBriefly has n readers attach and leave at once, before they receive anything: helix.lifecycle.reader-disconnect.
func (p *bounds) attachBriefly(s *stream, n int) error {
	if len(s.readers) >= p.env.target.Limits().Within().Readers {
		return nil
	}
	began := time.Now()
	for i := 0; i < n && time.Since(began) < longestLeaving; i++ {
		conn, err := helix.Attach(p.env.session, target.ReadRequest{Stream: s.id})
		if err != nil {
			return err
		}
		conn.Sent()
		p.env.session.Forget(conn)
	}
	if n >= crowded {
		return p.survived(s, n)
	}
	p.env.counts["helix.lifecycle.reader-disconnect"] += n
	return nil
}

// crowded is the number of readers that have to leave before the next reader is checked.
const crowded = 64

// fullest is the largest limit of chunks up to which a stream is filled.
const fullest = 20_000

// fill fills a stream up to its declared limit of events. Chunks beyond it are accepted or refused, and the stored ones
// stay; an array that exceeds it is accepted completely or not at all.
func (p *bounds) fill(s *stream) error {
	limit := p.env.target.Limits().Events
	if limit == 0 || limit > fullest || s.Finished() {
		return nil
	}
	if err := p.writers.write(s, program.Text(limit-1-s.Written(), 100)); err != nil {
		return err
	}
	if err := p.beyondLatest(s, 2, program.Text(1, 1)); err != nil {
		return err
	}
	if s.Written() < limit {
		if err := p.writers.append(s, program.Text(1, 1), 1, s.Written()); err != nil { // one more fits
			return err
		}
	}
	return p.beyondLatest(s, 1, program.Text(1, 1))
}

// enlarge writes the largest chunk that the config declares, and one that is a byte larger.
func (p *bounds) enlarge(s *stream) error {
	limits := p.env.target.Limits()
	within := limits.Within()
	if s.Finished() {
		return nil
	}
	o := program.Text(1, 1)
	switch {
	case limits.String > 0 && within.String <= within.Chunk-1<<10:
		o.Size = int(limits.String)
	case limits.Chunk > 0:
		o.Size = 1 << 10 // more than the marker, which is part of it
		o.Size += int(limits.Chunk) - len(data.NewChunk(s.Stream, s.Written(), s.Written(), o).Body)
	default:
		return nil
	}
	if o.Size > program.MostBytes {
		return nil
	}
	if err := p.writers.append(s, o, 1, s.Written()); err != nil {
		return err
	}
	o.Size++
	return p.beyondLatest(s, 1, o)
}

// refusals lists the statuses, other than 4xx, with which a server may refuse a request beyond a limit.
var refusals = []int{http.StatusServiceUnavailable, http.StatusInsufficientStorage}

// mayRefuse allows refusals for load until over is called.
func (p *bounds) mayRefuse() (over func()) {
	return p.env.session.Expects(http.StatusTooManyRequests, http.StatusServiceUnavailable)
}

// beyondLatest writes n chunks in one call that exceed a declared limit.
func (p *bounds) beyondLatest(s *stream, n int, o program.Operation) error {
	chunks, body := data.ChunksOf(s.Stream, o, n, s.Written())
	over := p.mayRefuse()
	call, err := p.env.session.Call(http.MethodPost, "/streams/"+target.EscapeSegment(s.id)+"/writers/"+target.EscapeSegment(s.writers[o.Who])+"/chunks", body, true)
	over()
	status := call.Now().Status
	p.env.counts["helix.chunks.types"]++
	switch {
	case status/100 == 2 && err == nil:
		p.writers.wrote(s, call, chunks)
	case err != nil && o.Size > 1<<10: // a server may close the connection on a body that is too large
	case err != nil || status/100 != 4 && !slices.Contains(refusals, status):
		return campaign.Broken(call, "helix.chunks.types", "2xx or a refusal", fmt.Sprint(status), "a write beyond what the server declares was neither accepted nor refused")
	}
	return p.readers.drainAll(s)
}

// crowd attaches as many readers as the config declares, and one more: it is served or refused, and the others are
// still served. After one has left, another may attach.
func (p *bounds) crowd(s *stream) error {
	limit := p.env.target.Limits().Readers
	if limit == 0 || limit > program.MostReaders || s.Finished() {
		return nil
	}
	for slot := 1; slot <= program.MostReaders && len(s.readers) < limit; slot++ {
		if s.readers[slot] == nil {
			if err := p.admitted(s, slot); err != nil {
				return err
			}
		}
	}
	over := p.mayRefuse() // a refusal of this request isn't taken for load
	one, err := helix.Attach(p.env.session, target.ReadRequest{Stream: s.id})
	over()
	if err != nil {
		return err
	}
	v, err := one.Head()
	if err != nil {
		return campaign.Broken(one.Exchange, "helix.wire.head", "the head of the response", err.Error(), "a reader beyond what the server declares was not answered")
	}
	if v.Status/100 >= 5 && !slices.Contains(refusals, v.Status) {
		return campaign.Broken(one.Exchange, "helix.lifecycle.independent-readers", "200 or a refusal", fmt.Sprint(v.Status), "a reader beyond what the server declares was neither served nor refused")
	}
	if err := p.writers.append(s, program.Text(1, 1), 1, s.Written()); err != nil {
		return err
	}
	if err := p.readers.drainAll(s); err != nil {
		return err
	}
	p.env.session.Forget(one)
	if err := p.readers.disconnect(s.readers[limit]); err != nil {
		return err
	}
	delete(s.readers, limit)
	return p.admitted(s, limit)
}

// admitted attaches a reader that must be served. A server may need a moment to notice that others have left.
func (p *bounds) admitted(s *stream, slot int) error {
	over := p.mayRefuse()
	p.readers.stays = true
	defer func() {
		p.readers.stays = false
		over()
	}()
	for since, wait := time.Now(), 5*time.Millisecond; ; wait *= 2 {
		r, err := p.readers.attach(s, program.Operation{Who: slot}, streammodel.Position{}, target.ReadRequest{})
		if err != nil {
			return err
		}
		v, err := r.conn.Head()
		if err == nil && v.Status == http.StatusOK {
			s.readers[slot] = r
			return p.readers.drain(r)
		}
		if err != nil || v.Status != http.StatusTooManyRequests && v.Status != http.StatusServiceUnavailable || p.env.target.Overdue(since) {
			p.sure = true
			return campaign.Broken(r.conn.Exchange, "helix.lifecycle.reader-disconnect", "200", answerOf(v, err), "a reader wasn't served after others had gone")
		}
		p.env.session.Forget(r.conn)
		r.Detach()
		select {
		case <-time.After(wait):
		case <-p.env.session.Context().Done():
		}
	}
}

func answerOf(v record.Response, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(v.Status)
}

// closeMidFrame has n readers close their connections in the middle of a frame: helix.lifecycle.reader-disconnect.
func (p *bounds) closeMidFrame(s *stream, n int) error {
	if len(s.readers) >= p.env.target.Limits().Within().Readers {
		return nil
	}
	began := time.Now()
	for i := 0; i < n && time.Since(began) < longestLeaving; i++ {
		conn, err := helix.Attach(p.env.session, target.ReadRequest{Stream: s.id, DisconnectAfter: int64(1 + i*7%120), Buffer: campaign.NarrowBuffer})
		if err != nil {
			return err
		}
		if v, err := conn.Head(); err == nil && v.Status == http.StatusOK {
			_, _ = conn.Ended() // the next reader reports missing frames
		}
		p.env.session.Forget(conn)
	}
	return p.survived(s, n)
}

// survived checks that a stream that n readers have left serves the next one.
func (p *bounds) survived(s *stream, n int) error {
	p.env.counts["helix.lifecycle.reader-disconnect"] += n
	slot := program.MostReaders
	if r := s.readers[slot]; r != nil {
		if err := p.readers.disconnect(r); err != nil {
			return err
		}
		delete(s.readers, slot)
	}
	if s.Finished() || len(s.readers) >= p.env.target.Limits().Within().Readers {
		return nil
	}
	return p.admitted(s, slot)
}

// longestLeaving bounds how long readers attach to and leave a remote server.
const longestLeaving = 2 * time.Second
