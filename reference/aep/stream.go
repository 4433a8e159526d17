package aep

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/streamcert/streamcert/reference/aep/agent"
)

// answer streams the answer to a request that was taken.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, request Request, history []agent.Message) {
	l := h.requests.begin(request)
	defer h.requests.end(l)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.closing, cancel)()

	head := w.Header()
	// aep.wire.content-type: the status 200 follows below.
	head.Set("Content-Type", "text/event-stream")
	// aep.wire.cache-control: a cache must not answer for the server.
	head.Set("Cache-Control", "no-cache")
	head.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	// aep.security.isolation: machine, buffer and body belong to one request.
	s := &stream{
		h: h, live: l, w: w, flush: http.NewResponseController(w),
		journal: h.o.Journal(request), encoder: h.o.Encoder(request),
		machine: h.machine(request), beat: make(chan struct{}, 1), timedOut: make(chan struct{}, 1),
	}
	defer s.unblock(ctx)()
	defer s.timers()()
	// aep.flow.metadata-first: metadata is sent before the agent starts.
	if s.send(s.machine.Begin()) != nil {
		return
	}
	s.run(r.Context(), h.begin(ctx, l, history))
}

func (h *Handler) machine(r Request) *Machine {
	return &Machine{
		Request: r,
		CallID:  func() string { return h.o.NewID(CallID) },
		OpenAction: func(kind string, payload json.RawMessage) string {
			id := h.o.NewID(ActionID)
			h.o.Actions.Open(Open{ID: id, Owner: r.Principal, Thread: r.Thread, Kind: kind, Payload: payload})
			return id
		},
	}
}

// turn is an agent at work.
type turn struct {
	deltas <-chan agent.Delta // unbuffered: the agent waits until each is read
	result <-chan error       // one, after the last delta
	stop   func()             // ends the work and waits until it has ended
}

