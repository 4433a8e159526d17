package play

import (
	"fmt"
	"strconv"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// reads performs an operation of a reader.
func (p readerOps) reads(s *stream, o program.Operation) error {
	r := s.readers[o.Who]
	switch o.Kind {
	case program.Attach:
		return p.readerSlot(s, o, streammodel.Position{}, target.ReadRequest{})
	case program.ReadOn:
		return p.readerSlot(s, o, streammodel.Position{}, target.ReadRequest{Stalled: true, Buffer: narrow})
	case program.Resume:
		return p.resume(s, o)
	case program.Receive:
		if o.Who == 0 {
			return p.drainAll(s)
		}
		if r == nil || r.conn == nil {
			return nil
		}
		return p.drain(r)
	case program.Leave:
		if r == nil || r.conn == nil {
			return nil
		}
		if o.First {
			if err := p.drain(r); err != nil {
				return err
			}
		}
		return p.disconnect(r)
	}
	return fmt.Errorf("%q can't be done", o)
}

// readerSlot attaches a reader in a slot instead of the one before. Of a finished stream it receives everything.
func (p readerOps) readerSlot(s *stream, o program.Operation, from streammodel.Position, request target.ReadRequest) error {
	if r := s.readers[o.Who]; r != nil {
		if err := p.disconnect(r); err != nil {
			return err
		}
		delete(s.readers, o.Who)
	}
	if len(s.readers) >= p.target.Limits().Within().Readers {
		return nil
	}
	coming := s.Written() * 600
	if o.Most > 0 {
		coming, request.Events, request.Buffer = o.Most*600, o.Most, narrow
	}
	if err := p.capacity(coming); err != nil {
		return err
	}
	r, err := p.attach(s, o, from, request)
	if err != nil {
		return err
	}
	s.readers[o.Who] = r
	if o.Most > 0 {
		return p.readN(r, o)
	}
	if s.Finished() {
		return p.dismiss(s)
	}
	return nil
}

func (p readerOps) attach(s *stream, o program.Operation, from streammodel.Position, request target.ReadRequest) (*reader, error) {
	r := &reader{s: s, Reader: s.Attach(from, request.Cursor != nil || request.Query != nil), over: o.Over, stalled: request.Stalled}
	if r.stalled {
		r.Stall()
	}
	switch {
	case o.Query == "both", o.Query == "another", o.Query == "neither":
		r.AgainstQuery()
	case request.Cursor != nil && *request.Cursor == "0", request.Query["fromSequence"] == "0":
		r.FromZero()
	case request.Query != nil:
		r.ByQuery()
	}
	return r, p.connect(r, request)
}

func (p readerOps) connect(r *reader, request target.ReadRequest) error {
	request.Stream, request.Gzip, request.ReuseConnection = r.s.id, r.over == "gzip", true
	if r.over == "HTTP/2" {
		request.HTTP2, _ = p.target.OffersHTTP2(p.session.Context(), helix.Read())
	}
	if p.program.Runs {
		request.Origin = record.Produced
	}
	p.connects++
	request.Headers = campaign.SaidBy(p.target, p.connects, false)
	r.onOtherReplica = false
	home := p.onReplicas(r)
	conn, err := helix.Attach(p.session, request)
	home()
	if err != nil {
		return err
	}
	r.conn, r.head = conn, false
	return nil
}

// answered waits for the head, after which the reader is attached.
func (r *reader) answered() error {
	if r.head {
		return nil
	}
	v, err := r.conn.Head()
	if err != nil {
		return campaign.Broken(r.conn.Exchange, "helix.wire.head", "the head of the response", err.Error(), "a reader was not answered")
	}
	r.head = true
	return campaign.At(r.conn.Exchange, r.Answered(v.Status))
}

// attached waits until every reader is attached, and has those of other replicas leave.
func (p readerOps) attached(s *stream) error {
	for _, r := range s.readers {
		if r.conn != nil {
			if err := r.answered(); err != nil {
				return err
			}
		}
	}
	return p.comeHome(s)
}

// disconnect closes a reader's connection; the reader keeps its position.
func (p readerOps) disconnect(r *reader) error {
	if r.conn == nil {
		return nil
	}
	conn := r.conn
	conn.Disconnect()
	conn.DropAfter(conn.Taken())
	r.conn = nil
	r.Detach()
	return p.judged(conn)
}

// mostJudged is the most frames of a response that the judge checks if writers wrote the stream; the model checks all
// of them. The bound is higher for runs: only the judge checks rules on a complete run, such as that each sub-agent
// ends as it began.
const (
	mostJudged      = 64
	mostJudgedOfRun = 2048
)

// judged passes a finished response to the judge and releases it.
func (p readerOps) judged(conn *target.Reader) error {
	defer p.session.Forget(conn)
	most := mostJudged
	if p.program.Runs {
		most = mostJudgedOfRun
	}
	if frames := conn.Now().Frames; p.options.Judge == nil || len(frames) > most || len(frames) > 0 && frames[0].Index > 0 {
		return nil
	}
	return p.judge(conn.Exchange)
}

func (p readerOps) judge(e *target.Exchange) error {
	if p.options.Judge == nil || p.session.Refused(e) {
		return nil
	}
	for _, f := range p.options.Judge(e.Record()) {
		return campaign.Broken(e, f.Requirement, f.Want, f.Got, "%s", f.Message)
	}
	return nil
}

// judgeAll passes the answers that aren't streams to the judge.
func (p readerOps) judgeAll() error {
	for _, e := range p.session.Exchanges() {
		if e.Kind == record.Document {
			if err := p.judge(e); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p readerOps) drainAll(s *stream) error {
	served := 0
	for slot := 1; slot <= program.MostReaders+1; slot++ {
		if r := s.readers[slot]; r != nil && r.conn != nil && !r.stalled {
			if err := p.drain(r); err != nil {
				return err
			}
			served++
		}
	}
	p.proven.Readers = max(p.proven.Readers, served)
	return nil
}

// dismiss has every reader of a finished stream receive the remaining frames and leave.
func (p readerOps) dismiss(s *stream) error {
	for slot := 1; slot <= program.MostReaders+1; slot++ {
		r := s.readers[slot]
		if r == nil || r.conn == nil {
			continue
		}
		if err := p.drain(r); err != nil {
			return err
		}
		if err := p.disconnect(r); err != nil {
			return err
		}
		delete(s.readers, slot)
	}
	return p.cursorOps.passOthers(s)
}

// drain receives every expected frame.
func (p readerOps) drain(r *reader) error {
	if err := r.answered(); err != nil {
		return err
	}
	if r.stalled {
		r.conn.Resume()
		r.stalled = false
	}
	var by time.Time
	for awaited, closed := "", 0; ; {
		due := r.Due()
		switch due {
		case "":
			p.trim(r)
			p.received(r.s)
			return nil
		case awaited: // an unchanged expectation doesn't extend the deadline
		default:
			awaited, by = due, p.target.By()
		}
		f, err := r.conn.Next(due, by)
		if err != nil {
			return campaign.At(r.conn.Exchange, r.Missed(err.Error()))
		}
		if f == nil {
			if closed++; closed > mostReconnects {
				return campaign.At(r.conn.Exchange, r.Missed("the end of the response, again and again"))
			}
			if err := p.reconnect(r); err != nil {
				return err
			}
			continue
		}
		if !f.Dispatched() {
			continue
		}
		over, err := r.Take(streammodel.Frame{ID: f.ID, HasID: f.HasID, Data: f.Data})
		if err != nil {
			return campaign.At(r.conn.Exchange, err)
		}
		if over {
			p.received(r.s)
			return p.closed(r)
		}
		if r.conn.Taken() > trimmed {
			p.trim(r)
		}
	}
}

// takeArrived has every reader process the frames that have already come.
func (p readerOps) takeArrived(s *stream) error {
	for _, r := range s.readers {
		if r.conn == nil || r.stalled {
			continue
		}
		for v := r.conn.Now(); r.conn.Taken() < len(v.Frames); {
			f, err := r.conn.Next("", p.target.By())
			if err != nil || f == nil {
				return nil // a later wait for expected frames reports it
			}
			if !f.Dispatched() {
				continue
			}
			if _, err := r.Take(streammodel.Frame{ID: f.ID, HasID: f.HasID, Data: f.Data}); err != nil {
				return campaign.At(r.conn.Exchange, err)
			}
		}
	}
	return nil
}

// mostReconnects bounds how often a response may be closed during one wait.
const mostReconnects = 20

// reconnect resumes after the server closed the response, if it may do that.
func (p readerOps) reconnect(r *reader) error {
	if err := r.Closed(); err != nil && !p.declared(r.conn) {
		return campaign.At(r.conn.Exchange, err)
	}
	if v := r.conn.Now(); v.End != record.ServerClose && !r.Stalled() {
		return campaign.Broken(r.conn.Exchange, "helix.wire.stays-open", r.Due(), "a broken connection", "the response broke off")
	}
	if err := p.judged(r.conn); err != nil {
		return err
	}
	return p.connectAgain(r)
}

// connectAgain opens another connection of a reader from its position.
func (p readerOps) connectAgain(r *reader) error {
	r.Reattach()
	request := target.ReadRequest{}
	if at := r.Position(); at.ID > 0 {
		id := strconv.FormatInt(at.ID, 10)
		request.Cursor = &id
	}
	if err := p.connect(r, request); err != nil {
		return err
	}
	return r.answered()
}

// declared reports whether a response lasted as long as the config declares.
func (p readerOps) declared(conn *target.Reader) bool {
	most := p.target.Timing().MaxConnection
	return most > 0 && conn.Now().Took >= most
}

// closed waits for the end of the body after the terminal frame.
func (p readerOps) closed(r *reader) error {
	for {
		f, err := r.conn.Next("the end of the response", p.target.By())
		switch {
		case err != nil:
			return campaign.Broken(r.conn.Exchange, "helix.lifecycle.body-closes", "the end of the response", err.Error(), "the response stayed open after the terminal frame")
		case f == nil && r.conn.Now().End != record.ServerClose:
			return campaign.Broken(r.conn.Exchange, "helix.lifecycle.body-closes", "a clean end", "a broken connection", "the connection broke after the terminal frame")
		case f == nil:
			p.occasionCounts["helix.lifecycle.body-closes"]++
			return nil
		case f.Dispatched():
			return campaign.At(r.conn.Exchange, r.After(streammodel.Frame{ID: f.ID, HasID: f.HasID, Data: f.Data}))
		}
	}
}

// capacity reserves capacity for so many bytes to readers. If there isn't enough, it has all readers receive their
// expected frames first.
func (p readerOps) capacity(coming int) error {
	if p.bytes += coming; p.bytes <= most {
		return nil
	}
	p.bytes = coming
	for _, s := range p.streams {
		if err := p.drainAll(s); err != nil {
			return err
		}
	}
	return nil
}
