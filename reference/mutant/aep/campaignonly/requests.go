package campaignonly

import (
	"context"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// rareRequests lists the mutants that requests of some form show, and those that are alike, at once or interrupted.
func rareRequests() []edit.Mutant {
	large := on.Kind(aep.Text, aep.Delta).And(on.If(func(e aep.Event) bool { return len(e.Piece) > 16<<10 }))
	zipped := on.ForRequests(func(r aep.Request) bool { return strings.Contains(r.HTTP.Header.Get("Accept-Encoding"), "gzip") })

	return []edit.Mutant{
		// Mutants that understand one of several equivalent forms.
		{Name: "action-ids-without-case", Requirement: "aep.actions.unknown",
			Summary: "The column of the actions' ids compares letters without their case.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				lower := make([]string, len(ids))
				for i, id := range ids {
					lower[i] = strings.ToLower(id)
				}
				return a.Actions.Resolve(owner, thread, lower)
			})},
		{Name: "large-pieces-wait", Requirement: "aep.wire.live",
			Summary: "A piece of more than 16 KiB goes past a buffer that is flushed with the next event.",
			Apply:   on.Events(large).Delay(on.Kind(aep.Metadata))},
		{Name: "large-pieces-wait-in-gzip", Requirement: "aep.wire.live",
			Summary: "Where a response is compressed, a piece of more than 16 KiB comes with the next event.",
			Apply:   on.Events(large, zipped).Delay(on.Kind(aep.Metadata))},

		// Mutants that take a request for another one: one with a similar name, with the same content, or that is
		// over.
		{Name: "late-cancellation-withdraws-what-was-asked", Requirement: "aep.actions.resumed",
			Summary: "A cancellation of a request that is over withdraws what its agent has asked for.", Apply: withdrawsAfterEnd},

		// Mutants that confuse two concurrent requests of a thread.
		{Name: "failure-closes-what-others-asked", Requirement: "aep.actions.resumed",
			Summary: "A run that fails takes back all that its thread has asked for since it began.", Apply: takesBack},
		{Name: "results-of-the-latest-run", Requirement: "aep.actions.resolved",
			Summary: "A thread has one place for the results that a run works on, and a run that fails opens those.", Apply: reopensLatest},
		{Name: "places-are-lost-with-clients", Requirement: "aep.flow.disconnect",
			Summary: "Sixty-four runs go on at once, and one whose client has gone never gives its place back.", Apply: losesCapacity},

		// These are mutants that end the wrong request, or not the right one, after some others.
		{Name: "second-cancellation-takes-back-the-answer-before", Requirement: "aep.threads.history",
			Summary: "When two requests of a thread are cancelled in a row, what was stored of the second is taken back twice: once it is the last turn that was answered.",
			Apply: alter.WithState(func(row *alter.PerKey[int]) on.Apply { // by thread
				var aborted alter.PerKey[bool] // by request
				return alter.All(on.Events(on.Terminal()).EditIn(func(r aep.Request, e *aep.Event) {
					if e.Kind != aep.Aborted {
						row.Set(r.Thread, 0)
						return
					}
					aborted.Set(r.ID, true)
					alter.Count(row, r.Thread)
				}), on.Losing(func(thread string, before, _ []agent.Message) []int {
					if row.Get(thread) < 2 {
						return nil
					}
					row.Set(thread, 0)
					return lastAnswered(before, aborted.Get)
				}))
			})},
		{Name: "cancelled-at-the-second-wait", Requirement: "aep.cancel.aborted",
			Summary: "An agent that waits for the second time isn't stopped by a cancellation; its answer is done when it is.",
			Apply:   uncancelledLater},

		// These are mutants that err once a client has left or an agent has waited.
		{Name: "cancelled-with-the-rest", Requirement: "aep.cancel.silent",
			Summary: "A request with results that is cancelled sends what its agent would have said.",
			Apply: on.OnJournal(func(r aep.Request) func(aep.Event) []aep.Event {
				return func(e aep.Event) []aep.Event {
					if e.Kind != aep.Aborted || len(r.Body.Results) == 0 {
						return []aep.Event{e}
					}
					rest := aep.Event{
						Kind: aep.Text, RequestID: e.RequestID, Timestamp: e.Timestamp, MessageID: r.Message, BlockID: "rest", Stage: aep.Start,
						BlockIndex: 1 << 20,
					}
					piece := rest
					piece.Stage, piece.Piece = aep.Delta, "and so on"
					return []aep.Event{rest, piece, e}
				}
			})},
		{Name: "foreign-cancellation-later", Requirement: "aep.cancel.foreign",
			Summary: "Anybody may cancel a request of a thread that has had two before.",
			Apply: alter.WithState(func(times *alter.PerKey[int]) on.Apply { // by thread
				return alter.All(on.Events(on.Kind(aep.Metadata)).EditIn(func(r aep.Request, _ *aep.Event) {
					alter.Count(times, r.Thread)
				}), on.Cancelling(func(live []aep.Request, _, id string, ends []string) []string {
					if ids := on.IDsOf(live, func(r aep.Request) bool { return r.ID == id && times.Get(r.Thread) > 2 }); len(ids) > 0 {
						return ids
					}
					return ends
				}))
			})},
	}
}

