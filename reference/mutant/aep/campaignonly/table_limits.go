package campaignonly

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// extents lists mutants that err where there is more of something than the capacity of a table or a page.
func extents() []edit.Mutant {
	return []edit.Mutant{
		{Name: "context-of-64-kib", Requirement: "aep.request.context",
			Summary: "A context has a column of 64 KiB, and one that doesn't fit is empty.",
			Apply: on.Asks(func(ask *aep.RequestBody) {
				if len(ask.Context) > 64<<10 {
					ask.Context = nil
				}
			})},
		{Name: "results-of-64-kib", Requirement: "aep.actions.result",
			Summary: "A result has a column of 64 KiB, and one that doesn't fit is null.",
			Apply: onOutcome(func(raw json.RawMessage) json.RawMessage {
				if len(raw) > 64<<10 {
					return json.RawMessage("null")
				}
				return raw
			})},
		{Name: "hundred-blocks-a-message", Requirement: "aep.request.text-blocks",
			Summary: "Of a message the first hundred blocks are read.",
			Apply: on.Asks(func(ask *aep.RequestBody) {
				for i, m := range ask.Messages {
					ask.Messages[i].Blocks = m.Blocks[:min(100, len(m.Blocks))]
				}
			})},
		{Name: "only-the-last-message-is-measured", Requirement: "aep.request.too-large",
			Summary: "The last message of a request is measured, and there may be others before it.",
			Apply: edit.RefuseLarge(func(messages []aep.Message, limit int) bool {
				return len(messages) > 0 && len(messages[len(messages)-1].Text()) > limit
			})},
		{Name: "five-hundred-messages-of-history", Requirement: "aep.threads.history",
			Summary: "The agent is handed the last 500 messages of a thread.",
			Apply:   forgetting(func(i, n int) bool { return i < n-500 })},
		{Name: "hundred-requests-are-remembered", Requirement: "aep.cancel.aborted",
			Summary: "A cancellation finds the last hundred requests.", Apply: alter.WithState(remembersHundred)},
		{Name: "credential-behind-another-letter", Requirement: "aep.http.credential",
			Summary: "A credential is looked for anywhere in its header.",
			Apply: func(o aep.Options) aep.Options {
				return onAuthenticate(o, func(r *http.Request, inner authenticate) (string, error) {
					principal, err := inner(r)
					for token, name := range o.Principals {
						if token != "" && strings.HasSuffix(r.Header.Get("Authorization"), token) {
							return name, nil
						}
					}
					return principal, err
				})
			}},
	}
}

// manyActions do with actions.
func manyActions() []edit.Mutant {
	return []edit.Mutant{
		{Name: "results-in-batches", Requirement: "aep.actions.all-or-none", Also: []string{"aep.actions.resumed"},
			Summary: "Results are resolved in batches of eight. Where one of a later batch is refused, those before it stay resolved.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				for batch := range slices.Chunk(ids, 8) {
					if err := a.Actions.Resolve(owner, thread, batch); err != nil {
						return err
					}
				}
				return nil
			})},
		{Name: "hundred-actions-of-a-thread", Requirement: "aep.actions.resumed",
			Summary: "Of the actions of a thread the last hundred are known.",
			Apply:   knowsLatest(100)},
	}
}

// remembersHundred cancels no request after which a hundred others have started.
func remembersHundred(started *alter.PerKey[int]) func(aep.Options) aep.Options {
	return alter.All(on.Events(on.Kind(aep.Metadata)).EditIn(func(r aep.Request, _ *aep.Event) {
		number := 0
		started.With("", func(n *int) { *n++; number = *n })
		started.Set(r.ID, number)
	}), func(o aep.Options) aep.Options {
		inner := o.Cancelled
		o.Cancelled = func(live []aep.Request, principal, id string) []string {
			if started.Get("")-started.Get(id) >= 100 {
				return nil
			}
			return inner(live, principal, id)
		}
		return o
	})
}

// knowsLatest knows the latest actions of a thread, so many of them.
func knowsLatest(most int) on.Apply {
	return on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
		all := a.OpenedOn(thread)
		for _, id := range ids {
			if i := slices.Index(all, id); i >= 0 && i < len(all)-most {
				return aep.ErrUnknownAction
			}
		}
		return a.Actions.Resolve(owner, thread, ids)
	})
}

// actionLimits are mutants that keep too few actions.
func actionLimits() []edit.Mutant {
	return []edit.Mutant{
		{Name: "ten-actions-at-most", Requirement: "aep.actions.unchanged",
			Summary: "The eleventh thing that an agent asks for in a response is forgotten.",
			Apply:   on.Events(on.Kind(aep.Continuation).From(11)).Drop()},
		{Name: "four-results-at-most", Requirement: "aep.actions.result",
			Summary: "Of the results of a request the first four reach the agent.",
			Apply:   on.Turns(func(t *agent.Turn) { t.Results = t.Results[:min(4, len(t.Results))] })},
		{Name: "looks-and-then-takes", Requirement: "aep.actions.resolved",
			Summary: "That an action is open is looked up before the lock is taken under which it is resolved.",
			Apply: alter.WithState(func(taking *alter.PerKey[bool]) on.Apply { // by action
				return on.Resolving(func(a *on.Actions, owner, thread string, ids []string) (err error) {
					taking.With(ids[0], func(taken *bool) {
						if !*taken {
							err = a.Actions.Resolve(owner, thread, ids)
							*taken = err == nil
						}
					})
					time.Sleep(2 * time.Millisecond) // the database
					taking.Set(ids[0], false)
					return err
				})
			})},
	}
}
