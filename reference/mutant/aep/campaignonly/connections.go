package campaignonly

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// rareConnections lists the mutants that a second connection, a replica, a retry or a time limit shows.
func rareConnections() []edit.Mutant {
	delayed := on.Failure("stream_timeout")

	return []edit.Mutant{
		// These are mutants that take a connection for a user, know one version of HTTP, or read half of a credential.
		{Name: "cancelled-over-http-1-only", Requirement: "aep.cancel.aborted",
			Summary: "A cancellation doesn't find a request that came over HTTP/2.",
			Apply: func(o aep.Options) aep.Options {
				inner := o.Cancelled
				o.Cancelled = func(live []aep.Request, principal, id string) []string {
					live = slices.DeleteFunc(slices.Clone(live), func(r aep.Request) bool { return r.HTTP.ProtoMajor == 2 })
					return inner(live, principal, id)
				}
				return o
			}},

		// Mutants that trust properties of a connection or a header in addition to the credential, or repeat it.
		{Name: "requests-without-a-message-share-an-id", Requirement: "aep.events.unique-request",
			Summary: "The id of a request is made of its thread and of what was said there: the next one has it too where nothing was said.",
			Apply: alter.WithState(func(emitted *alter.PerKey[int]) on.Apply {
				return on.Events(on.Any()).EditIn(func(r aep.Request, e *aep.Event) {
					if e.Kind == aep.Metadata && len(r.Body.Messages) > 0 {
						alter.Count(emitted, r.Thread)
					}
					if len(r.Body.Messages) == 0 {
						e.RequestID = fmt.Sprintf("request-%s-%d", r.Thread, emitted.Get(r.Thread))
					}
				})
			})},

		// Mutants in which the end of one request ends another of its thread, or changes its outcome.
		{Name: "late-cancellation-ends-the-present", Requirement: "aep.cancel.one",
			Summary: "A cancellation of a request whose client has left ends what its thread is at now.",
			Apply: alter.WithState(func(left *alter.PerKey[string]) on.Apply { // threads, by request
				return alter.All(on.OnLeave(func(gone aep.Request) { left.Set(gone.ID, gone.Thread) }),
					on.Cancelling(func(live []aep.Request, _, id string, ends []string) []string {
						thread := left.Get(id)
						return append(ends, on.IDsOf(live, func(r aep.Request) bool { return thread != "" && r.Thread == thread })...)
					}))
			})},
		{Name: "anybody-cancels-what-brings-results", Requirement: "aep.cancel.foreign",
			Summary: "A request with results has the client of an application for its owner, and that is everybody's.",
			Apply: on.Cancelling(func(live []aep.Request, _, id string, ends []string) []string {
				return append(ends, on.IDsOf(live, func(r aep.Request) bool { return r.ID == id && len(r.Body.Results) > 0 && !slices.Contains(ends, id) })...)
			})},
		{Name: "first-failure-of-a-thread", Requirement: "aep.errors.tool", Also: []string{"aep.errors.agent"},
			Summary: "A thread remembers with which code its agent failed first, and reports that from then on.",
			Apply: alter.WithState(func(first *alter.PerKey[string]) on.Apply { // codes, by thread
				return on.Events(on.Failure("agent_error", "tool_error")).EditIn(func(r aep.Request, e *aep.Event) {
					first.With(r.Thread, func(code *string) {
						if *code == "" {
							*code = e.Code
						}
						on.Recode(*code)(e)
					})
				})
			})},
		{Name: "failed-tool-fails-the-agent", Requirement: "aep.errors.agent",
			Summary: "An agent that fails after it went on from a failed tool is reported to have failed by that.",
			Apply:   on.Events(on.Failure("agent_error").After(on.FailedTool())).Edit(on.Recode("tool_error"))},
		{Name: "answer-without-a-question-is-forgotten", Requirement: "aep.threads.history",
			Summary: "An answer is kept beside the message that it answers, and that to results without a message is kept nowhere.",
			Apply: alter.WithState(func(alone *alter.PerKey[bool]) on.Apply { // by thread
				return alter.All(on.Asks(func(ask *aep.RequestBody) {
					if ask.Thread != "" {
						alone.Set(ask.Thread, len(ask.Messages) == 0)
					}
				}), forgettingAnswers(func(thread string) bool { return alone.Get(thread) }))
			})},

		// Mutants in which a stream that timed out changes later streams.
		{Name: "time-out-behind-a-tool-is-the-tool-s", Requirement: "aep.errors.timeout", Also: []string{"aep.errors.tool"},
			Summary: "Where a stream takes too long that has called a tool, the tool is said to have failed.",
			Apply:   on.Events(on.Any().Since(on.Kind(aep.ToolResult)).And(delayed)).Edit(on.Recode("tool_error"))},
		{Name: "time-out-keeps-the-lock", Requirement: "aep.request.post",
			Summary: "A stream that took too long leaves its thread locked.",
			Apply: alter.WithState(func(locked *alter.PerKey[bool]) on.Apply { // by thread
				return alter.All(on.CheckedAsks(func(ask *aep.RequestBody) error {
					if locked.Get(ask.Thread) {
						return busy(nil)
					}
					return nil
				}), on.Events(delayed).EditIn(func(r aep.Request, _ *aep.Event) { locked.Set(r.Thread, true) }))
			})},
		{Name: "time-out-holds-up-the-next", Requirement: "aep.flow.done",
			Summary: "A stream that took too long keeps the place of its thread in the queue: the agent of the next one never comes to it.",
			Apply: alter.WithState(func(withheld *alter.PerKey[bool]) on.Apply { // by thread
				return alter.All(on.Asks(func(ask *aep.RequestBody) {
					if withheld.Get(ask.Thread) && ask.Script != nil {
						ask.Script = &agent.Script{Instructions: []agent.Instruction{{Name: "hang"}}}
					}
				}), on.Events(delayed).EditIn(func(r aep.Request, _ *aep.Event) { withheld.Set(r.Thread, true) }))
			})},
		{Name: "time-out-empties-the-thread", Requirement: "aep.threads.history",
			Summary: "What was said before a stream that took too long is forgotten.",
			Apply:   forgetsAfter(func(_ aep.Request, e *aep.Event) bool { return e.Kind == aep.Failed && e.Code == "stream_timeout" })},
		{Name: "time-out-closes-the-other-actions", Requirement: "aep.actions.resumed",
			Summary: "When a stream takes too long that works on the result of an action, the others of its thread are withdrawn.",
			Apply: func(o aep.Options) aep.Options {
				var known *on.Actions
				o = on.OnActions(func(_ aep.Actions, a *on.Actions) { known = a })(o)
				return on.Events(delayed, on.Resumed()).EditIn(func(r aep.Request, _ *aep.Event) { known.ResolveAll(r.Thread) })(o)
			}},

		// Mutants that err when two processes are used concurrently, or by turns.
		{Name: "replica-overwrites-what-came-meanwhile", Requirement: "aep.replicas.history",
			Summary: "A process stores a history whole when its answer ends: what another one has added meanwhile is lost to it.",
			Apply:   on.OnThreads(overwritesMeanwhile)},

		// These are mutants that err where something is tried again, or where it failed before.
		{Name: "answers-that-are-false", Requirement: "aep.threads.history",
			Summary: "An answer that is 0, false, null or blank isn't kept.",
			Apply: on.Storing(func(_ string, emitted []agent.Message) []agent.Message {
				return slices.DeleteFunc(slices.Clone(emitted), func(one agent.Message) bool {
					return one.Who == agent.ByAgent && slices.Contains([]string{"", "0", "-0", "false", "null", "None"}, strings.TrimSpace(one.Text))
				})
			})},
		{Name: "second-failure-of-a-tool-is-the-agent-s", Requirement: "aep.tools.result", Also: []string{"aep.flow.done"},
			Summary: "An agent is stopped whose tool fails for the second time in an answer.",
			Apply: func(o aep.Options) aep.Options {
				inner := o.Agent
				o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
					failed := map[string]bool{}
					return inner.Run(ctx, t, func(d agent.Delta) error {
						if d.Kind == agent.Outcome && d.Failed && failed[d.Tool] {
							return &agent.Failure{Code: "agent_error", Message: "a tool has failed twice"}
						}
						failed[d.Tool] = failed[d.Tool] || d.Kind == agent.Outcome && d.Failed
						return say(d)
					})
				})
				return o
			}},
	}
}

// overwritesMeanwhile leaves out of histories the messages that other processes stored while this one answered a request.
func overwritesMeanwhile(inner aep.Threads, t *on.Threads) {
	var mu sync.Mutex
	ours, from, lost := map[string]bool{}, map[string]int{}, map[string]bool{} // by request
	t.OnSay = func(id string, emitted []agent.Message) (kept []agent.Message) {
		before := inner.Say(id, emitted)
		mu.Lock()
		defer mu.Unlock()
		for _, one := range emitted {
			if ours[one.Request] = true; !edit.IsAnswer(one) {
				from[one.Request] = len(before)
				continue
			}
			for _, other := range before[min(from[one.Request], len(before)):] {
				lost[other.Request] = lost[other.Request] || !ours[other.Request]
			}
		}
		return slices.DeleteFunc(before, func(one agent.Message) bool { return lost[one.Request] })
	}
}

func busy(error) error {
	return &aep.Error{Code: "busy", Status: http.StatusConflict, Message: "the thread is busy"}
}
