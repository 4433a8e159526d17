package play

import (
	"time"

	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
)

// finishAll finishes the streams whose last operation didn't.
func (p *play) finishAll() error {
	for _, s := range p.env.streams {
		if s.finished {
			continue
		}
		if err := p.finish(s, program.Operation{Kind: program.Finish, Amid: program.End, Who: 1}); err != nil {
			return err
		}
	}
	return nil
}

// finish compares a stream with its model once more. Attached readers receive the missing frames and a last chunk, a new
// reader all of them and the end, a reader with the last chunk only the end, and a reader with the end an answer of 204.
func (p *play) finish(s *stream, o program.Operation) error {
	p.readers.bytes = 0 // the last reads may use the full budget
	switch {
	case p.env.program.Runs:
		if err := p.runs.conclude(s); err != nil || !s.Finished() {
			return err
		}
	case !s.Finished():
		if err := p.lastWords(s, o); err != nil {
			return err
		}
	}
	if err := p.calls.info(s); err != nil {
		return err
	}
	if err := p.readers.readerSlot(s, program.Operation{Who: 1}, streammodel.Position{}, target.ReadRequest{}); err != nil {
		return err
	}
	if p.env.target.Claims("resume") && (p.env.program.Names == "" || s == p.env.streams[0]) {
		if err := p.tails(s, o); err != nil {
			return err
		}
	}
	last := program.Snapshot
	switch {
	case p.env.program.Runs:
		return p.outputs.page(s, true)
	case o.First:
		last = program.SnapshotWithoutPartial
	}
	return p.calls.snapshot(s, program.Operation{Kind: last})
}

// lastWords writes a last chunk and ends or fails the stream.
func (p *play) lastWords(s *stream, o program.Operation) error {
	if s.Status() == streammodel.Paused {
		if err := p.changes.setStatus(s, streammodel.Active); err != nil {
			return err
		}
	}
	if err := p.writers.write(s, program.Operation{Who: program.MostRacers, Count: 1, Each: 1, Step: program.Stepless, Class: program.ASCIIText, Size: 1}); err != nil {
		return err
	}
	if err := p.readers.drainAll(s); err != nil {
		return err
	}
	if err := p.calls.info(s); err != nil {
		return err
	}
	if err := p.calls.snapshot(s, program.Operation{}); err != nil {
		return err
	}
	return p.changes.over(s, program.Operation{Kind: o.Amid, Class: program.ASCIIText, Code: data.FailureCodes[0]})
}

// tails resumes a finished stream after one of its chunks, after its last chunk and after its terminal frame.
func (p *play) tails(s *stream, o program.Operation) error {
	all := s.Positions()
	o.Who = 1
	if err := p.readers.resume(s, o); err != nil {
		return err
	}
	for i := len(all) - 1; i > 0; i-- {
		if all[i].Last(s.Stream) {
			if err := p.readers.resume(s, program.Operation{Who: 1, Cursor: i}); err != nil {
				return err
			}
			break
		}
	}
	if err := p.changes.reopened(s); err != nil || s.Terminal() == 0 {
		return err
	}
	return p.readers.noContent(s, streammodel.Position{ID: s.Terminal()}, o.Query)
}

// longestBeat is the longest heartbeat interval that programs wait for.
const longestBeat = time.Second

// waitHeartbeats waits for three heartbeats if they are short. A server that sends them must not interrupt an event of
// which a slow reader has received a part.
func (p *play) waitHeartbeats() error {
	beat := p.env.target.Timing().Heartbeat
	if beat <= 0 || beat > longestBeat {
		return nil
	}
	select {
	case <-p.env.session.Context().Done():
	case <-time.After(3 * beat):
	}
	return nil
}
