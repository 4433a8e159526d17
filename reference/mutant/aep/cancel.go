package aep

import (
	"context"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
)

func cancel() []Mutant { return slices.Concat(cancelEnds(), cancelTargets()) }

// cancelEnds get the end of a cancelled request wrong.
func cancelEnds() []Mutant {
	return []Mutant{{
		Name: "cancelled-is-done", Requirement: "aep.cancel.aborted",
		Summary: "A request that was cancelled ends with done, with what there is.",
		Apply: onEvents(func(r aep.Request) func(*aep.Event) {
			return func(e *aep.Event) {
				if e.Kind == aep.Aborted {
					e.Kind, e.MessageID, e.ThreadID, e.FinishReason = aep.Done, r.Message, r.Thread, "stop"
				}
			}
		}),
	}, {
		Name: "cancelled-is-an-error", Requirement: "aep.cancel.aborted", Stateful: true,
		Summary: "A request that is cancelled when the agent has begun to speak ends with an error.",
		Apply: onEvents(func(aep.Request) func(*aep.Event) {
			begun := false
			return func(e *aep.Event) {
				begun = begun || e.Kind.Staged()
				if e.Kind == aep.Aborted && begun {
					fail(e, "agent_error", "the request was cancelled")
				}
			}
		}),
	}, {
		Name: "cancelled-without-a-word", Requirement: "aep.cancel.aborted",
		Summary: "A request that was cancelled is closed and nothing more.",
		Also:    []string{"aep.flow.terminal"},
		Apply:   dropping(always(is(aep.Aborted))),
	}, {
		Name: "cancelled-speaks-on", Requirement: "aep.cancel.silent", Stateful: true,
		Summary: "A cancellation wakes the agent, which says the rest before the response is aborted.",
		Apply:   speaksOn,
	}}
}

// cancelTargets cancel what they should leave alone.
func cancelTargets() []Mutant {
	return []Mutant{{
		Name: "cancels-all-of-a-user", Requirement: "aep.cancel.one", Stateful: true,
		Summary: "A cancellation puts an end to all that the user has asked and that isn't answered yet.",
		Apply: func(o aep.Options) aep.Options {
			cancelled := o.Cancelled
			o.Cancelled = func(live []aep.Request, principal, id string) []string {
				if len(cancelled(live, principal, id)) == 0 {
					return nil
				}
				var ids []string
				for _, r := range live {
					if r.Principal == principal {
						ids = append(ids, r.ID)
					}
				}
				return ids
			}
			return o
		},
	}, {
		Name: "anybody-cancels", Requirement: "aep.cancel.foreign",
		Summary: "Whoever knows a requestId may cancel the request.",
		Apply: func(o aep.Options) aep.Options {
			o.Cancelled = func(live []aep.Request, _, id string) []string {
				for _, r := range live {
					if r.ID == id {
						return []string{id}
					}
				}
				return nil
			}
			return o
		},
	}}
}

// cancellations are what was cancelled: for each request what is closed then.
type cancellations map[string]chan struct{}

// of returns what is closed when a request is cancelled.
func (c cancellations) of(id string) chan struct{} {
	if c[id] == nil {
		c[id] = make(chan struct{})
	}
	return c[id]
}

// speaksOn takes a cancellation for a note that ends no run: barriers open, and the end is called aborted.
func speaksOn(o aep.Options) aep.Options {
	state := &locked[cancellations]{v: cancellations{}}
	cancelled := func(id string) (c chan struct{}) {
		state.do(func(all *cancellations) { c = all.of(id) })
		return c
	}
	choose := o.Cancelled
	o.Cancelled = func(live []aep.Request, principal, id string) []string {
		for _, id := range choose(live, principal, id) {
			state.do(func(all *cancellations) {
				if c := all.of(id); !isClosed(c) {
					close(c)
				}
			})
		}
		return nil
	}
	o = onTurn(func(t *agent.Turn) {
		wait, woke := t.Await, cancelled(t.Request)
		t.Await = func(ctx context.Context, barrier string) error {
			return awaitEither(ctx, woke, func(ctx context.Context) error { return wait(ctx, barrier) })
		}
	})(o)
	return onEvents(func(r aep.Request) func(*aep.Event) {
		return func(e *aep.Event) {
			if e.Kind == aep.Done && isClosed(cancelled(r.ID)) {
				e.Kind = aep.Aborted
			}
		}
	})(o)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// awaitEither waits until wait returns, or until it is woken.
func awaitEither(ctx context.Context, woke <-chan struct{}, wait func(context.Context) error) error {
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	opened := make(chan error, 1)
	go func() { opened <- wait(waiting) }()
	select {
	case err := <-opened:
		return err
	case <-woke:
		stop()
		<-opened
		return ctx.Err()
	}
}
