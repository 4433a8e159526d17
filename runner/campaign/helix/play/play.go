package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/model"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
)

// Result is the result of a play.
type Result struct {
	Failure    *program.Failure     // nil if no violation was found
	Ledger     model.OccasionCounts // how often each requirement was checked
	Operations int                  // performed operations
	// Busy: the server refused requests because of its load or their rate, so that nothing was found out.
	Busy   bool
	Proven Proven
}

// Play performs a program on new streams and compares them with their models. The error is the reason if it can't.
func Play(ctx context.Context, t *target.Target, history program.Program, o Options) (Result, error) {
	session := t.Session(ctx)
	defer session.Close()
	p := newPlay(session, t, history, o)
	done := 0
	err := p.begin()
	for done < len(history.Operations) && err == nil && (o.By.IsZero() || time.Now().Before(o.By)) {
		err = p.do(history.Operations[done])
		var missing *target.UnavailableError
		if errors.As(err, &missing) && history.Operations[done].Kind != program.Write { // an operation on a missing route is skipped
			err = nil
		}
		if done++; err == nil {
			err = p.inspections.inspectOnce(done)
		}
	}
	if err == nil {
		err = p.inspections.finish()
	}
	if err == nil {
		err = p.readerOps.judgeAll()
	}
	result := Result{Ledger: p.occasionCounts, Operations: done, Proven: p.proven}
	for _, e := range session.Exchanges() {
		result.Busy = result.Busy || session.Refused(e)
	}
	if result.Busy && !p.sure {
		return result, nil
	}
	v, err := campaign.Ended(ctx, session, err, fmt.Sprintf("performing operation %d", done))
	if v != nil {
		history.Operations = history.Operations[:done]
		result.Failure = &program.Failure{Violation: *v, Program: history}
	}
	return result, err
}

// begin opens the streams. A server may refuse an unusual id; the stream then gets another one.
func (p *play) begin() error {
	base := p.session.NewStream()
	family := streammodel.FamilyOf(base)
	names := make([]string, p.program.Streams)
	for i := range names {
		if names[i] = p.session.NewStream(); p.program.Names != "" {
			names[i] = program.AlikeIDs[p.program.Names](base)[i]
		}
	}
	for i, id := range names {
		s := &stream{
			Stream: streammodel.New(p.occasionCounts, family, fmt.Sprint(i+1)), id: id, writers: map[int]string{}, readers: map[int]*reader{}, came: map[int64]came{},
		}
		p.streams = append(p.streams, s)
		if p.program.Runs {
			p.session.Owns(id)
			s.Produce()
			continue
		}
		if p.program.Names != "" {
			p.session.Owns(id)
			refused, err := p.calls.open(s, 1, true)
			if err != nil {
				return err
			}
			if !refused {
				continue
			}
			s.id = p.session.NewStream()
		}
		if _, err := p.calls.open(s, 1, false); err != nil {
			return err
		}
		if ops := p.program.Operations; (len(ops)+i)%2 == 0 || len(ops) > 0 && ops[0].Kind == program.Kill {
			if err := p.changes.begins(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// do performs one operation.
func (p *play) do(o program.Operation) error {
	s := p.streams[o.Stream]
	if p.program.Runs {
		return p.runs.run(s, o)
	}
	switch o.Kind {
	case program.Write:
		return p.write(s, o)
	case program.CloseWriter:
		return p.changes.closeWriter(s, o.Who)
	case program.Cleanup:
		return p.changes.cleanup(s, o.Step)
	case program.Reset:
		return p.changes.reset(s)
	case program.Pause:
		return p.changes.setStatus(s, streammodel.Paused)
	case program.Activate:
		return p.changes.setStatus(s, streammodel.Active)
	case program.End, program.Fail:
		return p.changes.over(s, o)
	case program.Info:
		return p.inspections.info(s)
	case program.Snapshot:
		return p.inspections.snapshot(s)
	case program.AttachBriefly:
		return p.inspections.attachBriefly(s, o.Who)
	case program.CloseMidFrame:
		return p.bounds.closeMidFrame(s, o.Who)
	case program.Fill:
		return p.bounds.fill(s)
	case program.Enlarge:
		return p.bounds.enlarge(s)
	case program.RejectBatch:
		return p.changes.rejectBatch(s, o)
	case program.Neighbours:
		return p.changes.neighbours(o.Who)
	case program.Unauthorized:
		return p.unauthorized.readers(s, p.inspections.info)
	case program.ConcurrentOpen:
		return p.concurrentOpen(o.Who)
	case program.Crowd:
		return p.bounds.crowd(s)
	case program.WaitHeartbeats:
		return p.inspections.waitHeartbeats()
	case program.Race:
		return p.race(s, o)
	case program.Kill:
		return p.crashKind.kill()
	case program.InvalidCursors:
		return p.cursorOps.invalidCursors(s, o)
	case program.DisconnectAt:
		return p.cursorOps.disconnectAt(s, o)
	case program.Remove:
		return p.cursorOps.remove(s)
	}
	return p.readerOps.reads(s, o)
}