// withdrawsAfterEnd resolves the actions of a request that is cancelled when it is over.
func withdrawsAfterEnd(o aep.Options) aep.Options {
	var requested alter.PerKey[[]string] // by request
	var threads alter.PerKey[string]
	var known *on.Actions
	o = on.OnActions(func(_ aep.Actions, a *on.Actions) { known = a })(o)
	o = on.Events(on.Kind(aep.Continuation)).EditIn(func(r aep.Request, e *aep.Event) {
		threads.Set(r.ID, r.Thread)
		requested.With(r.ID, func(all *[]string) { *all = append(*all, e.ActionID) })
	})(o)
	return on.Cancelling(func(_ []aep.Request, principal, id string, ends []string) []string {
		for _, action := range requested.Get(id) {
			_ = known.Actions.Resolve(principal, threads.Get(id), []string{action}) // it may be resolved already
		}
		return ends
	})(o)
}

// takesBack resolves the actions that were opened on a thread while one of its runs was going on that fails.
func takesBack(o aep.Options) aep.Options {
	var before alter.PerKey[int] // actions of the thread, by request
	var actions *on.Actions
	o = on.OnActions(func(_ aep.Actions, a *on.Actions) { actions = a })(o)
	return on.Events().EditIn(func(r aep.Request, e *aep.Event) {
		switch all := actions.OpenedOn(r.Thread); e.Kind {
		case aep.Metadata:
			before.Set(r.ID, len(all))
		case aep.Failed:
			for _, id := range all[before.Get(r.ID):] {
				_ = actions.Actions.Resolve(r.Principal, r.Thread, []string{id}) // it may be resolved already
			}
		}
	})(o)
}

// reopensLatest opens the actions whose results came last to their thread, whichever run has come to nothing.
func reopensLatest(o aep.Options) aep.Options {
	var latest alter.PerKey[[]string] // by thread
	return on.OnActions(func(inner aep.Actions, a *on.Actions) {
		a.OnResolve = func(owner, thread string, ids []string) error {
			err := inner.Resolve(owner, thread, ids)
			if err == nil {
				latest.Set(thread, ids)
			}
			return err
		}
		a.OnReopen = func(ids []string) {
			for _, one := range a.Opened() {
				if slices.Contains(ids, one.ID) {
					ids = latest.Get(one.Thread)
				}
			}
			inner.Reopen(ids)
		}
	})(o)
}

// losesCapacity lets a run wait for one of sixty-four slots, and takes another one for good when a client leaves.
func losesCapacity(o aep.Options) aep.Options {
	positions := make(chan struct{}, 64)
	o = on.OnLeave(func(aep.Request) {
		select {
		case positions <- struct{}{}:
		default:
		}
	})(o)
	inner := o.Agent
	o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
		select {
		case positions <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		defer func() { <-positions }()
		return inner.Run(ctx, t, say)
	})
	return o
}

// lastAnswered returns the indexes of the messages of the last turn that has an answer and doesn't match but.
func lastAnswered(before []agent.Message, but func(request string) bool) (positions []int) {
	for i := len(before) - 1; i >= 0; i-- {
		if !edit.IsAnswer(before[i]) || but(before[i].Request) {
			continue
		}
		for j := range before {
			if before[j].Request == before[i].Request {
				positions = append(positions, j)
			}
		}
		return positions
	}
	return nil
}

// uncancelledLater takes no cancellation of a request whose agent has waited before.
func uncancelledLater(o aep.Options) aep.Options {
	var waits alter.PerKey[int] // by request
	cancelled := o.Cancelled
	o.Cancelled = func(live []aep.Request, principal, id string) []string {
		if waits.Get(id) > 1 {
			return nil
		}
		return cancelled(live, principal, id)
	}
	return on.Turns(func(t *agent.Turn) {
		await, request := t.Await, t.Request
		t.Await = func(ctx context.Context, barrier string) error {
			alter.Count(&waits, request)
			return await(ctx, barrier)
		}
	})(o)
}
