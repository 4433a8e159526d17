package aep

import (
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

func flow() []Mutant { return slices.Concat(flowMetadata(), flowEnds(), flowRest()) }

// flowMetadata get the beginning of a response wrong.
func flowMetadata() []Mutant {
	return []Mutant{{
		Name: "metadata-after-first-start", Requirement: "aep.flow.metadata-first",
		Summary: "Metadata waits for the agent's first event, and comes after it.",
		Also:    []string{"aep.wire.live"},
		Apply: seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
			var metadata []aep.Event
			return func(e aep.Event) []aep.Event {
				if e.Kind == aep.Metadata {
					metadata = []aep.Event{e}
					return nil
				}
				out := append([]aep.Event{e}, metadata...)
				if e.Kind.Terminal() {
					slices.Reverse(out)
				}
				metadata = nil
				return out
			}
		}),
	}, {
		Name: "resumes-without-metadata", Requirement: "aep.flow.metadata-first", Stateful: true,
		Summary: "A response to the results of actions goes on as if it were the response before.",
		Also:    []string{"aep.flow.metadata-once", "aep.actions.same-thread", "aep.wire.live"},
		Apply:   dropping(onResumed(is(aep.Metadata))),
	}, {
		Name: "metadata-again-at-the-end", Requirement: "aep.flow.metadata-once",
		Summary: "Metadata is repeated before done, with what is known by then.",
		Apply: seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
			var metadata aep.Event
			return func(e aep.Event) []aep.Event {
				if e.Kind == aep.Metadata {
					metadata = e
				}
				if e.Kind != aep.Done {
					return []aep.Event{e}
				}
				metadata.Timestamp = e.Timestamp
				return []aep.Event{metadata, e}
			}
		}),
	}, {
		Name: "metadata-without-agent", Requirement: "aep.flow.metadata-members",
		Summary: "There is one agent only, so metadata doesn't name it.",
		Apply:   without(always(is(aep.Metadata)), "agentId"),
	}}
}

// flowEnds get the end of a response wrong.
func flowEnds() []Mutant {
	return []Mutant{{
		Name: "ends-without-done", Requirement: "aep.flow.terminal",
		Summary: "When the agent is done the body just ends.",
		Also:    []string{"aep.flow.done"},
		Apply:   dropping(always(is(aep.Done))),
	}, {
		Name: "long-answers-end-without-done", Requirement: "aep.flow.terminal", Stateful: true,
		Summary: "Done is lost when the response holds more than one block.",
		Also:    []string{"aep.flow.done"},
		Apply:   dropping(fromSecond(is(aep.Done))),
	}, {
		Name: "done-twice", Requirement: "aep.flow.terminal-last",
		Summary: "The agent's loop says done, and so does what runs the loop.",
		Apply: appending(func(e aep.Event) []aep.Event {
			if e.Kind == aep.Done {
				return []aep.Event{e}
			}
			return nil
		}),
	}, {
		Name: "stop-after-error", Requirement: "aep.flow.terminal-last", Stateful: true,
		Summary: "A block that is open when the run fails is stopped by a clean-up that comes after the error.",
		Apply:   stopsAfterError,
	}, {
		Name: "done-after-aborted", Requirement: "aep.flow.terminal-last", Stateful: true,
		Summary: "A response that was cancelled is closed like every other, with done.",
		Also:    []string{"aep.cancel.aborted"},
		Apply: seams.OnJournal(func(r aep.Request) func(aep.Event) []aep.Event {
			return func(e aep.Event) []aep.Event {
				if e.Kind != aep.Aborted {
					return []aep.Event{e}
				}
				return []aep.Event{e, {Kind: aep.Done, RequestID: r.ID, MessageID: r.Message, ThreadID: r.Thread,
					FinishReason: "stop", Timestamp: e.Timestamp}}
			}
		}),
	}, {
		Name: "leaves-body-open", Requirement: "aep.flow.body-closes",
		Summary: "The body is left to the client to close.",
		Wrap: onRequest(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
			changed := &alter.Response{ResponseWriter: w}
			next.ServeHTTP(changed, r)
			if changed.Stream() {
				<-r.Context().Done()
			}
		}),
	}}
}

