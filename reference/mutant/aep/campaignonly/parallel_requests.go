package campaignonly

import (
	"context"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// parallel lists mutants that confuse two concurrent requests of a thread.
func parallel() []edit.Mutant {
	return []edit.Mutant{
		{Name: "failure-closes-what-others-asked", Requirement: "aep.actions.resumed",
			Summary: "A run that fails takes back all that its thread has asked for since it began.", Apply: takesBack},
		{Name: "results-of-the-latest-run", Requirement: "aep.actions.resolved",
			Summary: "A thread has one place for the results that a run works on, and a run that fails opens those.", Apply: reopensLatest},
		{Name: "places-are-lost-with-clients", Requirement: "aep.flow.disconnect",
			Summary: "Sixty-four runs go on at once, and one whose client has gone never gives its place back.", Apply: losesCapacity},
	}
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
