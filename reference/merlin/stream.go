package merlin

import (
	"context"
	"errors"
)

// errStopped ends the output when the user has stopped the request.
var errStopped = errors.New("the request was stopped")

// streamer converts the model's output into events. One is made for each stream, and for each sub-agent.
type streamer interface {
	// delta streams one event of the model, while so many pieces wait to be read.
	delta(d Delta, waiting int) error
	// flush sends delayed output that can't be completed any more.
	flush() error
}

// stream is one response on its way. It belongs to one goroutine.
type stream struct {
	o       Options                           // with defaults
	c       *RunState                         // shared with the functions of o
	ctx     context.Context                   // done once the client has gone, or the server closes
	write   func(event []byte) error          // an error of it ends the stream
	barrier func(name string) <-chan struct{} // closed when the barrier is released

	events  func(Event) []Event   // of o, for this stream alone
	encoder Encoder               // of o, for this stream alone
	deltas  func(Delta) []Delta   // of o, for this stream alone
	pieces  func([]byte) [][]byte // of o, for this stream alone

	total   Aggregate // of all deltas so far, sent or not
	index   int       // of V2: the one of the block
	manager *manager  // nil before the first progress
	main    streamer  // sends the output of the first agent; the version decides how
	from    upstream  // parses the bytes of the first agent's model
}

func newStream(o Options, c *RunState, ctx context.Context) *stream {
	o.Begin(c)
	s := &stream{o: o, c: c, ctx: ctx, events: o.Events(c), encoder: o.Encoder(c), deltas: o.Deltas(c), pieces: o.Pieces(c)}
	if c.Version == 1 {
		s.main = newV1(s)
	} else {
		s.index = o.Index(c.Start)
		s.main = &v2{s: s, suppress: &c.Start.Suppress}
	}
	return s
}

// send sends an event at once. merlin.wire.live
func (s *stream) send(name string, data map[string]any) error {
	var block []byte
	for _, e := range s.events(Event{name, data}) {
		block = s.encoder.Append(block, e)
	}
	if len(block) == 0 {
		return nil
	}
	return s.write(block)
}

// play streams the events, and ends the stream. The error is that of a client that has gone.
func (s *stream) play(happens func() error) error {
	if s.c.Version == 1 {
		// merlin.slices.init
		if err := s.send(Init, map[string]any{}); err != nil {
			return err
		}
	}
	err := happens()
	switch {
	case errors.Is(err, errStopped):
		s.c.Stopped = true // merlin.failure.stopped: the rest of the script is left out
	case err != nil:
		return err
	case s.c.Failed:
		s.total.calls = nil // merlin.failure.no-calls
	}
	s.c.Ended = true
	if err == nil {
		// merlin.citations.flushed
		if err := s.main.flush(); err != nil {
			return err
		}
	}
	s.o.Aggregated(s.c, &s.total) // merlin.failure.partial, merlin.failure.stopped-partial
	// merlin.wire.end-last, merlin.wire.end-data, merlin.wire.nothing-after, merlin.wire.names, merlin.failure.ends,
	// merlin.failure.stopped-end
	return s.send(End, map[string]any{"type": "DONE"})
}

// performAll performs one instruction after the other. Consecutive output of the model is collected, and streamed
// before the next other instruction.
func (s *stream) performAll(instructions []Instruction) error {
	change, split := s.o.Instructions(s.c), 0
	var row []Instruction
	for _, act := range instructions {
		for _, a := range change(act) {
			if a.upstream() {
				row = append(row, a)
				continue
			}
			if err := s.row(&s.from, s.main, written(row, &split)); err != nil {
				return err
			}
			row = nil
			if over, err := s.perform(a); over || err != nil {
				return err
			}
		}
	}
	return s.row(&s.from, s.main, written(row, &split))
}

// row streams the collected pieces of a model.
func (s *stream) row(from *upstream, to streamer, pieces [][]byte) error {
	for i, piece := range pieces {
		if err := s.feed(from, to, piece, len(pieces)-i-1); err != nil {
			return err
		}
	}
	return nil
}

// feed streams a piece of a model, while so many wait after it.
func (s *stream) feed(from *upstream, to streamer, event []byte, waiting int) error {
	for _, piece := range s.pieces(event) {
		for _, read := range from.read(piece) {
			for _, d := range s.deltas(read) {
				if err := to.delta(d, waiting); err != nil {
					return err
				}
			}
		}
	}
	s.c.Failed = s.c.Failed || s.from.failed // merlin.failure.no-calls
	return nil
}

// perform performs an instruction that isn't the model's output. over reports that the script ends.
func (s *stream) perform(a Instruction) (over bool, err error) {
	switch {
	case a.Abort:
		s.c.Failed = true // merlin.failure.kept: the streamed content stays
		return true, nil
	case a.Stop:
		return true, errStopped
	case a.Await != "":
		return false, s.await(a.Await)
	case a.Step != nil:
		return false, s.progress().do(*a.Step)
	case s.c.Version == 1: // has neither sub-agents nor results of tools
		return false, nil
	case a.SubAgent != nil:
		return false, s.subAgent(*a.SubAgent)
	case a.ToolResult != nil:
		return false, s.toolResult(*a.ToolResult)
	}
	s.index++ // merlin.index.shared: another agent has an index of its own
	return false, nil
}

func (s *stream) await(name string) error {
	select {
	case <-s.barrier(name):
		return nil
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

// subAgent streams the answer of an agent as the result of a tool. merlin.subagents.index: under the index of the parent.
func (s *stream) subAgent(a SubAgent) error {
	split, from := 0, upstream{}
	return s.row(&from, &v2{s: s, suppress: &a.Suppress, tool: &a.Index}, written(a.Instructions, &split))
}

// toolResult sends a result that is complete. merlin.subagents.result, merlin.subagents.once
func (s *stream) toolResult(r ToolResult) error {
	return s.send(Message, map[string]any{"content": "", "type": "toolCallResult", "contentIndex": s.index, "toolCallResult": map[string]any{
		"index": r.Index, "result": r.Result, "toolCallId": r.ToolCallID, "function": map[string]any{"name": r.Name},
	}})
}
