package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// chunk returns the error chunk of a failure.
func (f Failure) chunk() Chunk {
	c := Chunk{"type": "error", "error": f.Message, "recoverable": f.Recoverable}
	if f.Code != "" {
		c["code"] = f.Code
	}
	return c
}

// play performs a turn. It continues after recoverable errors, and returns the first other one.
func (a *agent) play(ctx context.Context, turn Turn) error {
	for {
		event, err := turn.Next(ctx)
		if errors.Is(err, io.EOF) {
			return context.Cause(ctx)
		}
		if err == nil {
			err = a.do(ctx, event)
		}
		if err == nil {
			continue
		}
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		// helix.errors.fatal-last: an error that isn't recoverable ends the agent's turn.
		if err := a.recover(ctx, err); err != nil {
			return err
		}
	}
}

// recover reports an error after which the agent goes on; it returns every other one.
func (a *agent) recover(ctx context.Context, err error) error {
	var broken *journalError
	if errors.As(err, &broken) || errors.Is(err, errFenced) {
		return err
	}
	failure := a.x.s.ports.Classify(err)
	if !failure.Recoverable {
		return err
	}
	// helix.errors.goes-on: play continues with the next event.
	return a.say(ctx, failure.chunk())
}

// do does one thing.
func (a *agent) do(ctx context.Context, event Event) error {
	switch e := event.(type) {
	case Text:
		return a.text(ctx, e)
	case Reasoning:
		return a.reasoning(ctx, e)
	case Call:
		return a.call(ctx, e)
	case Work:
		return a.x.s.ports.Tools.Work(ctx, e, env{a})
	case Parallel:
		return a.parallel(ctx, e)
	case Delegation:
		return a.delegate(ctx, e)
	case Stop:
		return stopError(e.Reason)
	case Output:
		a.output = e.Value
		return context.Cause(ctx)
	}
	return fmt.Errorf("a model did something unknown: %T", event)
}

func (a *agent) text(ctx context.Context, t Text) error {
	// helix.text.concatenation: the joined pieces are the text.
	for _, piece := range a.x.s.ports.Pieces(t.Text) {
		if err := a.say(ctx, Chunk{"type": "text_delta", "delta": piece}); err != nil {
			return err
		}
	}
	return nil
}

// reasoning writes one block in one piece: a reader couldn't tell which of two parallel blocks an increment
// belongs to.
func (a *agent) reasoning(ctx context.Context, t Reasoning) error {
	var chunks []Chunk
	for _, piece := range a.x.s.ports.Increments(t.Text) {
		chunks = append(chunks, Chunk{"type": "thinking", "content": piece, "isComplete": false})
	}
	// helix.thinking.content, helix.thinking.whole-block, helix.thinking.closed: the completing chunk contains the complete
	// block.
	chunks = append(chunks, Chunk{"type": "thinking", "content": t.Text, "isComplete": true})
	// helix.thinking.blocks: one append writes one block, so parallel branches don't mix theirs.
	return a.say(ctx, chunks...)
}

// parallel plays branches side by side. The first that fails cancels the others.
func (a *agent) parallel(ctx context.Context, p Parallel) error {
	if len(p.Branches) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x := a.x
	x.s.mu.Lock()
	x.busy += len(p.Branches) - 1 // this goroutine only waits; the last branch leaves its place to it
	x.s.mu.Unlock()
	var (
		branches sync.WaitGroup
		first    error
	)
	left := len(p.Branches)
	for _, turn := range p.Branches {
		branches.Go(func() {
			err := a.play(ctx, turn)
			x.s.mu.Lock()
			defer x.s.mu.Unlock()
			if err != nil && first == nil {
				first = err
				cancel(err)
			}
			if left--; left > 0 {
				x.idle()
			}
		})
	}
	branches.Wait()
	return first
}
