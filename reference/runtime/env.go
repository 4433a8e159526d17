package runtime

import (
	"context"
	"encoding/json"
)

// env is the Env of an agent's tools.
type env struct{ a *agent }

// Wait implements Waiter.
func (e env) Wait(ctx context.Context, barrier string) error { return e.a.x.Wait(ctx, barrier) }

// Emit implements Env.
func (e env) Emit(ctx context.Context, name string, data json.RawMessage) error {
	// helix.custom.unchanged, helix.custom.in-place: the chunk is written at once, with the tool's name and data.
	return e.a.say(ctx, Chunk{"type": "custom", "eventName": name, "data": orNull(data)})
}

// Set implements Env.
func (e env) Set(ctx context.Context, key string, value json.RawMessage) error {
	return e.write(ctx, func(s *stage) error {
		s.set(key, orNull(value))
		return nil
	})
}

// Append implements Env.
func (e env) Append(ctx context.Context, key string, items []json.RawMessage) error {
	return e.write(ctx, func(s *stage) error { return s.append(key, items) })
}

// Delete implements Env.
func (e env) Delete(ctx context.Context, key string) error {
	return e.write(ctx, func(s *stage) error {
		s.delete(key)
		return nil
	})
}

func (e env) write(ctx context.Context, change func(*stage) error) error {
	e.a.x.s.mu.Lock()
	defer e.a.x.s.mu.Unlock()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	// helix.state.parallel-appends: the session is locked, so no append overwrites another.
	return change(e.a.stage)
}