// begin sets the agent to work.
func (h *Handler) begin(ctx context.Context, l *live, history []agent.Message) turn {
	ctx, cancel := context.WithCancel(ctx)
	deltas, result, ended := make(chan agent.Delta), make(chan error, 1), make(chan struct{})
	say := func(d agent.Delta) error {
		select {
		case deltas <- d:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	results := make([]json.RawMessage, 0, len(l.Body.Results))
	for _, r := range l.Body.Results {
		// aep.actions.result: the agent gets the complete object that the client sent.
		results = append(results, r.JSON)
	}
	handed := agent.Turn{
		Request: l.ID, Messages: l.Body.Texts(), History: history, Results: results, Context: l.Body.Context,
		Script: l.Body.Script, Model: h.o.Model, Await: l.await,
	}
	go func() {
		defer close(ended)
		result <- h.o.Agent.Run(ctx, handed, say)
	}()
	return turn{deltas: deltas, result: result, stop: func() { cancel(); <-ended }}
}

// stream is the body of one response.
type stream struct {
	h       *Handler                 // that serves it
	live    *live                    // in requests until the response ends
	w       http.ResponseWriter      // blocks while the client doesn't read
	flush   *http.ResponseController // after each event
	journal Journal                  // of this response alone
	encoder Encoder                  // of this response alone
	machine *Machine                 // used by one goroutine
	buffer  []byte                   // reused for each write

	remembered bool // the answer is in its thread

	beat, timedOut chan struct{} // time for a heartbeat; the stream has taken too long
	heartbeat      Timer         // nil: no heartbeat
	timeout        Timer         // nil: no timeout, or one that events don't restart
}

var errGone = errors.New("the client has gone")

// run converts the agent's deltas into events until the response has ended.
func (s *stream) run(client context.Context, t turn) {
	defer t.stop()
	for {
		end, err := s.next(client, t)
		if errors.Is(err, errGone) {
			s.reopen()
			s.remember()
			// aep.flow.disconnect: by default Disconnected names no other request.
			s.h.requests.cancel(s.h.o.Disconnected(s.h.requests.open(), s.live.Request), "a client has gone")
		}
		// aep.flow.terminal, aep.flow.body-closes: the loop ends once next has sent a terminal event; the handler then
		// returns, which closes the body.
		if end || err != nil {
			return
		}
	}
}

// next waits for one thing to happen. It reports whether that ended the response.
func (s *stream) next(client context.Context, t turn) (end bool, err error) {
	select {
	case d := <-t.deltas:
		// Output after the cancellation is dropped, though it may be received before the cancellation. aep.cancel.silent: a
		// delta that arrives after the cancellation is dropped.
		if s.live.isCancelled() {
			return true, s.send(s.machine.Abort(s.live.why()))
		}
		return false, s.send(s.machine.Take(d))
	case result := <-t.result:
		if client.Err() != nil {
			return true, errGone
		}
		if s.live.isCancelled() {
			return true, s.send(s.machine.Abort(s.live.why()))
		}
		return true, s.send(s.finish(result))
	// aep.cancel.aborted: a cancellation ends the response at once.
	case <-s.live.cancelled:
		return true, s.send(s.machine.Abort(s.live.why()))
	// aep.errors.timeout, aep.errors.timeout-early: the timer of Options.Timeout has fired.
	case <-s.timedOut:
		return true, s.send(s.machine.Fail("stream_timeout", "the answer took too long"))
	// aep.wire.heartbeat: Options.Heartbeat is 15 s by default.
	case <-s.beat:
		return false, s.write([]byte(": heartbeat\n\n"))
	case <-client.Done():
		return true, errGone
	case <-s.h.closing.Done():
		return true, s.send(s.machine.Fail("internal_error", "the server is closing"))
	}
}

// finish returns the terminal events for the result of the agent's turn.
func (s *stream) finish(result error) []Event {
	var failure *agent.Failure
	switch {
	case result == nil:
		// aep.flow.done, aep.actions.pauses: the agent has ended by itself; a continuation doesn't change that.
		return s.machine.Done()
	// aep.errors.in-stream, aep.errors.agent, aep.errors.tool: the head was sent, so an error event reports the failure,
	// with the agent's code.
	case errors.As(result, &failure):
		return s.machine.Fail(failure.Code, failure.Message)
	case s.h.closing.Err() != nil:
		return s.machine.Fail("internal_error", "the server is closing")
	}
	s.h.o.Logger.Error("running an agent", "request", s.live.ID, "error", result)
	// aep.errors.internal: any other error is a failure of the server.
	return s.machine.Fail("internal_error", "the server failed")
}

// remember stores the sent part of the answer in its thread. Only the first call has an effect.
func (s *stream) remember() {
	if s.remembered {
		return
	}
	s.remembered = true
	// aep.threads.unfinished-answer: the machine has the text so far, and nothing else.
	if text := s.machine.Text(); text != "" {
		s.h.o.Threads.Say(s.live.Thread, []agent.Message{{Who: agent.ByAgent, Text: text, Request: s.live.ID}})
	}
}

// reopen gives up the results that the run was handed, before the client hears that it failed.
func (s *stream) reopen() {
	// aep.actions.again: a failed request can be repeated with the same results.
	s.h.o.Actions.Reopen(s.live.Body.resolves())
}

// send stamps events, passes them through the journal and writes the results at once.
func (s *stream) send(events []Event) error {
	s.buffer = s.buffer[:0]
	for _, e := range events {
		// aep.events.clock: events get their time in the order of sending.
		e.Timestamp = s.h.o.Clock.Now()
		if e.Kind == Failed || e.Kind == Aborted {
			s.reopen()
		}
		if e.Kind.Terminal() { // the client may go on as soon as it knows of the end
			s.remember()
		}
		for _, out := range s.journal(e) {
			s.buffer = s.encoder.Append(s.buffer, out)
		}
	}
	if len(s.buffer) == 0 {
		return nil
	}
	if s.timeout != nil {
		s.timeout.Reset(s.h.limit(s.live.Agent))
	}
	return s.write(s.buffer)
}

func (s *stream) write(p []byte) error {
	if _, err := s.w.Write(p); err != nil {
		return errors.Join(errGone, err)
	}
	// aep.wire.live: each delta is flushed before the next one is read.
	if err := s.flush.Flush(); err != nil {
		return errors.Join(errGone, err)
	}
	if s.heartbeat != nil {
		s.heartbeat.Reset(s.h.o.Heartbeat)
	}
	return nil
}

// timers starts the timers of the stream. The returned function stops them.
func (s *stream) timers() (stop func()) {
	var running []Timer
	start := func(d time.Duration, due chan struct{}) Timer {
		if d <= 0 {
			return nil
		}
		timer := s.h.o.Clock.AfterFunc(d, func() {
			select {
			case due <- struct{}{}:
			default: // it is due already
			}
		})
		running = append(running, timer)
		return timer
	}
	timeout := start(s.h.limit(s.live.Agent), s.timedOut)
	if s.h.o.TimeoutWhenIdle {
		s.timeout = timeout
	}
	s.heartbeat = start(s.h.o.Heartbeat, s.beat)
	return func() {
		for _, timer := range running {
			timer.Stop()
		}
	}
}

// limit returns the longest duration, or idle time, of a stream of an agent.
func (h *Handler) limit(agent string) time.Duration {
	if own, ok := h.o.Timeouts[agent]; ok {
		return own
	}
	return h.o.Timeout
}

// grace is the time for which a write may continue after its request or the server has ended, so that a reader that isn't
// stalled receives the end.
const grace = time.Second

// unblock aborts a blocked write of a stalled reader once the context is done. The returned function must be called before
// the handler returns.
func (s *stream) unblock(ctx context.Context) (stop func()) {
	done := make(chan struct{})
	release := context.AfterFunc(ctx, func() {
		defer close(done)
		_ = s.flush.SetWriteDeadline(time.Now().Add(grace)) // where it isn't supported, the write ends with the connection
	})
	return func() {
		if !release() {
			<-done
		}
	}
}
