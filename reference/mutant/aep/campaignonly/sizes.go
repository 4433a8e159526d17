package campaignonly

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// counts are mutants that err beyond a number of pieces, blocks or calls.
func counts() []edit.Mutant {
	return []edit.Mutant{
		{Name: "delta-index-is-a-byte", Requirement: "aep.stages.delta-order",
			Summary: "The index of a piece is kept in a byte.",
			Apply:   on.Events().Edit(func(e *aep.Event) { e.DeltaIndex &= 255 })},
		{Name: "five-hundred-pieces", Requirement: "aep.content.text",
			Summary: "A queue between the agent and the response holds 500 pieces of an answer, and what comes later is lost.",
			Apply:   on.Deltas(on.Does(agent.Text).From(501)).Drop()},
		{Name: "hundred-fragments", Requirement: "aep.tools.one-value", Also: []string{"aep.tools.arguments"},
			Summary: "Of the arguments of a call the hundredth fragment is the last.",
			Apply:   on.Events(on.Kind(aep.ToolCall, aep.Delta), on.If(func(e aep.Event) bool { return e.DeltaIndex >= 100 })).Drop()},
		{Name: "sixteen-block-indexes", Requirement: "aep.stages.index-unique",
			Summary: "Four bits hold the index of a block.",
			Apply:   on.Events().Edit(func(e *aep.Event) { e.BlockIndex &= 15 })},
		{Name: "blocks-are-letters", Requirement: "aep.stages.one-start",
			Summary: "Blocks are called by the letters of the alphabet, and after z comes a.",
			Apply: on.Events().Edit(func(e *aep.Event) {
				var n int
				if _, err := fmt.Sscanf(e.BlockID, "b%d", &n); err == nil {
					e.BlockID = string(rune('a' + n%26))
				}
			})},
		{Name: "content-sorted-as-text", Requirement: "aep.done.complete",
			Summary: "The content of done is sorted by the ids of its blocks as texts, b10 before b2.",
			Apply: on.Events().Edit(func(e *aep.Event) {
				order := make([]int, len(e.Content))
				for i := range order {
					order[i] = i
				}
				slices.SortFunc(order, func(a, b int) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
				content := e.Content
				e.Content = nil
				for _, i := range order {
					e.Content = append(e.Content, content[i])
				}
			})},
		{Name: "nine-calls", Requirement: "aep.tools.call", Also: []string{"aep.tools.result-after-call", "aep.done.complete"},
			Summary: "The tenth call of a response isn't shown.",
			Apply:   on.Events(on.Kind(aep.ToolCall).Since(on.Kind(aep.ToolCall, aep.Start).Nth(10))).Drop()},
		{Name: "ten-messages", Requirement: "aep.request.text-blocks",
			Summary: "Of a request the first ten messages reach the agent.",
			Apply: on.Turns(func(t *agent.Turn) {
				t.Messages = t.Messages[:min(10, len(t.Messages))]
			})},
	}
}

// numbers are mutants that err beyond a number of messages or ids.
func numbers() []edit.Mutant {
	return []edit.Mutant{
		{Name: "first-page-of-history", Requirement: "aep.threads.history",
			Summary: "The history is read page by page, and the agent gets the first page of twenty.",
			Apply:   forgetting(func(i, _ int) bool { return i >= 20 })},
		{Name: "page-boundary-of-history", Requirement: "aep.threads.history",
			Summary: "Where a page of ten messages ends, one of them is lost.",
			Apply:   forgetting(func(i, n int) bool { return n > 10 && i%10 == 9 })},
	}
}

// sizes are mutants that err beyond a size.
func sizes() []edit.Mutant {
	return []edit.Mutant{
		{Name: "pieces-of-64-kib", Requirement: "aep.content.text",
			Summary: "A line of the model's answer is read up to 64 KiB, and the rest of it is thrown away.",
			Apply: on.Pieces(agent.Text, func(piece string) string {
				return strings.ToValidUTF8(piece[:min(len(piece), 64<<10)], "")
			})},
		{Name: "stored-texts-of-4-kib", Requirement: "aep.done.text",
			Summary: "The answer is stored with 4,000 bytes for each text, and done is read from there.",
			Apply: on.Events().Edit(func(e *aep.Event) {
				e.Content = slices.Clone(e.Content)
				for i, b := range e.Content {
					e.Content[i].Text = strings.ToValidUTF8(b.Text[:min(len(b.Text), 4000)], "")
				}
			})},
		{Name: "arguments-of-1-kib", Requirement: "aep.tools.arguments",
			Summary: "Arguments of a call beyond 1,024 bytes are replaced by an empty object.",
			Apply: onCallArguments(func(text json.RawMessage) json.RawMessage {
				if len(text) > 1024 {
					return json.RawMessage("{}")
				}
				return text
			})},
		{Name: "payloads-of-255-bytes", Requirement: "aep.actions.unchanged",
			Summary: "A payload beyond 255 bytes is null.",
			Apply: onPayload(func(text json.RawMessage) json.RawMessage {
				if len(text) > 255 {
					return json.RawMessage("null")
				}
				return text
			})},
		{Name: "long-thought-spills", Requirement: "aep.content.thinking-apart",
			Summary: "A thought of more than 64 pieces goes on as text.",
			Apply: on.OnDeltas(func() func(agent.Delta) []agent.Delta {
				n := 0
				return func(d agent.Delta) []agent.Delta {
					if d.Kind != agent.Thinking {
						n = 0
					} else if n++; n > 64 {
						d.Kind = agent.Text
					}
					return []agent.Delta{d}
				}
			})},
	}
}

// long lists mutants that err where much is sent, or to a slow client.
func long() []edit.Mutant {
	return []edit.Mutant{
		{Name: "hundred-block-ids", Requirement: "aep.stages.one-start",
			Summary: "The ids of blocks have two digits.",
			Apply: on.Events().EditSequence(func(aep.Request) func(*aep.Event) {
				return func(e *aep.Event) {
					if n, err := strconv.Atoi(strings.TrimPrefix(e.BlockID, "b")); err == nil {
						e.BlockID = fmt.Sprint("b", n%100)
					}
				}
			})},
		{Name: "sixty-four-blocks-in-done", Requirement: "aep.done.complete",
			Summary: "The content of done has 64 blocks at most.",
			Apply:   on.Content(func(blocks []aep.Block) []aep.Block { return blocks[:min(len(blocks), 64)] })},
		{Name: "arguments-of-16-kib", Requirement: "aep.tools.arguments",
			Summary: "Arguments of a call beyond 16 KiB are replaced by an empty object.",
			Apply: onCallArguments(func(text json.RawMessage) json.RawMessage {
				if len(text) > 16<<10 {
					return json.RawMessage("{}")
				}
				return text
			})},
		{Name: "payloads-of-8-kib", Requirement: "aep.actions.unchanged",
			Summary: "A payload beyond 8 KiB is null.",
			Apply: onPayload(func(text json.RawMessage) json.RawMessage {
				if len(text) > 8<<10 {
					return json.RawMessage("null")
				}
				return text
			})},
	}
}
