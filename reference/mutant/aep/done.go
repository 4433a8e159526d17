package aep

import (
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

func done() []edit.Mutant {
	calls := func(b aep.Block) bool { return b.Kind == aep.ToolCall }
	return []edit.Mutant{
		// Mutants whose complete content is wrong.
		{Name: "empty-content-is-null", Requirement: "aep.done.content",
			Summary: "The content of a run that said nothing is null, as lists without items are in the server's language.",
			Apply: on.Frames(on.Kind(aep.Done), on.If(func(e aep.Event) bool { return len(e.Content) == 0 })).
				Set("content", "null")},
		{Name: "content-backwards", Requirement: "aep.done.complete", Stateful: true,
			Summary: "The content of done has the newest block first.",
			Apply: on.Content(func(blocks []aep.Block) []aep.Block {
				slices.Reverse(blocks)
				return blocks
			})},

		// Mutants that get texts in the content wrong.
		{Name: "text-block-with-content", Requirement: "aep.done.block-members", Also: []string{"aep.done.text"},
			Summary: "A block of text in done calls its text content.",
			Apply:   on.ContentMembers(func(b alter.Object) { b.Rename("text", "content") })},
		{Name: "content-has-trimmed-texts", Requirement: "aep.done.text",
			Summary: "White space around the texts in done is trimmed when they are stored.",
			Apply:   on.Blocks(aep.Text, func(b *aep.Block) { b.Text = strings.TrimSpace(b.Text) })},

		// Mutants that get calls and their outcomes in the content wrong.
		{Name: "tool-use-without-arguments", Requirement: "aep.done.block-members", Also: []string{"aep.done.arguments"},
			Summary: "A call in the content of done has no arguments.",
			Apply:   on.ContentMembers(func(b alter.Object) { b.Remove("args") })},
		{Name: "content-has-arguments-as-text", Requirement: "aep.done.arguments", Also: []string{"aep.done.block-members", "aep.tools.arguments"},
			Summary: "The arguments of a call are a text of JSON in done, as they are stored.",
			Apply:   on.ContentMembers(func(b alter.Object) { b.Quote("args") })},
		{Name: "content-names-the-last-tool", Requirement: "aep.done.call", Stateful: true,
			Summary: "All calls in the content of done have the name of the tool that was called last.",
			Apply: on.Content(func(blocks []aep.Block) []aep.Block {
				return ofLastCall(blocks, func(b *aep.Block, last aep.Block) { b.ToolName = last.ToolName })
			})},
		{Name: "content-has-calls-of-its-own", Requirement: "aep.done.call",
			Summary: "The ids of calls in the content of done are those of its rows in a table.",
			Apply: on.Content(func(blocks []aep.Block) []aep.Block {
				for i := range blocks {
					if blocks[i].Kind == aep.ToolCall {
						blocks[i].ToolCallID = "row-" + strconv.Itoa(i)
					}
				}
				return blocks
			})},
		{Name: "every-outcome-is-a-success", Requirement: "aep.done.outcome", Stateful: true,
			Summary: "An outcome in the content of done is a success, since the run went on.",
			Apply:   on.Blocks(aep.ToolResult, func(b *aep.Block) { b.Status = "success" })},
		{Name: "content-has-short-summaries", Requirement: "aep.done.outcome",
			Summary: "Summaries are cut to a few characters when they are stored.",
			Apply:   on.Blocks(aep.ToolResult, func(b *aep.Block) { b.Summary = b.Summary[:min(3, len(b.Summary))] })},

		// Mutants that get the other members of done wrong.
		{Name: "finish-reason-null", Requirement: "aep.done.finish-reason",
			Summary: "The finish reason is null unless the model gave one.",
			Apply:   on.Frames(on.Kind(aep.Done)).Set("finishReason", "null")},
		{Name: "finish-reason-empty", Requirement: "aep.done.finish-reason", Stateful: true, Also: []string{"aep.done.stop"},
			Summary: "The finish reason is empty when there was more than one block.",
			Apply:   on.Frames(on.Kind(aep.Done), on.LaterBlocks()).Set("finishReason", `""`)},
		{Name: "end-turn", Requirement: "aep.done.stop",
			Summary: "The finish reason is the model's own word for it.",
			Apply:   on.FinishReason("end_turn", on.If(func(e aep.Event) bool { return e.FinishReason == "stop" }))},
		{Name: "still-waits-after-resume", Requirement: "aep.done.no-action", Stateful: true, Also: []string{"aep.done.stop"},
			Summary: "A thread that had to wait for an action once still says so when the result has come.",
			Apply:   on.FinishReason("action_required", on.Resumed())},
		{Name: "tools-require-action", Requirement: "aep.done.no-action", Also: []string{"aep.done.stop"},
			Summary: "A run that called a tool ends as if the client had to do it.",
			Apply:   on.FinishReason("action_required", on.If(func(e aep.Event) bool { return slices.ContainsFunc(e.Content, calls) }))},
		{Name: "long-answers-without-thread", Requirement: "aep.done.thread", Stateful: true,
			Summary: "When a message has more than one block, done doesn't say which thread it belongs to.",
			Apply:   on.Frames(on.Kind(aep.Done), on.LaterBlocks()).Remove("threadId")},
		{Name: "done-names-message-as-thread", Requirement: "aep.done.same-thread",
			Summary: "Done has the id of the message where that of the thread should be.",
			Apply:   on.Events(on.Kind(aep.Done)).Edit(func(e *aep.Event) { e.ThreadID = e.MessageID })},
	}
}

// ofLastCall gives calls something of the last one.
func ofLastCall(blocks []aep.Block, give func(b *aep.Block, last aep.Block)) []aep.Block {
	var last *aep.Block
	for i := range slices.Backward(blocks) {
		if b := &blocks[i]; b.Kind == aep.ToolCall {
			if last == nil {
				last = b
			}
			give(b, *last)
		}
	}
	return blocks
}