// stopsAfterError stops the block that is open, too late.
func stopsAfterError(o aep.Options) aep.Options {
	return seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
		var open *aep.Event
		return func(e aep.Event) []aep.Event {
			switch {
			case stageIs(aep.Start)(e):
				open = &e
			case stageIs(aep.Stop)(e):
				open = nil
			case e.Kind == aep.Failed && open != nil:
				stop := *open
				stop.Stage, stop.Timestamp = aep.Stop, e.Timestamp
				return []aep.Event{e, stop}
			}
			return []aep.Event{e}
		}
	})(o)
}

// flowRest get what a run comes to wrong.
func flowRest() []Mutant {
	return []Mutant{{
		Name: "failed-tool-ends-the-run", Requirement: "aep.flow.done",
		Summary: "A run in which a tool failed ends with an error, although the agent went on.",
		Apply: onEvents(func(aep.Request) func(*aep.Event) {
			failed := false
			return func(e *aep.Event) {
				failed = failed || e.Kind == aep.ToolResult && e.Block.Status == "error"
				if e.Kind == aep.Done && failed {
					fail(e, "tool_error", "a tool failed")
				}
			}
		}),
	}, {
		Name: "silent-run-is-an-error", Requirement: "aep.flow.done",
		Summary: "A run that says nothing ends with an error.",
		Apply: seams.OnEach(func(e *aep.Event) {
			if e.Kind == aep.Done && len(e.Content) == 0 && e.FinishReason == "stop" {
				fail(e, "agent_error", "the agent has said nothing")
			}
		}),
	}, {
		Name: "last-block-stays-open", Requirement: "aep.flow.blocks-closed", Stateful: true,
		Summary: "A stop is sent when the next block starts, so the last block gets none.",
		Apply: seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
			var stop []aep.Event
			return func(e aep.Event) []aep.Event {
				held := stop
				switch {
				case stageIs(aep.Stop)(e):
					stop = []aep.Event{e}
					return held
				case e.Kind.Terminal():
					return []aep.Event{e}
				}
				stop = nil
				return append(held, e)
			}
		}),
	}, {
		Name: "one-leaves-all-end", Requirement: "aep.flow.disconnect", Stateful: true,
		Summary: "When a client disconnects, the runs of all that are waiting are put to an end.",
		Apply: func(o aep.Options) aep.Options {
			o.Disconnected = func(live []aep.Request, _ aep.Request) []string { return idsOf(live) }
			return o
		},
	}, {
		Name: "leaving-locks-the-thread", Requirement: "aep.flow.disconnect", Stateful: true,
		Summary: "A client that disconnects ends the other requests on its thread, and whoever asks there next reads " +
			"that the agent failed.",
		Apply: locksThread,
	}}
}

// fail makes an event a failure.
func fail(e *aep.Event, code, message string) {
	e.Kind, e.Code, e.Message = aep.Failed, code, message
	e.Retryable = code == "internal_error" || code == "stream_timeout"
}

func idsOf(requests []aep.Request) []string {
	var ids []string
	for _, r := range requests {
		ids = append(ids, r.ID)
	}
	return ids
}

// locksThread lets nobody into a thread any more that a client has left.
func locksThread(o aep.Options) aep.Options {
	var left locked[map[string]bool]
	o.Disconnected = func(live []aep.Request, gone aep.Request) []string {
		left.do(func(threads *map[string]bool) {
			if *threads == nil {
				*threads = map[string]bool{}
			}
			(*threads)[gone.Thread] = true
		})
		return idsOf(slices.DeleteFunc(live, func(r aep.Request) bool { return r.Thread != gone.Thread }))
	}
	return onEvents(func(r aep.Request) func(*aep.Event) {
		return func(e *aep.Event) {
			left.do(func(threads *map[string]bool) {
				if e.Kind == aep.Done && (*threads)[r.Thread] {
					fail(e, "agent_error", "the thread is locked")
				}
			})
		}
	})(o)
}
