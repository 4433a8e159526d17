package campaignonly

import (
	"context"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// cancelling are mutants that end the wrong request, or not the right one, after some others.
func cancelling() []edit.Mutant {
	return []edit.Mutant{
		{Name: "late-cancellation-ends-the-next", Requirement: "aep.cancel.one",
			Summary: "A cancellation of a request that is over is kept, and ends the next one of its user that asks for anything.",
			Apply: alter.WithState(func(kept *alter.PerKey[int]) on.Apply { // by user
				return alter.All(on.Cancelling(func(live []aep.Request, principal, _ string, ends []string) []string {
					if len(ends) == 0 && len(ofPrincipal(live, principal)) > 0 {
						alter.Count(kept, principal)
					}
					return ends
				}), abortsNext(kept))
			})},
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
	}
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

// waiting are mutants that err once a client has left or an agent has waited.
func waiting() []edit.Mutant {
	return []edit.Mutant{
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
		{Name: "after-the-second-wait-all-at-once", Requirement: "aep.wire.live",
			Summary: "What an agent says between its second and its third wait comes with what it says afterwards.",
			Apply:   delayedAfterSecondWait},
		{Name: "waits-twice-and-stutters", Requirement: "aep.content.text",
			Summary: "An agent that goes on for the second time repeats the last piece of its text.", Apply: stutters},
	}
}

func ofPrincipal(live []aep.Request, principal string) (own []aep.Request) {
	for _, r := range live {
		if r.Principal == principal {
			own = append(own, r)
		}
	}
	return own
}

// abortsNext ends the next response of a user with aborted.
func abortsNext(kept *alter.PerKey[int]) on.Apply {
	return on.Events(on.Kind(aep.Done)).EditIn(func(r aep.Request, e *aep.Event) {
		kept.With(r.Principal, func(n *int) {
			if *n > 0 {
				*e = aep.Event{Kind: aep.Aborted, RequestID: e.RequestID, Timestamp: e.Timestamp}
				*n--
			}
		})
	})
}

// onAwait changes the waits of an agent; n counts the waits of a turn, from 1.
func onAwait(begin func(say func(agent.Delta) error) (func(agent.Delta) error, func(n int) error)) on.Apply {
	return func(o aep.Options) aep.Options {
		inner := o.Agent
		o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
			emitted, waited := begin(say)
			await, n := t.Await, 0
			t.Await = func(ctx context.Context, barrier string) error {
				err := await(ctx, barrier)
				if n++; err == nil {
					err = waited(n)
				}
				return err
			}
			err := inner.Run(ctx, t, emitted)
			if withheld := waited(0); err == nil {
				err = withheld
			}
			return err
		})
		return o
	}
}

// delayedAfterSecondWait delays the output after the second wait.
func delayedAfterSecondWait(o aep.Options) aep.Options {
	return onAwait(func(say func(agent.Delta) error) (func(agent.Delta) error, func(int) error) {
		var withheld []agent.Delta
		holding := false
		flush := func() error {
			for _, d := range withheld {
				if err := say(d); err != nil {
					return err
				}
			}
			withheld = nil
			return nil
		}
		return func(d agent.Delta) error {
				if holding && d.Kind == agent.Text {
					withheld = append(withheld, d)
					return nil
				}
				if err := flush(); err != nil {
					return err
				}
				return say(d)
			}, func(n int) error {
				if holding = n == 2; holding {
					return nil
				}
				return flush()
			}
	})(o)
}

// stutters sends the last piece again after the second wait.
func stutters(o aep.Options) aep.Options {
	return onAwait(func(say func(agent.Delta) error) (func(agent.Delta) error, func(int) error) {
		var last *agent.Delta
		return func(d agent.Delta) error {
				if d.Kind == agent.Text {
					last = &d
				}
				return say(d)
			}, func(n int) error {
				if n == 2 && last != nil {
					return say(*last)
				}
				return nil
			}
	})(o)
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
