package play

import (
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// attachBriefly has n readers attach and leave at once, before they receive anything: helix.lifecycle.reader-disconnect.
func (p inspections) attachBriefly(s *stream, n int) error {
	if len(s.readers) >= p.target.Limits().Within().Readers {
		return nil
	}
	began := time.Now()
	for i := 0; i < n && time.Since(began) < longestLeaving; i++ {
		conn, err := helix.Attach(p.session, target.ReadRequest{Stream: s.id})
		if err != nil {
			return err
		}
		conn.Sent()
		p.session.Forget(conn)
	}
	if n >= crowded {
		return p.bounds.survived(s, n)
	}
	p.occasionCounts["helix.lifecycle.reader-disconnect"] += n
	return nil
}

// crowded is how many readers have to leave for the next reader to be checked.
const crowded = 64

// inspectOnce sometimes compares every stream with its model: a change of one stream must not affect another.
func (p inspections) inspectOnce(done int) error {
	if p.program.Runs || p.program.Names != "" { // such a program inspects streams by itself
		return nil
	}
	r := campaign.NewDraw(int64(p.streams[0].Written()), uint64(done))
	about, holds, tries := r.IntN(5) == 0, r.IntN(12) == 0, r.IntN(5) == 0
	for _, s := range p.streams {
		if about {
			if err := p.info(s); err != nil {
				return err
			}
		}
		if holds && s.Written() < 2000 {
			if err := p.snapshot(s); err != nil {
				return err
			}
		}
		if tries {
			if err := p.changes.reopened(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish compares every stream with its model once more. Attached readers receive the missing frames and a last chunk, a new
// reader all of them and the end, a reader with the last chunk only the end, and a reader with the end an answer of 204.
func (p inspections) finish() error {
	for i, s := range p.streams {
		p.bytes = 0 // the last reads may use the full budget
		switch {
		case p.program.Runs:
			if err := p.outputs.conclude(s); err != nil {
				return err
			}
			if !s.Finished() {
				continue
			}
		case !s.Finished():
			if err := p.lastWords(s); err != nil {
				return err
			}
		}
		if err := p.info(s); err != nil {
			return err
		}
		if err := p.readerOps.readerSlot(s, program.Operation{Who: 1}, streammodel.Position{}, target.ReadRequest{}); err != nil {
			return err
		}
		if p.target.Claims("resume") && (p.program.Names == "" || i == 0) {
			if err := p.tails(s); err != nil {
				return err
			}
		}
		last := p.snapshot
		if p.program.Runs {
			last = func(s *stream) error { return p.outputs.page(s, true) }
		}
		if err := last(s); err != nil {
			return err
		}
	}
	return nil
}

func (p inspections) lastWords(s *stream) error {
	if s.Status() == streammodel.Paused {
		if err := p.changes.setStatus(s, streammodel.Active); err != nil {
			return err
		}
	}
	if err := p.write(s, program.Operation{Who: program.MostRacers, Count: 1, Each: 1, Step: program.Stepless, Class: program.ASCIIText, Size: 1}); err != nil {
		return err
	}
	if err := p.readerOps.drainAll(s); err != nil {
		return err
	}
	if err := p.info(s); err != nil {
		return err
	}
	if err := p.snapshot(s); err != nil {
		return err
	}
	return p.changes.over(s, program.Operation{Kind: campaign.Pick(p.draw(s), program.End, program.Fail), Class: program.ASCIIText})
}

// tails resumes a finished stream after one of its chunks, after its last chunk and after its terminal frame.
func (p inspections) tails(s *stream) error {
	all := s.Positions()
	r := p.draw(s)
	o := program.Operation{Who: 1, Over: campaign.Pick(r, "", "gzip", "HTTP/2"), Query: campaign.Pick(r, "", "query", "both", "another", "neither", "beside")}
	if o.Cursor = r.IntN(len(all)); r.IntN(3) == 0 {
		o.Cursor = min(1+r.IntN(3), len(all)-1)
	}
	if err := p.readerOps.resume(s, o); err != nil {
		return err
	}
	for i := len(all) - 1; i > 0; i-- {
		if all[i].Last(s.Stream) {
			if err := p.readerOps.resume(s, program.Operation{Who: 1, Cursor: i}); err != nil {
				return err
			}
			break
		}
	}
	if err := p.changes.reopened(s); err != nil || s.Terminal() == 0 {
		return err
	}
	return p.readerOps.noContent(s, streammodel.Position{ID: s.Terminal()})
}

// longestBeat is the longest heartbeat interval that programs wait for.
const longestBeat = time.Second

// waitHeartbeats waits for three heartbeats if they are short. A server that sends them must not interrupt an event of
// which a slow reader has received a part.
func (p inspections) waitHeartbeats() error {
	beat := p.target.Timing().Heartbeat
	if beat <= 0 || beat > longestBeat {
		return nil
	}
	select {
	case <-p.session.Context().Done():
	case <-time.After(3 * beat):
	}
	return nil
}
