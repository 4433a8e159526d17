package play

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/play/timing"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/frame"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

func newDeath(after int) *death {
	return &death{after: int64(after), near: make(chan struct{}), started: make(chan struct{}), over: make(chan struct{})}
}

// answered counts an answer.
func (d *death) answered() {
	if d.answers.Add(1) == d.after {
		close(d.near)
	}
}

// past reports whether the server was killed and has started again.
func (d *death) past() bool {
	select {
	case <-d.over:
		return true
	default:
		return false
	}
}

// explains reports whether the kill explains the failure of a call. past is the value of past before the call. It
// returns after the server has started again.
func (d *death) explains(past bool) bool {
	if past || d.after == 0 {
		return false
	}
	select {
	case <-d.started:
		<-d.over
		return true
	default:
		return false
	}
}

// contest is a running race: several clients make concurrent calls to one stream, while readers come and go.
type contest struct {
	p     *races            // the part that plays it
	s     *stream           // the stream that all clients call
	o     program.Operation // its operation
	began time.Time         // times of calls count from it
	half  chan struct{}     // closed when the first writer has made half of its calls, or has stopped
	wrote chan struct{}     // receives a value after a write was answered; closed after all were
	pace  *timing.Pace      // for readers that come and go, else nil
	group sync.WaitGroup    // calls that aren't writes
	death *death            // of the server; one that never comes if o kills none

	mu    sync.Mutex         // guards all below
	calls []streammodel.Call // those that were answered, or can't be any more
	err   error              // the first error
}

// racer is a reader of a race.
type racer struct {
	*streammodel.Reader
	c        *contest             // the race that it reads
	position streammodel.Position // cursor of its first connection
	early    bool                 // attached before the race began
	delayed  bool                 // attaches in the middle of the race, else with the first writes
	plan     []int                // how many events it receives on each connection but the last
	turns    []*turn              // in their order; all but the last are closed
	err      error                // the first error; valid once the racer has stopped

	mu      sync.Mutex // guards aborted and turns
	aborted bool       // the race ended early: no further connection begins
}

// turn is one connection of a racer.
type turn struct {
	conn   *target.Reader      // read by the racer alone
	frames []streammodel.Frame // that came, in order
	closed bool                // by the server, before all frames had come
	past   bool                // began after the server was started again
	since  int                 // how many chunks of the race were accepted before it began
}

// death is the kill of a server during a race.
type death struct {
	after   int64         // number of answers before the kill; 0 for never
	answers atomic.Int64  // so far
	near    chan struct{} // closed after that many answers, or when all calls were made
	started chan struct{} // closed when the kill begins
	over    chan struct{} // closed when the server has started again, or can't start
}

func (c *contest) note(call streammodel.Call, err error) {
	c.mu.Lock()
	c.calls = append(c.calls, call)
	c.mu.Unlock()
	c.failed(err)
}

// failed stores an error if it is the first; nil is none.
func (c *contest) failed(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
}

// last returns the number of the last chunk.
func (c *contest) last() int { return 1_000_000*c.s.races + program.MostRace*10*c.o.Who }

// attach begins a connection and waits for its head.
func (r *racer) attach(cursor int64) error {
	request := target.ReadRequest{Stream: r.c.s.id}
	if cursor > 0 {
		id := fmt.Sprint(cursor)
		request.Cursor = &id
	}
	past := r.c.death.past() // before the connection begins
	since := r.c.pace.Comes()
	conn, err := helix.Attach(r.c.p.env.session, request)
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.turns = append(r.turns, &turn{conn: conn, past: past, since: since})
	aborted := r.aborted
	r.mu.Unlock()
	if aborted {
		return errAborted
	}
	v, err := conn.Head()
	switch {
	case (err != nil || v.Status != 200) && r.c.death.explains(past):
		return nil // the connection is dead
	case err != nil:
		return campaign.Broken(conn.Exchange, "helix.wire.head", "the head of the response", err.Error(), "a reader was not answered")
	case v.Status != 200 && cursor > 0:
		return campaign.Broken(conn.Exchange, "helix.resume.cycles", "200", fmt.Sprint(v.Status), "a reader that resumed was not served")
	case v.Status != 200:
		return campaign.Broken(conn.Exchange, "helix.wire.content-type", "200", fmt.Sprint(v.Status), "a reader was not served")
	}
	return nil
}

