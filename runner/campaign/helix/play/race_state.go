package play

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/streamcert/streamcert/runner/campaign/helix/play/timing"

	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
)

// contest is a race that is on: several clients make calls to one stream at once, and readers come and go.
type contest struct {
	p     *play
	s     *stream
	o     program.Operation
	began time.Time
	half  chan struct{}  // closed when the first writer has made half of its calls, or can't go on
	wrote chan struct{}  // has something in it when a write was answered; closed when all were
	pace  *timing.Pace   // of readers that come and go; nil where they don't
	group sync.WaitGroup // of who makes calls that aren't writes
	death *death

	mu    sync.Mutex
	calls []streammodel.Call
	err   error // the first
}

// racer is a reader of a race.
type racer struct {
	*streammodel.Reader
	c        *contest
	position streammodel.Position
	early    bool  // it was attached when the race began
	delayed  bool  // or it comes in its middle, else with the first writes
	plan     []int // how many events it takes on each connection but the last
	turns    []*turn
	err      error

	mu      sync.Mutex
	aborted bool
}

// turn is one connection of a racer.
type turn struct {
	conn   *target.Reader
	frames []streammodel.Frame
	closed bool // by the server, before all had come
	past   bool // it began when the kill was past
	since  int  // so many chunks of the race were accepted when it began
}

// death is the kill of a server in the midst of a race.
type death struct {
	after        int64 // answers; 0 for never
	answers      atomic.Int64
	near         chan struct{} // closed when so many were given, or nobody makes calls any more
	initialState chan struct{} // closed when the kill begins
	over         chan struct{} // closed when the server is there again, or can't be
}

func (c *contest) note(call streammodel.Call, err error) {
	c.mu.Lock()
	c.calls = append(c.calls, call)
	c.mu.Unlock()
	c.failed(err)
}

// failed notes an error, if it is the first; nil is none.
func (c *contest) failed(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
}

// last is the number of the chunk that is written last.
func (c *contest) last() int { return 1_000_000*c.p.races + program.MostRace*10*c.o.Who }
