package campaignonly

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// contents lists mutants whose done disagrees with the streamed deltas, for some blocks.
func contents() []edit.Mutant {
	return []edit.Mutant{
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
		{Name: "summaries-of-1-kib", Requirement: "aep.done.outcome",
			Summary: "The content of done has room for 1,024 characters of a summary.",
			Apply: on.Content(func(blocks []aep.Block) []aep.Block {
				for i, b := range blocks {
					if summary := []rune(b.Summary); len(summary) > 1024 {
						blocks[i].Summary = string(summary[:1024])
					}
				}
				return blocks
			})},
		{Name: "blocks-that-say-the-same-are-one", Requirement: "aep.done.complete",
			Summary: "A text of which the answer had the same before isn't in the content of done.",
			Apply: on.Content(func(blocks []aep.Block) []aep.Block {
				emitted := map[string]bool{}
				return slices.DeleteFunc(blocks, func(b aep.Block) bool {
					again := b.Kind == aep.Text && emitted[b.Text]
					emitted[b.Text] = true
					return again
				})
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
	}
}

// handedBlocks are mutants that read some requests wrongly.
func handedBlocks() []edit.Mutant {
	return []edit.Mutant{
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
		{Name: "single-items-are-unwrapped", Requirement: "aep.actions.result",
			Summary: "A list of one item in a result is taken for the item, as of a query with the same name once.",
			Apply: onResults(func(v any) any {
				if list, ok := v.([]any); ok && len(list) == 1 {
					return list[0]
				}
				return v
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

// arguments are mutants that read the pieces of arguments wrongly.
func arguments() []edit.Mutant {
	return []edit.Mutant{
		{Name: "blank-pieces-of-arguments", Requirement: "aep.tools.arguments", Also: []string{"aep.tools.final-arguments"},
			Summary: "A piece of arguments that is white space alone isn't worth an event.",
			Apply: on.Deltas(on.IfDoes(func(d agent.Delta) bool {
				return d.Kind == agent.Arguments && d.Piece != "" && strings.TrimSpace(d.Piece) == ""
			})).Drop()},
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
	}
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
