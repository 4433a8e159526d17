package campaignonly

import (
	"errors"
	"slices"
	"time"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// resultBatches lists the mutants that several results in one request show.
func resultBatches() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that check the results of a request one by one, and check some of them too little.
		{Name: "first-result-vouches-for-the-others", Requirement: "aep.actions.other-thread",
			Summary: "Whose thread an action is of is looked at for the first result of a request; of the others, that they are open.",
			Apply:   on.Resolving(vouched)},
		{Name: "result-beside-another-thread-uses-that-up", Requirement: "aep.actions.resumed",
			Summary: "Results of two threads in one request are refused, and the action of the other thread was taken before.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				err := a.Actions.Resolve(owner, thread, ids)
				if !errors.Is(err, aep.ErrUnknownAction) || len(ids) < 2 {
					return err
				}
				for _, one := range a.Opened() {
					if one.Owner == owner && one.Thread != thread && slices.Contains(ids, one.ID) {
						_ = a.Actions.Resolve(owner, one.Thread, []string{one.ID}) // it may be resolved already
					}
				}
				return err
			})},
		{Name: "result-beside-one-at-work-is-used-up", Requirement: "aep.actions.resumed",
			Summary: "Results are taken one by one: where another run still works on the second the request is refused, and the first was taken.",
			Apply: func(o aep.Options) aep.Options {
				var working alter.PerKey[bool] // by action
				o = on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
					err := a.Actions.Resolve(owner, thread, ids)
					if errors.Is(err, aep.ErrResolvedAction) && len(ids) > 1 && working.Get(ids[1]) {
						_ = a.Actions.Resolve(owner, thread, ids[:1]) // it may be resolved already
					}
					return err
				})(o)
				at := func(r aep.Request, works bool) {
					for _, one := range r.Body.Results {
						working.Set(one.ActionID, works)
					}
				}
				return alter.All(on.Events(on.Kind(aep.Metadata)).EditIn(func(r aep.Request, _ *aep.Event) { at(r, true) }),
					on.Events(on.Terminal()).EditIn(func(r aep.Request, _ *aep.Event) { at(r, false) }))(o)
			}},
		{Name: "results-are-locked-one-by-one", Requirement: "aep.actions.resumed",
			Summary: "The actions of a request are locked in the order of its results: of two requests that bring the same in another order each holds what the other needs.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				for i, id := range ids {
					if slices.Contains(ids[:i], id) {
						a.Actions.Reopen(ids[:i])
						return aep.ErrResolvedAction
					}
					if err := a.Actions.Resolve(owner, thread, ids[i:i+1]); err != nil {
						time.Sleep(3 * withheld) // until it is given up
						a.Actions.Reopen(ids[:i])
						return err
					}
					if i+1 < len(ids) {
						time.Sleep(withheld)
					}
				}
				return nil
			})},

		// These are mutants that read a result as something else, or not to its end.
		{Name: "result-with-an-error-is-one", Requirement: "aep.actions.result",
			Summary: "A result that is an object with an error is handed on as that error.",
			Apply: on.Results(func(result alter.Object) {
				if inner := alter.Members(result["result"]); inner.Has("error") {
					result["error"] = inner["error"]
					result.Remove("result")
				}
			})},
		{Name: "results-of-32k-are-null", Requirement: "aep.actions.result",
			Summary: "A result of more than 32 KiB doesn't reach the agent.",
			Apply: on.Results(func(result alter.Object) {
				if len(result["result"]) > 32<<10 {
					result.Set("result", nil)
				}
			})},
		{Name: "errors-of-1024-bytes", Requirement: "aep.actions.result",
			Summary: "What a client says of why nothing came of an action is kept in a column of 1024 bytes.",
			Apply: on.Results(func(result alter.Object) {
				if text := result.Text("error"); len(text) > 1024 {
					result.Set("error", text[:1024])
				}
			})},

		// Mutants that err with requests that bring results, and no message of the user.
		{Name: "wordless-failure-takes-back-the-turn-before", Requirement: "aep.threads.history",
			Summary: "When a run fails the last message of the user is taken back, and a request that brought nothing but results had none.",
			Apply: alter.WithState(func(failed *alter.PerKey[bool]) on.Apply { // by thread
				return alter.All(on.Events(on.Kind(aep.Failed)).EditIn(func(r aep.Request, _ *aep.Event) {
					if len(r.Body.Messages) == 0 {
						failed.Set(r.Thread, true)
					}
				}), on.Losing(func(thread string, before, _ []agent.Message) (positions []int) {
					if !failed.Swap(thread, false) {
						return nil
					}
					for i := range slices.Backward(before) {
						if before[i].Who == agent.ByUser {
							return []int{i}
						}
					}
					return nil
				}))
			})},
		{Name: "wordless-request-says-the-last-words-again", Requirement: "aep.request.text-blocks",
			Summary: "A request that brings nothing but results is handed on with the messages of the one before it on its thread.",
			Apply: on.Turns(func(t *agent.Turn) {
				if len(t.Messages) > 0 || len(t.Results) == 0 {
					return
				}
				for _, one := range slices.Backward(t.History) {
					if one.Who == agent.ByUser {
						t.Messages = []string{one.Text}
						return
					}
				}
			})},
	}
}

// withheld is for how long a request has the lock of one action before it takes that of the next.
const withheld = 10 * time.Millisecond

// vouched resolves all ids if the user may resolve the first of them.
func vouched(a *on.Actions, owner, thread string, ids []string) error {
	taken := []string{}
	for i, id := range ids {
		of := aep.Open{Owner: owner, Thread: thread}
		for _, one := range a.Opened() {
			if i > 0 && one.ID == id {
				of = one
			}
		}
		if err := a.Actions.Resolve(of.Owner, of.Thread, []string{id}); err != nil {
			a.Actions.Reopen(taken)
			return err
		}
		taken = append(taken, id)
	}
	return nil
}
