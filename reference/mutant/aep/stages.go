package aep

import (
	"strconv"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

func stages() []edit.Mutant {
	starts := on.Events(on.Stage(aep.Start))
	return []edit.Mutant{
		// Mutants that get the members of stages wrong.
		{Name: "stop-called-end", Requirement: "aep.stages.stage", Stateful: true, Also: []string{"aep.flow.blocks-closed"},
			Summary: "From the second block on, the last stage is called end.",
			Apply:   on.Frames(on.Stage(aep.Stop), on.LaterBlocks()).Set("stage", `"end"`)},
		{Name: "delta-without-stage", Requirement: "aep.stages.stage", Also: []string{"aep.done.complete", "aep.done.text", "aep.content.text"},
			Summary: "What has a delta needs no stage, somebody thought.",
			Apply:   on.Frames(on.Kind(aep.Text, aep.Delta)).Remove("stage")},
		{Name: "delta-without-block-id", Requirement: "aep.stages.block-id", Also: []string{"aep.content.text", "aep.done.complete", "aep.done.text"},
			Summary: "Deltas belong to the block that was started last, and don't say which.",
			Apply:   on.Frames(on.Stage(aep.Delta)).Remove("blockId")},
		{Name: "later-deltas-without-index", Requirement: "aep.stages.delta-index", Stateful: true,
			Summary: "Only the deltas of a message's first block are numbered.",
			Apply:   on.Frames(on.Stage(aep.Delta), on.LaterBlocks()).Remove("deltaIndex")},
		{Name: "start-without-block-index", Requirement: "aep.stages.block-index", Stateful: true,
			Summary: "The index of a message's second block is lost.",
			Also:    []string{"aep.stages.index-from-zero", "aep.done.complete"},
			Apply:   on.Frames(on.Stage(aep.Start), on.LaterBlocks()).Remove("blockIndex")},
		{Name: "block-index-as-text", Requirement: "aep.stages.block-index", Also: []string{"aep.stages.index-from-zero", "aep.done.complete"},
			Summary: "The index of a block is a text of digits.",
			Apply: on.Frames(on.Stage(aep.Start)).
				SetTo("blockIndex", func(e aep.Event) any { return strconv.Itoa(e.BlockIndex) })},
		{Name: "text-stop-without-text", Requirement: "aep.stages.final-data",
			Summary: "The stop of a text says that it has ended and nothing more.",
			Apply:   on.Frames(on.Kind(aep.Text, aep.Stop)).Remove("text")},
		{Name: "later-stops-are-bare", Requirement: "aep.stages.final-data", Stateful: true,
			Summary: "Only the first block of a message is repeated on its stop.",
			Apply:   on.Frames(on.Stage(aep.Stop), on.LaterBlocks()).Remove("text", "args", "status", "summary")},
		{Name: "done-has-a-stage", Requirement: "aep.stages.no-stage",
			Summary: "Done is made like the stop of a block, and says so.",
			Apply:   on.Frames(on.Kind(aep.Done)).Set("stage", `"stop"`)},

		// Mutants that get the order of stages wrong.
		{Name: "second-start-is-lost", Requirement: "aep.stages.start-first", Stateful: true,
			Summary: "The start of a block is lost when another block was there before.",
			Also:    []string{"aep.stages.block-id", "aep.done.complete", "aep.tools.named"},
			Apply:   on.Events(on.Stage(aep.Start), on.LaterBlocks()).Drop()},
		{Name: "block-starts-twice", Requirement: "aep.stages.one-start",
			Summary: "A tool call is started when the model names the tool, and again when the server runs it.",
			Apply:   on.Events(on.Kind(aep.ToolCall, aep.Start)).Repeat()},
		{Name: "stops-twice", Requirement: "aep.stages.after-stop",
			Summary: "The last block of a message is stopped by the model and again by the end of the run.",
			Apply:   on.Events(on.Stage(aep.Stop)).Again(on.Kind(aep.Done))},
		{Name: "thinking-ends-as-text", Requirement: "aep.stages.same-event",
			Summary: "Whatever is written is stopped as text.",
			Apply: on.Events(on.Kind(aep.Thinking, aep.Stop)).
				Edit(func(e *aep.Event) { e.Kind, e.Block.Kind = aep.Text, aep.Text })},

		// Mutants that get the numbers of blocks and of deltas wrong.
		{Name: "index-per-kind", Requirement: "aep.stages.index-unique", Stateful: true,
			Summary: "Blocks are counted for each kind.",
			Also:    []string{"aep.stages.index-from-zero", "aep.stages.index-order", "aep.done.complete"},
			Apply: alter.All(
				alter.Renumber(on.Events(on.Kind(aep.Text, aep.Start)), 0, blockIndex),
				alter.Renumber(on.Events(on.Kind(aep.Thinking, aep.Start)), 0, blockIndex),
				alter.Renumber(on.Events(on.Kind(aep.ToolCall, aep.Start)), 0, blockIndex),
				alter.Renumber(on.Events(on.Kind(aep.ToolResult, aep.Start)), 0, blockIndex))},
		{Name: "skips-a-block-index", Requirement: "aep.stages.index-from-zero", Stateful: true,
			Summary: "The second block leaves a number free for one that is never sent.",
			Apply:   on.Events(on.Stage(aep.Start).From(2)).Edit(func(e *aep.Event) { e.BlockIndex++ })},
		{Name: "blocks-count-down", Requirement: "aep.stages.index-order", Stateful: true,
			Summary: "The newest block gets the lowest number, to be shown on top.",
			Also:    []string{"aep.stages.index-from-zero", "aep.done.complete", "aep.content.text"},
			Apply:   starts.Edit(func(e *aep.Event) { e.BlockIndex = 1000 - e.BlockIndex })},
		{Name: "delta-index-stays-zero", Requirement: "aep.stages.delta-order", Also: []string{"aep.stages.delta-from-zero"},
			Summary: "The counter of deltas is made anew for each of them.",
			Apply:   on.Events(on.Stage(aep.Delta)).Edit(func(e *aep.Event) { e.DeltaIndex = 0 })},
		{Name: "delta-index-goes-on", Requirement: "aep.stages.delta-from-zero", Stateful: true,
			Summary: "The deltas of a block go on counting where those of the block before ended.",
			Apply:   alter.Renumber(on.Events(on.Stage(aep.Delta)), 0, deltaIndex)},
	}
}

func blockIndex(e *aep.Event) *int { return &e.BlockIndex }
func deltaIndex(e *aep.Event) *int { return &e.DeltaIndex }