var errAborted = errors.New("the race is off")

// abort ends the wait of the racer.
func (r *racer) abort() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.aborted = true; len(r.turns) > 0 {
		r.turns[len(r.turns)-1].conn.Disconnect()
	}
}

// run receives until the last chunk or the terminal frame has come, over one connection after the other.
func (r *racer) run() {
	cursor, closed := r.position.ID, 0
	if r.delayed && !r.early {
		<-r.c.half
	}
	for n := 0; r.err == nil; n++ {
		if len(r.turns) <= n {
			if r.err = r.attach(cursor); r.err != nil {
				return
			}
		}
		most := -1
		if n < len(r.plan) {
			most = r.plan[n]
		}
		over := false
		if over, r.err = r.receive(r.turns[n], most, &cursor); over {
			return
		}
		if r.turns[n].closed {
			closed++
		}
		if closed > mostReconnects {
			r.err = campaign.Broken(r.turns[n].conn.Exchange, "helix.wire.stays-open", "the end of the race", "the end of the response", "the response was closed again and again")
		}
	}
}

// receive receives so many events of a connection, -1 for all; a reader that comes and goes leaves after the first
// chunk accepted since it attached. It reports whether the last event of the race was among them.
func (r *racer) receive(t *turn, most int, cursor *int64) (over bool, err error) {
	last := r.c.s.Marker(r.c.last() + 1)
	for len(t.frames) != most {
		f, err := t.conn.Next("the last event of the race", r.c.p.env.target.By())
		switch {
		case (err != nil || f == nil) && r.c.death.explains(t.past):
			return false, nil
		case err != nil:
			return false, campaign.Broken(t.conn.Exchange, "helix.lifecycle.independent-readers", "the last event of the race", err.Error(), "a reader didn't get what was due")
		case f == nil && t.conn.Now().End == record.ServerClose:
			t.closed = true
			return false, nil
		case f == nil:
			return false, campaign.Broken(t.conn.Exchange, "helix.wire.stays-open", "the last event of the race", "a broken connection", "the response broke off")
		case !f.Dispatched():
			continue
		}
		t.frames = append(t.frames, streammodel.Frame{ID: f.ID, HasID: f.HasID, Data: f.Data})
		m, _ := frame.Decode(f.Data) // the model reports a frame that isn't JSON
		if m.Type == "chunk" {
			*cursor = max(*cursor, m.Sequence.N)
		}
		marker := m.Text("runId")
		if marker == last || m.Terminal() {
			return true, nil
		}
		if r.c.pace.IsNews(marker, t.since) {
			break
		}
	}
	t.conn.Disconnect()
	t.conn.DropAfter(t.conn.Taken())
	return false, nil
}

// frames returns the frames of all connections.
func (r *racer) frames() (all []streammodel.Frame) {
	for _, t := range r.turns {
		all = append(all, t.frames...)
	}
	return all
}

// replay passes the frames of the racer to the model; outcome is nil for a reader that attached after the race.
func (r *racer) replay(outcome *streammodel.Race) error {
	p := r.c.p
	defer r.Detach()
	for n, t := range r.turns {
		if n > 0 {
			r.Reattach()
		}
		if outcome != nil && (n > 0 || !r.early) {
			r.Amid(outcome)
		}
		over := false
		for _, f := range t.frames {
			if outcome.Lost(f) {
				continue
			}
			var err error
			if over, err = r.Take(f); err != nil {
				return campaign.At(t.conn.Exchange, err)
			}
		}
		if t.closed && !over {
			if err := r.Closed(); err != nil && !p.readers.declared(t.conn) {
				return campaign.At(t.conn.Exchange, err)
			}
		}
		rd := &reader{s: r.c.s, Reader: r.Reader, conn: t.conn, head: true}
		switch {
		case over && !t.past && r.c.o.Killed > 0: // the kill may have broken the end of the response
		case over:
			if err := p.readers.closed(rd); err != nil {
				return err
			}
		case n == 0 && len(r.turns) == 1 && r.early: // a status frame may come later than a chunk
			if err := p.readers.drain(rd); err != nil {
				return err
			}
		}
		conn := rd.conn // a new one if the server closed it
		conn.Disconnect()
		conn.DropAfter(conn.Taken())
		if err := p.readers.judged(conn); err != nil {
			return err
		}
	}
	return nil
}
