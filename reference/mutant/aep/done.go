package aep

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
)

func done() []Mutant {
	return slices.Concat(doneContents(), doneBlocks(), doneArguments(), doneTools(), doneRest())
}

// onDone changes done events; the function may change the content, too.
func onDone(change func(r aep.Request, e *aep.Event)) apply {
	return onEvents(func(r aep.Request) func(*aep.Event) {
		return func(e *aep.Event) {
			if e.Kind == aep.Done {
				e.Content = slices.Clone(e.Content)
				change(r, e)
			}
		}
	})
}

// doneContents get the content as a whole wrong.
func doneContents() []Mutant {
	return []Mutant{{
		Name: "done-without-content", Requirement: "aep.done.content",
		Summary: "Whoever has read the stream has the content already, so done has none.",
		Also:    []string{"aep.done.complete"},
		Apply:   without(always(is(aep.Done)), "content"),
	}, {
		Name: "empty-content-is-null", Requirement: "aep.done.content",
		Summary: "The content of a run that said nothing is null, as lists without items are in the server's language.",
		Apply: onMembers(always(is(aep.Done)), func(members object, e aep.Event) {
			if len(e.Content) == 0 {
				members["content"] = json.RawMessage(`null`)
			}
		}),
	}, {
		Name: "content-is-text-only", Requirement: "aep.done.complete",
		Summary: "Done holds the texts, and neither tools nor thoughts.",
		Apply: onDone(func(_ aep.Request, e *aep.Event) {
			e.Content = slices.DeleteFunc(e.Content, func(b aep.Block) bool { return b.Kind != aep.Text })
		}),
	}, {
		Name: "content-backwards", Requirement: "aep.done.complete", Stateful: true,
		Summary: "The content of done has the newest block first.",
		Apply:   onDone(func(_ aep.Request, e *aep.Event) { slices.Reverse(e.Content) }),
	}, {
		Name: "content-lacks-last-block", Requirement: "aep.done.complete", Stateful: true,
		Summary: "The content of done is what was there when the last of several blocks began.",
		Apply: onDone(func(_ aep.Request, e *aep.Event) {
			if n := len(e.Content); n > 1 {
				e.Content = e.Content[:n-1]
			}
		}),
	}, {
		Name: "streamed-tool-type", Requirement: "aep.done.complete",
		Summary: "A call has the same name in the content of done as in the stream.",
		Also:    []string{"aep.tools.call"},
		Apply: onContent(func(b object) {
			if string(b["type"]) == `"tool_use"` {
				b["type"] = json.RawMessage(`"tool_call"`)
			}
		}),
	}}
}

// doneBlocks get blocks of the content wrong.
func doneBlocks() []Mutant {
	return []Mutant{{
		Name: "text-block-with-content", Requirement: "aep.done.block-members",
		Summary: "A block of text in done calls its text content.",
		Also:    []string{"aep.done.text"},
		Apply: onContent(func(b object) {
			if text, ok := b["text"]; ok {
				b["content"] = text
				delete(b, "text")
			}
		}),
	}, {
		Name: "tool-use-without-arguments", Requirement: "aep.done.block-members",
		Summary: "A call in the content of done has no arguments.",
		Also:    []string{"aep.done.arguments"},
		Apply:   onContent(func(b object) { delete(b, "args") }),
	}, {
		Name: "content-has-trimmed-texts", Requirement: "aep.done.text",
		Summary: "White space around the texts in done is trimmed when they are stored.",
		Apply: onDone(func(_ aep.Request, e *aep.Event) {
			for i := range e.Content {
				e.Content[i].Text = strings.TrimSpace(e.Content[i].Text)
			}
		}),
	}, {
		Name: "content-joins-texts", Requirement: "aep.done.text", Stateful: true,
		Summary: "The buffer for text isn't emptied between blocks, so a later text in done begins with the earlier ones.",
		Also:    []string{"aep.content.thinking-apart"},
		Apply: onDone(func(_ aep.Request, e *aep.Event) {
			all := ""
			for i, b := range e.Content {
				if b.Kind == aep.Text || b.Kind == aep.Thinking {
					all += b.Text
					e.Content[i].Text = all
				}
			}
		}),
	}}
}

// doneArguments get the arguments of calls in the content wrong.
func doneArguments() []Mutant {
	return []Mutant{{
		Name: "content-has-arguments-as-text", Requirement: "aep.done.arguments",
		Summary: "The arguments of a call are a text of JSON in done, as they are stored.",
		Also:    []string{"aep.done.block-members", "aep.tools.arguments"},
		Apply: onContent(func(b object) {
			if args, ok := b["args"]; ok {
				b["args"] = alter.Encode(string(args))
			}
		}),
	}, {
		Name: "content-has-arguments-of-last-call", Requirement: "aep.done.arguments", Stateful: true,
		Summary: "All calls in the content of done have the arguments of the last one.",
		Also:    []string{"aep.tools.arguments"},
		Apply: onDone(func(_ aep.Request, e *aep.Event) {
			var last json.RawMessage
			for i := len(e.Content) - 1; i >= 0; i-- {
				if e.Content[i].Kind == aep.ToolCall && last == nil {
					last = e.Content[i].Args
				}
				if e.Content[i].Kind == aep.ToolCall {
					e.Content[i].Args = last
				}
			}
		}),
	}}
}

