package runtime

import (
	"context"
	"encoding/json"
)

// agent is the root agent or a sub-agent. It is the Env of its tools.
type agent struct {
	x         *executor // never changes
	id        string    // unique in the server
	agentType string
	model     Model           // of this agent alone
	stage     *stage          // of the open step; each step has another
	output    json.RawMessage // nil until there is one
}

// sign fills in whose chunks they are. A sub-agent's have the step of the root agent, so that a cleanup reaches them.
func (a *agent) sign(chunks ...Chunk) []Chunk {
	for _, c := range chunks {
		// helix.text.per-agent, helix.subagents.agent-type, helix.tools.same-agent: every chunk of an agent carries its own
		// id and type.
		// helix.runs.step, helix.errors.step: every chunk carries the number of the open step.
		c["agentId"], c["agentType"], c["step"] = a.id, a.agentType, a.x.step
	}
	return chunks
}

// say writes chunks, unless the work that they belong to was cancelled. While the run is paused it waits.
func (a *agent) say(ctx context.Context, chunks ...Chunk) error {
	a.x.s.mu.Lock()
	defer a.x.s.mu.Unlock()
	for a.x.paused {
		if err := a.x.block(&waiter{ctx: ctx, paused: true}); err != nil {
			return err
		}
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	_, err := a.x.s.append(a.x.run, a.x.token, a.sign(chunks...)...)
	return err
}

// conclude writes the end of something whose beginning readers have received, even if the work was cancelled.
func (a *agent) conclude(chunks ...Chunk) error {
	a.x.s.mu.Lock()
	defer a.x.s.mu.Unlock()
	for a.x.paused {
		if err := a.x.block(&waiter{ctx: a.x.ctx, paused: true}); err != nil {
			return err
		}
	}
	_, err := a.x.s.append(a.x.run, a.x.token, a.sign(chunks...)...)
	return err
}
