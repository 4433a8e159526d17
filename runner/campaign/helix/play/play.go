package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/model"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// Result is what came of a program.
type Result struct {
	Failure    *program.Failure // nil if the server did nothing wrong
	Ledger     model.Ledger     // what was looked at
	Operations int              // that were done
	// Busy: the server refused requests because of its load or their rate, so that
	// nothing was found out.
	Busy   bool
	Proven Proven
}

// Proven is the largest of each that a server was seen to take and to deliver.
type Proven struct{ Events, Bytes, Readers int }

// Options are how a program is played.
type Options struct {
	// Judge returns what the judge of the pack finds in an exchange; nil finds nothing.
	Judge func(*record.Exchange) []record.Finding
	// By is when no further operation is begun; zero for never.
	By time.Time
}

// play performs operations and keeps the model.
type play struct {
	session        *target.Session
	target         *target.Target
	options        Options
	program        program.Program
	ledger         model.Ledger
	streams        []*stream
	serverRestarts int // that streams have ended
	ends           int // of these, for which an output was drawn
	failed         int // of these, by a failure
	bytes          int // that readers were or will be sent since the last time that all received what was due, about
	proven         Proven
	sure           bool // a refusal isn't one of the server's load
	races          int
	resets         int // that were asked for
	states         int // with which streams were to begin
	kills          int
	removed        int               // streams that were deleted
	turns          int               // that let a run go on
	readerSlots    int               // that might have been taken on another replica
	stays          bool              // readers come where others have left
	meddled        int               // calls that must be refused
	pairs          int               // calls that two clients may have made at once
	rejectedBatch  int               // arrays that must be
	pages          int               // snapshots that were asked for
	connects       int               // readers that came so far, which say what they take in one way after the other
	requested      int               // readers that have everything, and come again
	others         map[string]string // of a query, that a cursor may stand beside; nil before they were tried
	operations
}

// stream is one of a program.
type stream struct {
	*streammodel.Stream
	id           string
	writers      map[int]string
	readers      map[int]*reader // by slot
	size         int64           // bytes that were written
	runProgress  *runProgress    // of the run that writes it, nil if clients do
	former       map[string]bool // checkpoints of its runs before that one
	made         bool            // a run has made it
	initialState string          // the state that its runs begin with, as JSON; "" for none
	largest      int             // bytes of a chunk
	closed       []string        // writers that were
	beyondCursor []*beyondCursor // readers whose cursor is beyond all
	came         map[int64]came  // of a stream that a run writes, by id
}

