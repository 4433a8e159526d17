package campaignonly

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// content lists the mutants that some content, and the end of a response, shows.
func content() []edit.Mutant {
	return []edit.Mutant{
		// Mutants whose done disagrees with the streamed deltas, for some blocks.
		{Name: "summaries-of-200-characters", Requirement: "aep.done.outcome",
			Summary: "The content of done shows the first 200 characters of a summary.",
			Apply: on.Content(func(blocks []aep.Block) []aep.Block {
				for i, b := range blocks {
					if summary := []rune(b.Summary); len(summary) > 200 {
						blocks[i].Summary = string(summary[:200])
					}
				}
				return blocks
			})},
		{Name: "thought-after-a-failed-call-goes-on", Requirement: "aep.stages.one-start",
			Summary: "After a call that failed, the agent's reasoning goes on under the id of the thought before.",
			Apply: on.Events().EditSequence(func(aep.Request) func(*aep.Event) {
				thought, failed := "", false
				return func(e *aep.Event) {
					switch {
					case e.Kind == aep.ToolResult && e.Stage == aep.Stop && e.Block.Status == "error":
						failed = true
					case e.Kind == aep.Thinking && failed && thought != "":
						e.BlockID = thought
					case e.Kind == aep.Thinking:
						thought = e.BlockID
					}
				}
			})},
		{Name: "final-text-of-64k", Requirement: "aep.content.final-text", Also: []string{"aep.done.text"},
			Summary: "The whole text of a block has room for 65,535 bytes, however many were sent in pieces.",
			Apply: on.Events().Edit(func(e *aep.Event) {
				if e.Kind == aep.Text && e.Stage == aep.Stop && len(e.Block.Text) > 65535 {
					e.Block.Text = strings.ToValidUTF8(e.Block.Text[:65535], "")
				}
			})},

		// These are mutants that read some requests wrongly.
		{Name: "empty-block-swallows-the-next", Requirement: "aep.request.text-blocks",
			Summary: "A block without a text is skipped together with the one behind it.",
			Apply: on.Asks(func(ask *aep.RequestBody) {
				for i := range ask.Messages {
					blocks := ask.Messages[i].Blocks
					if empty := slices.Index(blocks, ""); empty >= 0 && empty+1 < len(blocks) {
						ask.Messages[i].Blocks = slices.Delete(slices.Clone(blocks), empty, empty+2)
					}
				}
			})},
		{Name: "private-keys-of-the-context", Requirement: "aep.request.context",
			Summary: "Members of the context whose names begin with an underscore or a dollar sign are taken for private, below the first level.",
			Apply: onContext(func(v any) any {
				if members, ok := v.(map[string]any); ok {
					for name, member := range members {
						if inner, ok := member.(map[string]any); ok {
							members[name] = withoutPrivate(inner)
						}
					}
				}
				return v
			})},

		// These are mutants that read the pieces of arguments wrongly.
		{Name: "arguments-end-at-a-brace-in-a-text", Requirement: "aep.tools.arguments", Also: []string{"aep.tools.one-value"},
			Summary: "The end of arguments is found by counting braces, those in texts too.",
			Apply: on.OnDeltas(func() func(agent.Delta) []agent.Delta {
				depth, over := 0, false
				return func(d agent.Delta) []agent.Delta {
					switch {
					case d.Kind == agent.Call:
						depth, over = 0, false
					case d.Kind == agent.Arguments && over:
						return nil
					case d.Kind == agent.Arguments:
						d.Piece, over = untilBalanced(d.Piece, &depth)
					}
					return []agent.Delta{d}
				}
			})},

		// These are mutants that remember an answer wrongly because of how it came about.
		{Name: "answer-after-a-failure-is-forgotten", Requirement: "aep.threads.history",
			Summary: "The failure of a run spoils the transaction in which the next answer of its thread is kept.",
			Apply: alter.WithState(func(failed *alter.PerKey[bool]) on.Apply { // by thread
				return alter.All(on.Events(on.Failure()).EditIn(func(r aep.Request, _ *aep.Event) {
					failed.Set(r.Thread, true)
				}), forgettingAnswers(func(thread string) bool { return failed.Swap(thread, false) }))
			})},
		{Name: "answer-to-two-results-is-forgotten", Requirement: "aep.threads.history",
			Summary: "Where a request brings results for two actions or more, its answer is kept for none of them.",
			Apply: alter.WithState(func(results *alter.PerKey[int]) on.Apply { // by thread
				return alter.All(on.Asks(func(ask *aep.RequestBody) {
					if ask.Thread != "" {
						results.Set(ask.Thread, len(ask.Results))
					}
				}), forgettingAnswers(func(thread string) bool { return results.Get(thread) > 1 }))
			})},

		// These are mutants that end too much, or go on.
		{Name: "cancelled-after-a-failed-call", Requirement: "aep.cancel.aborted",
			Summary: "Where a tool has failed before the cancellation, the response ends with its failure.",
			Apply: on.Events().EditSequence(func(aep.Request) func(*aep.Event) {
				failed := false
				return func(e *aep.Event) {
					failed = failed || e.Kind == aep.ToolResult && e.Stage == aep.Stop && e.Block.Status == "error"
					if e.Kind == aep.Aborted && failed {
						e.Kind, e.Code, e.Message = aep.Failed, "tool_error", "a tool failed"
					}
				}
			})},
		{Name: "thought-is-closed-after-the-abort", Requirement: "aep.flow.terminal-last",
			Summary: "A thought that is open when its request is cancelled is stopped by a clean-up that comes last.",
			Apply: on.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
				var open *aep.Event
				return func(e aep.Event) []aep.Event {
					switch {
					case e.Kind == aep.Thinking && e.Stage == aep.Stop:
						open = nil
					case e.Kind == aep.Thinking:
						open = &e
					case e.Kind == aep.Aborted && open != nil:
						stop := *open
						stop.Stage, stop.Block = aep.Stop, aep.Block{Kind: aep.Thinking}
						return []aep.Event{e, stop}
					}
					return []aep.Event{e}
				}
			})},
		{Name: "answer-closes-later-actions", Requirement: "aep.actions.others-open",
			Summary: "What responses of a thread ask for is a stack: a result takes away what later ones asked for.",
			Apply:   stacked},
		{Name: "failure-reopens-all", Requirement: "aep.actions.resolved",
			Summary: "When a run that was handed results fails, all actions of its thread are open again.",
			Apply: alter.WithState(func(failed *alter.PerKey[bool]) on.Apply { // by thread
				return alter.All(on.Events(on.Failure(), on.Resumed()).EditIn(func(r aep.Request, _ *aep.Event) {
					failed.Set(r.Thread, true)
				}), on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
					if failed.Swap(thread, false) {
						a.Actions.Reopen(a.OpenedOn(thread))
					}
					return a.Actions.Resolve(owner, thread, ids)
				}))
			})},
	}
}

