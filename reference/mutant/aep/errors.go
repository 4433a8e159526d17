package aep

import (
	"context"
	"strings"
	"time"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// errorsMutants lists the mutants of errors.
func errorsMutants() []edit.Mutant {
	return []edit.Mutant{
		// These get the members of errors wrong.
		{Name: "error-without-code", Requirement: "aep.errors.code", Also: []string{"aep.errors.agent", "aep.errors.tool", "aep.errors.internal"},
			Summary: "An error event has a message, and no code.",
			Apply:   on.Frames(on.Failure()).Remove("code")},
		{Name: "upper-case-code", Requirement: "aep.errors.known-code", Also: []string{"aep.errors.agent", "aep.errors.tool", "aep.errors.internal"},
			Summary: "Codes are written as constants are, in capitals.",
			Apply:   on.Events(on.Failure()).Edit(func(e *aep.Event) { e.Code = strings.ToUpper(e.Code) })},
		{Name: "unretryable-error", Requirement: "aep.errors.retryable",
			Summary: "An error event doesn't say whether to try again.",
			Apply:   on.Frames(on.Failure()).Remove("retryable")},
		{Name: "retryable-as-text", Requirement: "aep.errors.retryable", Stateful: true,
			Summary: "After a first block, an error says in quotes whether to try again.",
			Apply:   on.Frames(on.Failure(), on.Spoken()).Quote("retryable")},
		{Name: "internal-error-is-final", Requirement: "aep.errors.retryable-value",
			Summary: "After a failure of the server its error forbids another try.",
			Apply:   on.Events(on.Failure("internal_error")).Edit(func(e *aep.Event) { e.Retryable = false })},
		{Name: "error-without-message", Requirement: "aep.errors.message",
			Summary: "Error events have a code and nothing for people.",
			Apply:   on.Frames(on.Failure()).Remove("message")},
		{Name: "error-with-empty-message", Requirement: "aep.errors.message", Stateful: true,
			Summary: "The message of an error is empty when the agent had begun to speak.",
			Apply:   on.Frames(on.Failure(), on.Spoken()).Set("message", `""`)},

		// These tell one failure as another, or not as an event.
		{Name: "agent-error-is-done", Requirement: "aep.errors.agent", Stateful: true,
			Summary: "An agent that fails when it has said something is taken to be done.",
			Apply:   failsAsDone},
		{Name: "tool-error-is-internal-after-a-call", Requirement: "aep.errors.tool", Stateful: true,
			Summary: "A failure that comes when there is a block already is an internal error, if a tool was the reason.",
			Apply:   on.Events(on.Failure("tool_error"), on.Spoken()).Edit(on.Recode("internal_error"))},
		{Name: "internal-error-is-agents", Requirement: "aep.errors.internal",
			Summary: "A failure of the server is reported as one of the agent.",
			Apply:   on.Events(on.Failure("internal_error")).Edit(on.Recode("agent_error"))},
		{Name: "timeout-is-agents", Requirement: "aep.errors.timeout", Also: []string{"aep.errors.timeout-early"},
			Summary: "An agent that takes too long has failed.",
			Apply:   on.Events(on.Failure("stream_timeout")).Edit(on.Recode("agent_error"))},
		{Name: "timeout-in-another-unit", Requirement: "aep.errors.timeout-early",
			Summary: "The time-out of an agent is written in milliseconds, and read as if it were less.",
			Apply: func(o aep.Options) aep.Options {
				short := map[string]time.Duration{}
				for agent, limit := range o.Timeouts {
					short[agent] = limit / 100
				}
				o.Timeouts = short
				return o
			}},
		{Name: "timeout-of-a-thread", Requirement: "aep.errors.timeout-early", Stateful: true,
			Summary: "The time-out of a stream counts from the first stream of its thread.",
			Apply:   timesThreads},
		{Name: "failure-is-a-comment", Requirement: "aep.errors.in-stream", Stateful: true,
			Summary: "Once the agent has spoken, a failure goes to a comment, which only people who debug can see.",
			Also:    []string{"aep.flow.terminal", "aep.errors.agent", "aep.errors.tool"},
			Apply: on.Frames(on.Failure(), on.Spoken()).
				Bytes(func(_ []byte, e aep.Event) []byte { return []byte(": " + e.Code + "\n\n") })},
	}
}

// failsAsDone ends a run that failed in the middle with done and the content so far.
func failsAsDone(o aep.Options) aep.Options {
	return on.OnJournal(func(r aep.Request) func(aep.Event) []aep.Event {
		emitted := ""
		var stop []aep.Event
		return func(e aep.Event) []aep.Event {
			switch {
			case e.Kind == aep.Text && e.Stage != aep.Stop:
				emitted += e.Piece
				stop = []aep.Event{e}
			case e.Kind.Staged():
				stop = nil
			case e.Kind == aep.Failed && e.Code == "agent_error" && len(stop) > 0:
				last := stop[0]
				last.Stage, last.Timestamp = aep.Stop, e.Timestamp
				last.Block = aep.Block{Kind: aep.Text, Text: emitted}
				return []aep.Event{last, on.Done(r, e, last.Block)}
			}
			return []aep.Event{e}
		}
	})(o)
}

// timesThreads ends streams by the time at which their threads began.
func timesThreads(o aep.Options) aep.Options {
	var until alter.PerKey[time.Time] // by thread
	var threads alter.PerKey[string]  // by request
	limits := o.Timeouts
	o = on.Events(on.Kind(aep.Metadata)).EditIn(func(r aep.Request, _ *aep.Event) {
		if limit, timed := limits[r.Agent]; timed {
			threads.Set(r.ID, r.Thread)
			until.With(r.Thread, func(t *time.Time) {
				if t.IsZero() {
					*t = time.Now().Add(limit)
				}
			})
		}
	})(o)
	inner := o.Agent
	o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
		thread := threads.Get(t.Request)
		if thread == "" {
			return inner.Run(ctx, t, say)
		}
		within, stop := context.WithDeadline(ctx, until.Get(thread))
		defer stop()
		err := inner.Run(within, t, say)
		if ctx.Err() == nil && within.Err() != nil {
			return &agent.Failure{Code: "stream_timeout", Message: "the answer took too long"}
		}
		return err
	})
	return o
}