// Play performs a program on streams of its own and then looks at everything once more. The error says why that could
// not be done.
func Play(ctx context.Context, t *target.Target, history program.Program, o Options) (Result, error) {
	session := t.Session(ctx)
	defer session.Close()
	p := newPlay(session, t, history, o)
	done := 0
	err := p.begin()
	for done < len(history.Operations) && err == nil && (o.By.IsZero() || time.Now().Before(o.By)) {
		err = p.do(history.Operations[done])
		var missing *target.UnavailableError
		if errors.As(err, &missing) && history.Operations[done].Kind != program.Write { // what the server doesn't offer can't be done
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
	result := Result{Ledger: p.ledger, Operations: done, Proven: p.proven}
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

// begin makes the streams. A server may refuse an id that it doesn't like; the stream gets another one then.
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
			Stream: streammodel.New(p.ledger, family, fmt.Sprint(i+1)), id: id, writers: map[int]string{}, readers: map[int]*reader{}, came: map[int64]came{},
		}
		p.streams = append(p.streams, s)
		if p.program.Runs {
			p.session.Owns(id)
			s.Produce()
			continue
		}
		if p.program.Names != "" {
			p.session.Owns(id)
			refused, err := p.open(s, 1, true)
			if err != nil {
				return err
			}
			if !refused {
				continue
			}
			s.id = p.session.NewStream()
		}
		if _, err := p.open(s, 1, false); err != nil {
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
		return p.unauthorizedReaders.unauthorizedCalls(s)
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

// call makes a control call. What the server doesn't offer is an error, what it doesn't answer a violation.
func (p *play) call(s *stream, requirement, method, path string, body any) (call *target.Exchange, accepted bool, err error) {
	return p.control(requirement, method, "/streams/"+target.EscapeSegment(s.id)+path, body, strings.HasPrefix(path, "/writers/")) // a writer that was closed may be unknown
}

// control makes any control call.
func (p *play) control(requirement, method, path string, body any, allow404 bool) (call *target.Exchange, accepted bool, err error) {
	var raw []byte
	switch body := body.(type) {
	case nil:
	case []byte:
		raw = body
	default:
		raw = data.Encode(body)
	}
	call, err = p.session.Call(method, path, raw, allow404)
	accepted, err = p.answered(requirement, call, err)
	return call, accepted, err
}

// answered says whether a call was accepted, and how it was asked for if it was neither that nor refused.
func (p *play) answered(requirement string, call *target.Exchange, err error) (accepted bool, _ error) {
	var missing *target.UnavailableError
	switch {
	case errors.As(err, &missing):
		return false, err
	case err != nil:
		return false, campaign.Broken(call, requirement, "an answer", err.Error(), "a control call was not answered")
	}
	status := call.Now().Status
	if status/100 != 2 && status/100 != 4 {
		return false, campaign.Broken(call, requirement, "2xx or 4xx", fmt.Sprint(status), "a control call was neither accepted nor refused")
	}
	return status/100 == 2, nil
}

// must makes a control call that can't be refused.
func (p *play) must(s *stream, requirement, method, path string, body any) (*target.Exchange, error) {
	call, accepted, err := p.call(s, requirement, method, path, body)
	if err == nil && !accepted {
		v := call.Now()
		err = campaign.Broken(call, requirement, "2xx", fmt.Sprintf("%d %s", v.Status, v.Answer), "a stream that is %s refused %s %s", s.Status(), method, path)
	}
	return call, err
}

// open opens a writer. A first one may be refused where the id of the stream is unusual.
func (p *play) open(s *stream, n int, unusual bool) (refused bool, err error) {
	call, accepted, err := p.call(s, "helix.lifecycle.writer-creates", "POST", "/writers", map[string]any{"agentId": data.AgentOf(n), "agentType": "assistant"})
	var missing *target.UnavailableError
	switch {
	case unusual && (errors.As(err, &missing) || err == nil && !accepted):
		return true, nil
	case err != nil:
		return false, err
	case !accepted:
		return false, campaign.Broken(call, "helix.lifecycle.many-writers", "2xx", fmt.Sprint(call.Now().Status), "a stream that is %s refused a writer", s.Status())
	}
	var answer struct {
		WriterID string `json:"writerId"`
	}
	if err := json.Unmarshal(call.Now().Answer, &answer); err != nil || answer.WriterID == "" {
		return false, campaign.Broken(call, "helix.lifecycle.writer-creates", "a writerId", string(call.Now().Answer), "opening a writer returned none")
	}
	s.writers[n] = answer.WriterID
	return false, nil
}

// most of what all readers of a program are sent before they receive it, in bytes: a scenario keeps so much.
const most = 16 << 20

func (p *play) write(s *stream, o program.Operation) error {
	if s.Finished() && s.writers[o.Who] == "" {
		return nil
	}
	limits := p.target.Limits().Within()
	o.Size = min(o.Size, int(min(limits.String, limits.Chunk-1<<10)))
	if o.Count = min(o.Count, limits.Events-s.Written()); o.Count < 1 {
		return nil
	}
	for first, done := s.Written(), 0; done < o.Count; done += o.Each {
		n := min(o.Each, o.Count-done)
		if err := p.readerOps.capacity(n * (o.Size + 600) * (1 + len(s.readers))); err != nil {
			return err
		}
		turn := o
		if o.Class == program.EqualText && !s.Finished() { // two writers in turn, each of which says twice what the other one said
			turn.Who += done / o.Each / 2 % 2
		}
		if s.writers[turn.Who] == "" {
			if _, err := p.open(s, turn.Who, false); err != nil {
				return err
			}
		}
		if err := p.append(s, turn, n, first); err != nil {
			return err
		}
	}
	return nil
}

// append makes one call that writes n chunks of an operation, before the first of which so many were written.
func (p *play) append(s *stream, o program.Operation, n, first int) error {
	chunks, body := data.ChunksOf(s.Stream, o, n, first)
	body = data.Respelled(body, s.Written())
	path := "/writers/" + target.EscapeSegment(s.writers[o.Who]) + "/chunks"
	if s.Finished() {
		return p.refused(s, "helix.lifecycle.write-after-end", path, body)
	}
	if data.MayRefuse(o) == "" && o.Size < 48<<10 {
		call, err := p.must(s, s.requirementFor(), "POST", path, body)
		if err == nil {
			p.wrote(s, call, chunks)
		}
		return err
	}
	call, accepted, err := p.call(s, "helix.chunks.types", "POST", path, body)
	switch declared := p.target.Limits(); {
	case err != nil:
		return err
	case accepted:
		p.wrote(s, call, chunks)
	case data.MayRefuse(o) == "" && (call.Now().Status != 413 || declared.String > 0 || declared.Chunk > 0):
		return campaign.Broken(call, "helix.chunks.types", "2xx", fmt.Sprint(call.Now().Status), "a chunk of %d bytes was refused", o.Size)
	}
	return nil
}

// wrote takes in chunks that the server accepted. The call that brought them isn't worth keeping.
func (p *play) wrote(s *stream, call *target.Exchange, chunks []*streammodel.Chunk) {
	s.Write(chunks...)
	for _, c := range chunks {
		s.size += int64(len(c.Body))
		s.largest = max(s.largest, len(c.Body))
	}
	p.session.ForgetCall(call)
}

// requirementFor is the requirement that a stream breaks which is active and refuses a write.
func (s *stream) requirementFor() string {
	switch {
	case s.Resets() > 0:
		return "helix.truncation.reset-reopens"
	case s.Stalls():
		return "helix.lifecycle.stalled-reader"
	case len(s.writers) > 1:
		return "helix.lifecycle.many-writers"
	}
	return "helix.chunks.types"
}

// refused writes what must not be taken.
func (p *play) refused(s *stream, requirement, path string, body any) error {
	call, accepted, err := p.call(s, requirement, "POST", path, body)
	if err == nil && accepted {
		err = campaign.Broken(call, requirement, "4xx", fmt.Sprint(call.Now().Status), "a write that must be refused was accepted")
	}
	p.ledger[requirement]++
	return err
}