// doneTools get what else is said of calls and their outcomes in the content wrong.
func doneTools() []Mutant {
	return []Mutant{{
		Name: "content-names-the-last-tool", Requirement: "aep.done.call", Stateful: true,
		Summary: "All calls in the content of done have the name of the tool that was called last.",
		Apply: onDone(func(_ aep.Request, e *aep.Event) {
			last := ""
			for i := range slices.Backward(e.Content) {
				if b := &e.Content[i]; b.Kind == aep.ToolCall {
					last = cmp.Or(last, b.ToolName)
					b.ToolName = last
				}
			}
		}),
	}, {
		Name: "content-has-calls-of-its-own", Requirement: "aep.done.call",
		Summary: "The ids of calls in the content of done are those of its rows in a table.",
		Apply: onDone(func(_ aep.Request, e *aep.Event) {
			for i := range e.Content {
				if e.Content[i].Kind == aep.ToolCall {
					e.Content[i].ToolCallID = "row-" + strconv.Itoa(i)
				}
			}
		}),
	}, {
		Name: "every-outcome-is-a-success", Requirement: "aep.done.outcome", Stateful: true,
		Summary: "An outcome in the content of done is a success, since the run went on.",
		Apply: onDone(func(_ aep.Request, e *aep.Event) {
			for i := range e.Content {
				if e.Content[i].Kind == aep.ToolResult {
					e.Content[i].Status = "success"
				}
			}
		}),
	}, {
		Name: "content-has-short-summaries", Requirement: "aep.done.outcome",
		Summary: "Summaries are cut to a few characters when they are stored.",
		Apply: onDone(func(_ aep.Request, e *aep.Event) {
			for i := range e.Content {
				e.Content[i].Summary = e.Content[i].Summary[:min(3, len(e.Content[i].Summary))]
			}
		}),
	}}
}

// doneRest get the other members of done wrong.
func doneRest() []Mutant {
	return []Mutant{{
		Name: "finish-reason-null", Requirement: "aep.done.finish-reason",
		Summary: "The finish reason is null unless the model gave one.",
		Apply:   with(always(is(aep.Done)), "finishReason", "null"),
	}, {
		Name: "finish-reason-empty", Requirement: "aep.done.finish-reason", Stateful: true,
		Summary: "The finish reason is empty when there was more than one block.",
		Also:    []string{"aep.done.stop"},
		Apply:   with(fromSecond(is(aep.Done)), "finishReason", `""`),
	}, {
		Name: "end-turn", Requirement: "aep.done.stop",
		Summary: "The finish reason is the model's own word for it.",
		Apply: onDone(func(_ aep.Request, e *aep.Event) {
			if e.FinishReason == "stop" {
				e.FinishReason = "end_turn"
			}
		}),
	}, {
		Name: "still-waits-after-resume", Requirement: "aep.done.no-action", Stateful: true,
		Summary: "A thread that had to wait for an action once still says so when the result has come.",
		Also:    []string{"aep.done.stop"},
		Apply: onDone(func(r aep.Request, e *aep.Event) {
			if len(r.Ask.Results) > 0 {
				e.FinishReason = "action_required"
			}
		}),
	}, {
		Name: "tools-require-action", Requirement: "aep.done.no-action",
		Summary: "A run that called a tool ends as if the client had to do it.",
		Also:    []string{"aep.done.stop"},
		Apply: onDone(func(_ aep.Request, e *aep.Event) {
			if slices.ContainsFunc(e.Content, func(b aep.Block) bool { return b.Kind == aep.ToolCall }) {
				e.FinishReason = "action_required"
			}
		}),
	}, {
		Name: "done-without-thread", Requirement: "aep.done.thread",
		Summary: "Done doesn't say which thread it belongs to.",
		Apply:   without(always(is(aep.Done)), "threadId"),
	}, {
		Name: "long-answers-without-thread", Requirement: "aep.done.thread", Stateful: true,
		Summary: "When a message has more than one block, done doesn't say which thread it belongs to.",
		Apply:   without(fromSecond(is(aep.Done)), "threadId"),
	}, {
		Name: "done-names-message-as-thread", Requirement: "aep.done.same-thread",
		Summary: "Done has the id of the message where that of the thread should be.",
		Apply:   onDone(func(_ aep.Request, e *aep.Event) { e.ThreadID = e.MessageID }),
	}}
}
