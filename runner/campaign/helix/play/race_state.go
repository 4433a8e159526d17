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

// contest is a running race: several clients make concurrent calls to one stream, while readers come and go.
type contest struct {
	p     *play
	s     *stream
	o     program.Operation
	began time.Time
	half  chan struct{}  // closed when the first writer has made half of its calls, or has stopped
	wrote chan struct{}  // receives a value after a write was answered; closed after all were
	pace  *timing.Pace   // for readers that come and go, else nil
	group sync.WaitGroup // calls that aren't writes
	death *death

	mu    sync.Mutex
	calls []streammodel.Call
	err   error // the first error
}

// racer is a reader of a race.
type racer struct {
	*streammodel.Reader
	c        *contest
	position streammodel.Position
	early    bool  // attached before the race began
	delayed  bool  // attaches in the middle of the race, else with the first writes
	plan     []int // how many events it receives on each connection but the last
	turns    []*turn
	err      error

	mu      sync.Mutex
	aborted bool
}

// turn is one connection of a racer.
type turn struct {
	conn   *target.Reader
	frames []streammodel.Frame
	closed bool // by the server, before all frames had come
	past   bool // began after the server was started again
	since  int  // how many chunks of the race were accepted before it began
}

// death is the kill of a server during a race.
type death struct {
	after   int64 // number of answers before the kill; 0 for never
	answers atomic.Int64
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
func (c *contest) last() int { return 1_000_000*c.p.races + program.MostRace*10*c.o.Who }
