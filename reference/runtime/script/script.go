package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/streamcert/streamcert/reference/runtime"
)

// Error describes a mistake in a script.
type Error struct {
	At     string // JSON pointer into the script
	Reason string // one sentence, without a full stop
}

func (e *Error) Error() string { return "/script" + e.At + ": " + e.Reason }

// Script is an agent's part. It is a runtime.Model, and can be played more than once.
type Script struct{ steps [][]instruction }

// instruction is one instruction of a script: exactly one member is set.
type instruction struct {
	event    runtime.Event   // of the model
	err      error           // that the model returns
	barrier  string          // at which the turn waits
	parallel [][]instruction // branches
}

// Parse reads a script. Its errors are *Error.
func Parse(raw json.RawMessage) (*Script, error) {
	steps, err := parser{}.steps(raw)
	if err != nil {
		return nil, err
	}
	return &Script{steps}, nil
}

// Step implements runtime.Model.
func (s *Script) Step(_ context.Context, n int, w runtime.Waiter) (runtime.Turn, error) {
	if n < 0 || n >= len(s.steps) {
		return nil, io.EOF
	}
	return &turn{instructions: s.steps[n], waiter: w}, nil
}

// turn plays the instructions of one step, or of one branch of it.
type turn struct {
	instructions []instruction  // that remain
	waiter       runtime.Waiter // that knows the barriers of the run
}

// Next implements runtime.Turn.
func (t *turn) Next(ctx context.Context) (runtime.Event, error) {
	for len(t.instructions) > 0 {
		a := t.instructions[0]
		t.instructions = t.instructions[1:]
		switch {
		case a.barrier != "":
			if err := t.waiter.Wait(ctx, a.barrier); err != nil {
				return nil, err
			}
		case a.err != nil:
			return nil, a.err
		case a.parallel != nil:
			var p runtime.Parallel
			for _, acts := range a.parallel {
				p.Branches = append(p.Branches, &turn{instructions: acts, waiter: t.waiter})
			}
			return p, nil
		default:
			return a.event, nil
		}
	}
	return nil, io.EOF
}

// aborted is the error of cancelled work.
type aborted struct{ message string }

func (e *aborted) Error() string { return e.message }
func (e *aborted) Unwrap() error { return context.Canceled }

// Tools plays the tools of scripts. It implements runtime.Tools.
type Tools struct{}

// errNoScript is for calls that come from somewhere else.
var errNoScript = errors.New("no script says what this tool does")

// Gate implements runtime.Tools.
func (Tools) Gate(_ context.Context, c runtime.Call) (runtime.Way, error) {
	t, ok := c.Origin.(*tool)
	if !ok {
		return runtime.Way{}, nil
	}
	way := runtime.Way{Consent: t.Approval.needed, Client: t.Client}
	if t.Approval.broken {
		return way, errors.New("the gate is out of order")
	}
	return way, nil
}

// Execute implements runtime.Tools.
func (Tools) Execute(ctx context.Context, c runtime.Call, env runtime.Env) (json.RawMessage, error) {
	t, ok := c.Origin.(*tool)
	if !ok {
		return nil, errNoScript
	}
	if t.Waits != nil {
		if err := env.Wait(ctx, *t.Waits); err != nil {
			return nil, err
		}
	}
	if t.Error != nil {
		return nil, errors.New(*t.Error)
	}
	return t.Result, nil
}

// Work implements runtime.Tools.
func (Tools) Work(ctx context.Context, w runtime.Work, env runtime.Env) error {
	switch o := w.Origin.(type) {
	case custom:
		return env.Emit(ctx, o.EventName, o.Data)
	case set:
		return env.Set(ctx, o.Key, o.Value)
	case appending:
		return env.Append(ctx, o.Key, o.Items)
	case deletion:
		return env.Delete(ctx, o.Key)
	}
	return fmt.Errorf("a script asked for unknown work: %T", w.Origin)
}
