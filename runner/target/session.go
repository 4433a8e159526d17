package target

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/streamcert/streamcert/runner/record"
)

// Session is the part of a run that one scenario owns: its streams, its
// connections and its record.
type Session struct {
	target *Target            // shared with all sessions
	caller context.Context    // outlives ctx, for tidying up
	ctx    context.Context    // of every wait and connection; ends with caller, with the time of the scenario, or by cancel
	cancel context.CancelFunc // is called once, by Close
	killed atomic.Bool        // the server was killed, and calls in flight with it; it stays set

	// Each part has a lock and reaches no other, but for the turn, which extends the deadline.
	book
	belongings
	budget
	deadline
	provocation
	address
	turn

	mu      sync.Mutex // guards refusal and dead
	refusal []int      // statuses that the scenario currently provokes; a new slice whenever it changes
	dead    []int      // replicas that the session has killed and not yet started again, counted from 0
}

// Session begins one. The context ends every wait and every connection of it,
// and so does the time that a scenario may take.
func (t *Target) Session(caller context.Context) *Session {
	ctx, end := context.WithCancelCause(caller)
	s := &Session{target: t, caller: caller, cancel: func() { end(context.Canceled) }}
	if parent, ok := caller.Value(ofSession{}).(*Session); ok {
		s.parent = &parent.provocation
	}
	s.ctx = context.WithValue(ctx, ofSession{}, s)
	s.coins, s.removed, s.given = &t.namer, map[string]bool{}, map[string][]byte{}
	s.limits = t.cfg.Limits
	s.player, s.prefix = t.cfg.Model.Player, t.prefix
	s.fleet, s.address.ctx = &t.fleet, s.ctx
	s.bulky, s.large, s.asking, s.time = t.bulky, t.large, make(chan struct{}, 1), &s.deadline
	s.timeouts, s.deadline.ctx, s.total, s.silence = t.adaptiveTimeout, s.ctx, t.timing.Scenario, t.cfg.Limits.Silence
	s.start(end)
	return s
}

// Target returns the server that the session talks to.
func (s *Session) Target() *Target { return s.target }

// Context ends when the session does.
func (s *Session) Context() context.Context { return s.ctx }

func (s *Session) add(e *Exchange) {
	if s.replica.Load() > 0 && e.Base == "" {
		e.Base = s.base()
	}
	s.enter(e)
}

// newExchange begins one that may be refused as the scenario states now.
func (s *Session) newExchange(kind record.Kind) *Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Exchange{
		Request: record.Request{Kind: kind}, came: record.Response{End: record.Open}, began: time.Now(), refusal: slices.Clone(s.refusal),
		restarted: s.killed.Load(),
	}
}

// Expects names statuses with which the scenario has the server refuse the requests that it makes until over is called.
// A request that is refused with another one of 409, 429 and 503 is a [Session.Refused].
func (s *Session) Expects(statuses ...int) (over func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.refusal
	s.refusal = slices.Concat(before, statuses)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.refusal = before
	}
}
