package aep

import (
	"net/http"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// flow lists the mutants of flow.
func flow() []edit.Mutant {
	saidNothing := on.If(func(e aep.Event) bool { return len(e.Content) == 0 && e.FinishReason == "stop" })

	return []edit.Mutant{
		// These get the beginning of a response wrong.
		{Name: "metadata-after-first-start", Requirement: "aep.flow.metadata-first", Also: []string{"aep.wire.live"},
			Summary: "Metadata waits for the agent's first event, and comes after it.",
			Apply:   on.Events(on.Kind(aep.Metadata)).Delay(on.Terminal().Not())},
		{Name: "resumes-without-metadata", Requirement: "aep.flow.metadata-first", Stateful: true,
			Summary: "A response to the results of actions goes on as if it were the response before.",
			Also:    []string{"aep.flow.metadata-once", "aep.actions.same-thread", "aep.wire.live"},
			Apply:   on.Events(on.Kind(aep.Metadata), on.Resumed()).Drop()},
		{Name: "metadata-again-at-the-end", Requirement: "aep.flow.metadata-once",
			Summary: "Metadata is repeated before done, with what is known by then.",
			Apply: on.Events(on.Kind(aep.Done)).ToBy(on.Kind(aep.Metadata), func(done, metadata aep.Event) []aep.Event {
				metadata.Timestamp = done.Timestamp
				return []aep.Event{metadata, done}
			})},
		{Name: "metadata-without-agent", Requirement: "aep.flow.metadata-members",
			Summary: "There is one agent only, so metadata doesn't name it.",
			Apply:   on.Frames(on.Kind(aep.Metadata)).Remove("agentId")},

		// These get the end of a response wrong.
		{Name: "long-answers-end-without-done", Requirement: "aep.flow.terminal", Stateful: true, Also: []string{"aep.flow.done"},
			Summary: "Done is lost when the response holds more than one block.",
			Apply:   on.Events(on.Kind(aep.Done), on.LaterBlocks()).Drop()},
		{Name: "done-twice", Requirement: "aep.flow.terminal-last",
			Summary: "The agent's loop says done, and so does what runs the loop.",
			Apply:   on.Events(on.Kind(aep.Done)).Repeat()},
		{Name: "stop-after-error", Requirement: "aep.flow.terminal-last", Stateful: true,
			Summary: "A block that is open when the run fails is stopped by a clean-up that comes after the error.",
			Apply: on.Events(on.Failure().Between(on.Stage(aep.Start), on.Stage(aep.Stop))).
				FollowBy(on.Stage(aep.Start), func(e, start aep.Event) []aep.Event {
					start.Stage, start.Timestamp = aep.Stop, e.Timestamp
					return []aep.Event{start}
				})},
		{Name: "done-after-aborted", Requirement: "aep.flow.terminal-last", Stateful: true, Also: []string{"aep.cancel.aborted"},
			Summary: "A response that was cancelled is closed like every other, with done.",
			Apply: on.Events(on.Kind(aep.Aborted)).
				Follow(func(r aep.Request, e aep.Event) []aep.Event { return []aep.Event{on.Done(r, e)} })},
		{Name: "leaves-body-open", Requirement: "aep.flow.body-closes",
			Summary: "The body is left to the client to close.",
			Wrap:    alter.LeftOpen(func(r *http.Request) bool { return !alter.IsControl(r) })},

		// Mutants that report another end of a run.
		{Name: "failed-tool-ends-the-run", Requirement: "aep.flow.done",
			Summary: "A run in which a tool failed ends with an error, although the agent went on.",
			Apply:   on.Events(on.Kind(aep.Done).After(on.FailedTool())).Edit(on.Fail("tool_error", "a tool failed"))},
		{Name: "silent-run-is-an-error", Requirement: "aep.flow.done",
			Summary: "A run that says nothing ends with an error.",
			Apply:   on.Events(on.Kind(aep.Done), saidNothing).Edit(on.Fail("agent_error", "the agent has said nothing"))},
		{Name: "last-block-stays-open", Requirement: "aep.flow.blocks-closed", Stateful: true,
			Summary: "A stop is sent when the next block starts, so the last block gets none.",
			Apply:   on.Events(on.Stage(aep.Stop)).DropBefore(on.Terminal())},
		{Name: "leaving-locks-the-thread", Requirement: "aep.flow.disconnect", Stateful: true,
			Summary: "A client that disconnects ends the other requests on its thread, and whoever asks there next reads " +
				"that the agent failed.",
			Apply: locksThread},
	}
}

// locksThread refuses every request of a thread that a client has left.
func locksThread(o aep.Options) aep.Options {
	var left alter.PerKey[bool] // by thread
	o.Disconnected = func(live []aep.Request, gone aep.Request) []string {
		left.Set(gone.Thread, true)
		return on.IDsOf(live, func(r aep.Request) bool { return r.Thread == gone.Thread })
	}
	return on.Events(on.Kind(aep.Done)).EditIn(func(r aep.Request, e *aep.Event) {
		if left.Get(r.Thread) {
			on.Fail("agent_error", "the thread is locked")(e)
		}
	})(o)
}
