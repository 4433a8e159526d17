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

// fullest is how many chunks a stream is filled with at most to meet its limit.
const fullest = 20_000

// fill fills a stream up to the declared limit of its events. What comes beyond is taken or refused, and what is there
// stays; an array that goes beyond is taken as a whole or not at all.
func (p bounds) fill(s *stream) error {
	limit := p.target.Limits().Events
	if limit == 0 || limit > fullest || s.Finished() {
		return nil
	}
	if err := p.write(s, program.Text(limit-1-s.Written(), 100)); err != nil {
		return err
	}
	if err := p.beyondLatest(s, 2, program.Text(1, 1)); err != nil {
		return err
	}
	if s.Written() < limit {
		if err := p.append(s, program.Text(1, 1), 1, s.Written()); err != nil { // room for one is left
			return err
		}
	}
	return p.beyondLatest(s, 1, program.Text(1, 1))
}

// enlarge writes the largest chunk that the config declares, and one that is larger by a byte.
func (p bounds) enlarge(s *stream) error {
	limits := p.target.Limits()
	within := limits.Within()
	if s.Finished() {
		return nil
	}
	o := program.Text(1, 1)
	switch {
	case limits.String > 0 && within.String <= within.Chunk-1<<10:
		o.Size = int(limits.String)
	case limits.Chunk > 0:
		o.Size = 1 << 10 // more than the marker, which is in it
		o.Size += int(limits.Chunk) - len(data.NewChunk(s.Stream, s.Written(), s.Written(), o).Body)
	default:
		return nil
	}
	if o.Size > program.MostBytes {
		return nil
	}
	if err := p.append(s, o, 1, s.Written()); err != nil {
		return err
	}
	o.Size++
	return p.beyondLatest(s, 1, o)
}

// refusals are the statuses beside 4xx with which a server may refuse what is too much.
var refusals = []int{http.StatusServiceUnavailable, http.StatusInsufficientStorage}

// mayRefuse has the server refuse, until over is called, what is asked beyond its limits.
func (p bounds) mayRefuse() (over func()) {
	return p.session.Expects(http.StatusTooManyRequests, http.StatusServiceUnavailable)
}

// beyondLatest writes n chunks in one call that go beyond what the server declares.
func (p bounds) beyondLatest(s *stream, n int, o program.Operation) error {
	chunks, body := data.ChunksOf(s.Stream, o, n, s.Written())
	over := p.mayRefuse()
	call, err := p.session.Call(http.MethodPost, "/streams/"+target.EscapeSegment(s.id)+"/writers/"+target.EscapeSegment(s.writers[o.Who])+"/chunks", body, true)
	over()
	status := call.Now().Status
	p.ledger["helix.chunks.types"]++
	switch {
	case status/100 == 2 && err == nil:
		p.wrote(s, call, chunks)
	case err != nil && o.Size > 1<<10: // the connection of a body that is too large may be closed
	case err != nil || status/100 != 4 && !slices.Contains(refusals, status):
		return campaign.Broken(call, "helix.chunks.types", "2xx or a refusal", fmt.Sprint(status), "a write beyond what the server declares was neither accepted nor refused")
	}
	return p.readerOps.drainAll(s)
}

// crowd lets as many readers come as the config declares, and one more: it is served or refused, and the others are served
// all the while. When one has gone, another may come.
func (p bounds) crowd(s *stream) error {
	limit := p.target.Limits().Readers
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
	over := p.mayRefuse()
	one, err := helix.Attach(p.session, target.ReadRequest{Stream: s.id})
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
	if err := p.append(s, program.Text(1, 1), 1, s.Written()); err != nil {
		return err
	}
	if err := p.readerOps.drainAll(s); err != nil {
		return err
	}
	p.session.Forget(one)
	if err := p.readerOps.disconnect(s.readers[limit]); err != nil {
		return err
	}
	delete(s.readers, limit)
	return p.admitted(s, limit)
}

// admitted attaches a reader that must be served. A server may need a moment to notice that others have gone.
func (p bounds) admitted(s *stream, slot int) error {
	over := p.mayRefuse()
	p.stays = true
	defer func() {
		p.stays = false
		over()
	}()
	for since, wait := time.Now(), 5*time.Millisecond; ; wait *= 2 {
		r, err := p.readerOps.attach(s, program.Operation{Who: slot}, streammodel.Position{}, target.ReadRequest{})
		if err != nil {
			return err
		}
		v, err := r.conn.Head()
		if err == nil && v.Status == http.StatusOK {
			s.readers[slot] = r
			return p.readerOps.drain(r)
		}
		if err != nil || v.Status != http.StatusTooManyRequests && v.Status != http.StatusServiceUnavailable || p.target.Overdue(since) {
			p.sure = true
			return campaign.Broken(r.conn.Exchange, "helix.lifecycle.reader-disconnect", "200", answerOf(v, err), "a reader wasn't served after others had gone")
		}
		p.session.Forget(r.conn)
		r.Detach()
		select {
		case <-time.After(wait):
		case <-p.session.Context().Done():
		}
	}
}

func answerOf(v record.Response, err error) string {
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(v.Status)
}

// closeMidFrame lets readers close their connection in the middle of a frame: helix.lifecycle.reader-disconnect.
func (p bounds) closeMidFrame(s *stream, n int) error {
	if len(s.readers) >= p.target.Limits().Within().Readers {
		return nil
	}
	began := time.Now()
	for i := 0; i < n && time.Since(began) < longestLeaving; i++ {
		conn, err := helix.Attach(p.session, target.ReadRequest{Stream: s.id, CutAfter: int64(1 + i*7%120), Buffer: narrow})
		if err != nil {
			return err
		}
		if v, err := conn.Head(); err == nil && v.Status == http.StatusOK {
			_, _ = conn.Ended() // where nothing comes, the next reader says so
		}
		p.session.Forget(conn)
	}
	return p.survived(s, n)
}

// survived sees that a stream that many have left serves the next one.
func (p bounds) survived(s *stream, n int) error {
	p.ledger["helix.lifecycle.reader-disconnect"] += n
	slot := program.MostReaders
	if r := s.readers[slot]; r != nil {
		if err := p.readerOps.disconnect(r); err != nil {
			return err
		}
		delete(s.readers, slot)
	}
	if s.Finished() || len(s.readers) >= p.target.Limits().Within().Readers {
		return nil
	}
	return p.admitted(s, slot)
}

// longestLeaving bounds how long readers come and leave of a server that is far away.
const longestLeaving = 2 * time.Second