func withoutPrivate(members map[string]any) map[string]any {
	for name := range members {
		if strings.HasPrefix(name, "_") || strings.HasPrefix(name, "$") {
			delete(members, name)
		}
	}
	return members
}

// untilBalanced truncates a piece after the brace that closes the first one.
func untilBalanced(piece string, depth *int) (kept string, over bool) {
	for i, r := range piece {
		switch r {
		case '{':
			*depth++
		case '}':
			if *depth--; *depth == 0 {
				return piece[:i+1], true
			}
		}
	}
	return piece, false
}

// forgettingAnswers leaves answers out of the history. hit is called when an answer is stored.
func forgettingAnswers(hit func(thread string) bool) on.Apply {
	return on.Losing(func(thread string, before, emitted []agent.Message) []int {
		if len(emitted) > 0 && edit.IsAnswer(emitted[0]) && hit(thread) {
			return []int{len(before)}
		}
		return nil
	})
}

// stacked resolves an action and those that later responses of its thread requested.
func stacked(o aep.Options) aep.Options {
	var responses alter.PerKey[string] // by action
	o = on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
		err := a.Actions.Resolve(owner, thread, ids)
		all := a.OpenedOn(thread)
		at := slices.Index(all, ids[0])
		if err != nil || at < 0 {
			return err
		}
		for _, later := range all[at+1:] {
			if responses.Get(later) != responses.Get(ids[0]) {
				_ = a.Actions.Resolve(owner, thread, []string{later}) // it may be resolved already
			}
		}
		return nil
	})(o)
	return on.Events(on.Kind(aep.Continuation)).EditIn(func(r aep.Request, e *aep.Event) {
		responses.Set(e.ActionID, r.ID)
	})(o)
}
