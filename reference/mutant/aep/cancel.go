package aep

import (
	"context"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// cancel lists mutants that end a cancelled request wrongly, or cancel another one.
func cancel() []edit.Mutant {
	aborted := on.Kind(aep.Aborted)
	return []edit.Mutant{
		{Name: "cancelled-is-done", Requirement: "aep.cancel.aborted",
			Summary: "A request that was cancelled ends with done, with what there is.",
			Apply: on.Events(aborted).EditIn(func(r aep.Request, e *aep.Event) {
				e.Kind, e.MessageID, e.ThreadID, e.FinishReason = aep.Done, r.Message, r.Thread, "stop"
			})},
		{Name: "cancelled-is-an-error", Requirement: "aep.cancel.aborted", Stateful: true,
			Summary: "A request that is cancelled when the agent has begun to speak ends with an error.",
			Apply:   on.Events(aborted, on.Spoken()).Edit(on.Fail("agent_error", "the request was cancelled"))},
		{Name: "cancelled-speaks-on", Requirement: "aep.cancel.silent", Stateful: true,
			Summary: "A cancellation wakes the agent, which says the rest before the response is aborted.",
			Apply:   speaksOn},
		{Name: "cancels-all-of-a-user", Requirement: "aep.cancel.one", Stateful: true,
			Summary: "A cancellation puts an end to all that the user has asked and that isn't answered yet.",
			Apply: on.Cancelling(func(live []aep.Request, principal, _ string, ends []string) []string {
				if len(ends) == 0 {
					return nil
				}
				return on.IDsOf(live, func(r aep.Request) bool { return r.Principal == principal })
			})},
		{Name: "anybody-cancels", Requirement: "aep.cancel.foreign",
			Summary: "Whoever knows a requestId may cancel the request.",
			Apply: on.Cancelling(func(live []aep.Request, _, id string, _ []string) []string {
				return on.IDsOf(live, func(r aep.Request) bool { return r.ID == id })
			})},
	}
}

// speaksOn takes a cancellation for a note that ends no run: barriers open, and the end is called aborted.
func speaksOn(o aep.Options) aep.Options {
	var cancellations alter.PerKey[chan struct{}] // by request
	cancelled := func(id string) (c chan struct{}) {
		cancellations.With(id, func(made *chan struct{}) {
			if *made == nil {
				*made = make(chan struct{})
			}
			c = *made
		})
		return c
	}
	o = on.Cancelling(func(_ []aep.Request, _, _ string, ends []string) []string {
		for _, id := range ends {
			if c := cancelled(id); !isClosed(c) {
				close(c)
			}
		}
		return nil
	})(o)
	o = on.Turns(func(t *agent.Turn) {
		wait, woke := t.Await, cancelled(t.Request)
		t.Await = func(ctx context.Context, barrier string) error {
			return awaitEither(ctx, woke, func(ctx context.Context) error { return wait(ctx, barrier) })
		}
	})(o)
	return on.Events(on.Kind(aep.Done)).EditIn(func(r aep.Request, e *aep.Event) {
		if isClosed(cancelled(r.ID)) {
			e.Kind = aep.Aborted
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
