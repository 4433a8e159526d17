package play

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// readers has the connections of readers.
//
// Invariant: bytes is at most most after capacity, so that the frames of all readers fit into the memory of a scenario.
type readers struct {
	env    *env   // shared by all parts of the play
	bytes  int    // about how many bytes readers received, or will, since all had received every expected frame
	proven Proven // only grows
	stays  bool   // readers attach to the first replica only
}

// vacate disconnects every reader of a stream.
func (p *readers) vacate(s *stream) error {
	for _, r := range s.readers {
		if err := p.disconnect(r); err != nil {
			return err
		}
	}
	return nil
}

func (p *readers) attach(s *stream, o program.Operation, from streammodel.Position, request target.ReadRequest) (*reader, error) {
	r := &reader{s: s, Reader: s.Attach(from, request.Cursor != nil || request.Query != nil), over: o.Over, headers: o.Headers, replica: o.Replica, stalled: request.Stalled}
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

func (p *readers) connect(r *reader, request target.ReadRequest) error {
	request.Stream, request.Gzip, request.ReuseConnection = r.s.id, r.over == "gzip", true
	if r.over == "HTTP/2" {
		request.HTTP2, _ = p.env.target.OffersHTTP2(p.env.session.Context(), helix.Read())
	}
	if p.env.program.Runs {
		request.Origin = record.Produced
	}
	request.Headers = campaign.HeadersOf(p.env.target, program.HeaderForms[r.headers], false)
	r.onOtherReplica = false
	home := p.onReplicas(r)
	conn, err := helix.Attach(p.env.session, request)
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

// disconnect closes a reader's connection; the reader keeps its position.
func (p *readers) disconnect(r *reader) error {
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
func (p *readers) judged(conn *target.Reader) error {
	defer p.env.session.Forget(conn)
	most := mostJudged
	if p.env.program.Runs {
		most = mostJudgedOfRun
	}
	if frames := conn.Now().Frames; p.env.options.Judge == nil || len(frames) > most || len(frames) > 0 && frames[0].Index > 0 {
		return nil
	}
	return p.judge(conn.Exchange)
}

func (p *readers) judge(e *target.Exchange) error {
	if p.env.options.Judge == nil || p.env.session.Refused(e) {
		return nil
	}
	for _, f := range p.env.options.Judge(e.Record()) {
		return campaign.Broken(e, f.Requirement, f.Want, f.Got, "%s", f.Message)
	}
	return nil
}

// judgeAll passes the answers that aren't streams to the judge.
func (p *readers) judgeAll() error {
	for _, e := range p.env.session.Exchanges() {
		if e.Kind == record.Document {
			if err := p.judge(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostReconnects bounds how often a response may be closed during one wait.
const mostReconnects = 20

// connectAgain opens another connection of a reader from its position.
func (p *readers) connectAgain(r *reader) error {
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
func (p *readers) declared(conn *target.Reader) bool {
	most := p.env.target.Timing().MaxConnection
	return most > 0 && conn.Now().Took >= most
}

// onReplicas directs the next connection of a reader to its replica, if there is one and the stream has had chunks only:
// every replica must deliver those in time, helix.replicas.live, helix.replicas.sequences. It may deliver other frames
// later. A replica that lags when the reader attaches isn't used. home directs requests to the first replica again.
func (p *readers) onReplicas(r *reader) (home func()) {
	stay := func() {}
	if r.replica == 0 || p.stays || p.env.program.Runs || r.s.removed > 0 || r.stalled || r.over == "HTTP/2" || r.s.Changed() ||
		p.env.target.IsReplicated() != nil || !p.env.target.Claims("info") || p.env.target.Limits().Readers > 0 {
		return stay
	}
	home = func() { _ = p.env.session.TurnTo(1) } // the first replica is known
	if p.env.session.TurnTo(r.replica) != nil {
		return stay
	}
	if !p.knows(r.s) {
		home()
		return stay
	}
	r.onOtherReplica = true
	return home
}

// knows waits until the present replica knows all chunks of a stream; false if it takes too long.
func (p *readers) knows(s *stream) bool {
	for since := time.Now(); ; idle(p.env.session.Context()) {
		e, err := helix.GetInfo(p.env.session, target.DocumentRequest{Stream: s.id, Hidden: true})
		var got struct {
			Count int `json:"chunkCount"`
		}
		if err != nil || json.Unmarshal(e.Now().Answer, &got) == nil && got.Count >= s.Stored() {
			return err == nil
		}
		if p.env.target.Overdue(since) || p.env.session.Context().Err() != nil {
			return false
		}
	}
}

// trimmed is about how many frames of a response are stored after they were processed.
const trimmed = 256

// idle waits for a moment before the next request to a server that answers at once.
func idle(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(10 * time.Millisecond):
	}
}
