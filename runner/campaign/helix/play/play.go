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
	Proven Proven // the sizes that the server was seen to serve
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
		done++
	}
	if err == nil {
		err = p.finishAll()
	}
	if err == nil {
		err = p.readers.judgeAll()
	}
	result := Result{Ledger: p.env.counts, Operations: done, Proven: p.readers.proven}
	for _, e := range session.Exchanges() {
		result.Busy = result.Busy || session.Refused(e)
	}
	if result.Busy && !p.bounds.sure {
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
	base := p.env.session.NewStream()
	family := streammodel.FamilyOf(base)
	names := make([]string, p.env.program.Streams)
	for i := range names {
		if names[i] = p.env.session.NewStream(); p.env.program.Names != "" {
			names[i] = program.AlikeIDs[p.env.program.Names](base)[i]
		}
	}
	for i, id := range names {
		s := &stream{
			Stream: streammodel.New(p.env.counts, family, fmt.Sprint(i+1)), id: id, writers: map[int]string{}, readers: map[int]*reader{}, came: map[int64]came{},
		}
		p.env.streams = append(p.env.streams, s)
		if p.env.program.Runs {
			p.env.session.Owns(id)
			s.Produce()
			continue
		}
		if p.env.program.Names != "" {
			p.env.session.Owns(id)
			refused, err := p.calls.open(s, 1, true)
			if err != nil {
				return err
			}
			if !refused {
				continue
			}
			s.id = p.env.session.NewStream()
		}
		if _, err := p.calls.open(s, 1, false); err != nil {
			return err
		}
	}
	return nil
}

// do performs one operation.
func (p *play) do(o program.Operation) error {
	s := p.env.streams[o.Stream]
	if s.finished = o.Kind == program.Finish; s.finished {
		return p.finish(s, o)
	}
	if p.env.program.Runs {
		return p.runs.run(s, o)
	}
	switch o.Kind {
	case program.Write:
		return p.writers.write(s, o)
	case program.CloseWriter:
		return p.changes.closeWriter(s, o)
	case program.WriteClosed:
		return p.changes.writeClosed(s, o)
	case program.SetState:
		return p.changes.setState(s, o.State)
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
		return p.calls.info(s)
	case program.Snapshot, program.SnapshotWithoutPartial:
		return p.calls.snapshot(s, o)
	case program.RejectBatch:
		return p.changes.rejectBatch(s, o)
	case program.Neighbours:
		return p.changes.neighbours(o.Who)
	case program.Unauthorized:
		return p.unauthorized.readers(s, p.calls.info)
	case program.ConcurrentOpen:
		return p.changes.concurrentOpen(o.Who)
	case program.Crowd:
		return p.bounds.crowd(s)
	case program.WaitHeartbeats:
		return p.waitHeartbeats()
	case program.Race:
		return p.races.race(s, o)
	case program.Kill:
		return p.kills.kill()
	case program.InvalidCursors:
		return p.cursors.invalidCursors(s, o)
	case program.DisconnectAt:
		return p.cursors.disconnectAt(s, o)
	case program.Remove:
		return p.cursors.remove(s, o.Class)
	}
	return p.doReads(s, o)
}

// doReads performs an operation of readers, or one at the limits of the server.
func (p *play) doReads(s *stream, o program.Operation) error {
	switch o.Kind {
	case program.AttachBriefly:
		return p.bounds.attachBriefly(s, o.Who)
	case program.CloseMidFrame:
		return p.bounds.closeMidFrame(s, o.Who)
	case program.Fill:
		return p.bounds.fill(s)
	case program.Enlarge:
		return p.bounds.enlarge(s)
	}
	return p.readers.reads(s, o)
}

// play performs operations and keeps the model. Each part has its state, and uses the parts above it only.
type play struct {
	env          *env         // shared by all parts
	calls        caller       // makes control calls, and compares whether they are accepted
	unauthorized unauthorized // sends requests without valid credentials
	readers      *readers     // attaches readers, and compares their frames
	writers      *writers     // writes chunks
	changes      *changes     // ends, truncates and pauses streams
	cursors      *cursors     // resumes with invalid cursors, and deletes streams
	bounds       *bounds      // reaches the declared limits
	kills        *kills       // kills the server and starts it again
	races        *races       // plays concurrent calls of several clients
	outputs      *outputs     // compares the chunks of runs
	runs         *runs        // starts runs and makes their calls
}

// newPlay returns a play that hasn't performed an operation.
func newPlay(session *target.Session, t *target.Target, program program.Program, o Options) *play {
	e := &env{session: session, target: t, options: o, program: program, counts: model.OccasionCounts{}}
	p := &play{env: e, calls: caller{e}, unauthorized: unauthorized{e}, readers: &readers{env: e}}
	p.writers = &writers{e, p.calls, p.readers}
	p.changes = &changes{e, p.calls, p.readers, p.writers}
	p.cursors = &cursors{e, p.calls, p.unauthorized, p.readers, p.writers}
	p.bounds = &bounds{env: e, readers: p.readers, writers: p.writers}
	p.kills = &kills{env: e, readers: p.readers, changes: p.changes}
	p.races = &races{e, p.calls, p.readers, p.changes, p.kills}
	p.outputs = &outputs{e, p.calls, p.readers}
	calls := &runCalls{e, p.calls, p.outputs}
	kills := &runKills{e, p.calls, p.readers, p.kills, p.outputs, calls}
	p.runs = &runs{e, p.calls, p.readers, p.bounds, p.changes, p.cursors, p.outputs, calls, kills}
	return p
}
