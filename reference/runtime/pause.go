package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// pending is a call that waits for an answer of the user or the client.
type pending struct {
	call     Call   // as its tool_start states it
	consent  bool   // it waits for a decision, else for a result
	answered bool   // answer is set, once for all
	answer   Answer // undefined unless answered
}

// Answer answers a call that waits.
type Answer struct {
	Approved *bool           // the decision, for a call that needs consent
	Result   json.RawMessage // of a call that the client ran
	Error    *string         // why that failed
}

// expect makes a call known as one that waits. It can be answered from now on.
func (x *executor) expect(c Call, consent bool) *pending {
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	p := &pending{call: c, consent: consent}
	x.pending = append(x.pending, p)
	return p
}

// await waits for the answer to a call.
func (x *executor) await(ctx context.Context, p *pending) (Answer, error) {
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	if p.answered {
		return p.answer, nil
	}
	if x.s.ports.Waiting.AtOnce && x.s.executor == x {
		x.pauseFor(p)
	}
	err := x.block(&waiter{ctx: ctx, pending: p})
	if p.answered {
		return p.answer, nil
	}
	x.withdraw(p)
	if x.paused { // the run no longer waits
		x.unpause("continue")
	}
	return Answer{}, err
}

// abandon ends a call that can't be answered, because readers never received it.
func (x *executor) abandon(p *pending) {
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	x.withdraw(p)
}

func (x *executor) withdraw(p *pending) {
	x.pending = slices.DeleteFunc(x.pending, func(other *pending) bool { return other == p })
}

// pause writes that the run waits for the answers to all its calls.
func (x *executor) pause() { x.pauseFor(x.pending...) }

// pauseFor writes that the run waits for answers.
func (x *executor) pauseFor(calls ...*pending) {
	var chunks []Chunk
	for _, p := range calls {
		reason := "client_tool"
		if p.consent {
			reason = "approval"
		}
		// helix.approval.paused, helix.runs.pending: each call that waits has a chunk, which names the tool and the call.
		chunks = append(chunks, Chunk{
			"type": "run_paused", "runId": x.run, "reason": reason,
			"pendingToolName": p.call.Tool, "pendingToolCallId": p.call.ID,
		})
	}
	_, err := x.s.append(x.run, x.token, x.root.sign(chunks...)...)
	if err != nil { // the next write meets the same error, and ends the run
		return
	}
	// helix.runs.pause-status, helix.runs.transitions, helix.runs.no-terminal: SetStatus sends a status frame and doesn't finish the stream.
	_ = x.s.ports.Journal.SetStatus(context.Background(), x.writer(), StreamPaused)
	x.paused, x.s.status = true, Paused
}

// unpause goes on as a new run.
func (x *executor) unpause(mode string) {
	if x.s.executor != x {
		return
	}
	_ = x.s.ports.Journal.SetStatus(context.Background(), x.writer(), StreamActive)
	// helix.runs.new-run: an answer starts a new run of the session.
	x.s.newRun()
	x.run = x.s.run
	// helix.runs.resume-announced: the chunk is written before the waiters wake up and write.
	if resumed, err := x.s.resumed(mode); err == nil {
		_, _ = x.s.append(x.run, x.token, x.root.sign(resumed)...) // as with pause
	}
	x.paused, x.s.status = false, Running
	_ = x.s.handOver() // a fenced session can't write either
	x.wake(func(w *waiter) bool { return w.paused })
	x.s.notify()
}

// resumed returns the chunk that announces a run.
func (s *Session) resumed(mode string) (Chunk, error) {
	c, found, err := s.points.latest()
	if err != nil {
		return nil, fmt.Errorf("loading the latest checkpoint: %w", err)
	}
	// helix.runs.mode, helix.runs.from-step: the mode is the caller's, the count that of completed steps.
	resumed := Chunk{"type": "run_resumed", "runId": s.run, "fromCheckpointId": nil, "fromStepCount": s.steps, "mode": mode}
	if found {
		// helix.runs.known-checkpoint: the id is null if no checkpoint was saved.
		resumed["fromCheckpointId"] = c.ID
	}
	return resumed, nil
}
