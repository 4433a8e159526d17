package aep

import (
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

func stages() []Mutant {
	return slices.Concat(stageMembers(), stageOrders(), stageIndexes(), stageDeltaIndexes())
}

// stageMembers get the members of stages wrong.
func stageMembers() []Mutant {
	return []Mutant{{
		Name: "stop-called-end", Requirement: "aep.stages.stage", Stateful: true,
		Summary: "From the second block on, the last stage is called end.",
		Also:    []string{"aep.flow.blocks-closed"},
		Apply:   with(fromSecond(stageIs(aep.Stop)), "stage", `"end"`),
	}, {
		Name: "delta-without-stage", Requirement: "aep.stages.stage",
		Summary: "What has a delta needs no stage, somebody thought.",
		Also:    []string{"aep.done.complete", "aep.done.text", "aep.content.text"},
		Apply:   without(always(is(aep.Text, aep.Delta)), "stage"),
	}, {
		Name: "delta-without-block-id", Requirement: "aep.stages.block-id",
		Summary: "Deltas belong to the block that was started last, and don't say which.",
		Also:    []string{"aep.content.text", "aep.done.complete", "aep.done.text"},
		Apply:   without(always(stageIs(aep.Delta)), "blockId"),
	}, {
		Name: "later-deltas-without-index", Requirement: "aep.stages.delta-index", Stateful: true,
		Summary: "Only the deltas of a message's first block are numbered.",
		Apply:   without(fromSecond(stageIs(aep.Delta)), "deltaIndex"),
	}, {
		Name: "start-without-block-index", Requirement: "aep.stages.block-index", Stateful: true,
		Summary: "The index of a message's second block is lost.",
		Also:    []string{"aep.stages.index-from-zero", "aep.done.complete"},
		Apply:   without(fromSecond(stageIs(aep.Start)), "blockIndex"),
	}, {
		Name: "block-index-as-text", Requirement: "aep.stages.block-index",
		Summary: "The index of a block is a text of digits.",
		Also:    []string{"aep.stages.index-from-zero", "aep.done.complete"},
		Apply: onMembers(always(stageIs(aep.Start)), func(members object, e aep.Event) {
			members["blockIndex"] = alter.Encode(strconv.Itoa(e.BlockIndex))
		}),
	}, {
		Name: "delta-without-index", Requirement: "aep.stages.delta-index",
		Summary: "Deltas come in order, so they aren't numbered.",
		Apply:   without(always(stageIs(aep.Delta)), "deltaIndex"),
	}, {
		Name: "text-stop-without-text", Requirement: "aep.stages.final-data",
		Summary: "The stop of a text says that it has ended and nothing more.",
		Apply:   without(always(is(aep.Text, aep.Stop)), "text"),
	}, {
		Name: "later-stops-are-bare", Requirement: "aep.stages.final-data", Stateful: true,
		Summary: "Only the first block of a message is repeated on its stop.",
		Apply:   without(fromSecond(stageIs(aep.Stop)), "text", "args", "status", "summary"),
	}, {
		Name: "done-has-a-stage", Requirement: "aep.stages.no-stage",
		Summary: "Done is made like the stop of a block, and says so.",
		Apply:   with(always(is(aep.Done)), "stage", `"stop"`),
	}}
}

// stageOrders get the order of stages wrong.
func stageOrders() []Mutant {
	return []Mutant{{
		Name: "second-start-is-lost", Requirement: "aep.stages.start-first", Stateful: true,
		Summary: "The start of a block is lost when another block was there before.",
		Also:    []string{"aep.stages.block-id", "aep.done.complete", "aep.tools.named"},
		Apply:   dropping(fromSecond(stageIs(aep.Start))),
	}, {
		Name: "block-starts-twice", Requirement: "aep.stages.one-start",
		Summary: "A tool call is started when the model names the tool, and again when the server runs it.",
		Apply: appending(func(e aep.Event) []aep.Event {
			if is(aep.ToolCall, aep.Start)(e) {
				return []aep.Event{e}
			}
			return nil
		}),
	}, {
		Name: "reuses-block-id", Requirement: "aep.stages.one-start", Stateful: true,
		Summary: "The id of the block before is used again for the next one.",
		Also:    []string{"aep.stages.same-event", "aep.stages.after-stop", "aep.done.complete"},
		Apply: seams.OnEach(func(e *aep.Event) {
			if e.Kind.Staged() {
				e.BlockID = "b0"
			}
		}),
	}, {
		Name: "delta-after-stop", Requirement: "aep.stages.after-stop",
		Summary: "The buffer for deltas is flushed after the stop.",
		Also:    []string{"aep.content.final-text", "aep.done.text", "aep.tools.one-value"},
		Apply:   lateDelta,
	}, {
		Name: "stops-twice", Requirement: "aep.stages.after-stop",
		Summary: "The last block of a message is stopped by the model and again by the end of the run.",
		Apply: seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
			var last []aep.Event
			return func(e aep.Event) []aep.Event {
				if stageIs(aep.Stop)(e) {
					last = []aep.Event{e}
				}
				if e.Kind == aep.Done {
					return append(last, e)
				}
				return []aep.Event{e}
			}
		}),
	}, {
		Name: "thinking-ends-as-text", Requirement: "aep.stages.same-event",
		Summary: "Whatever is written is stopped as text.",
		Apply: seams.OnEach(func(e *aep.Event) {
			if e.Kind == aep.Thinking && e.Stage == aep.Stop {
				e.Kind, e.Block.Kind = aep.Text, aep.Text
			}
		}),
	}}
}

// lateDelta sends the last of several deltas of a block after its stop.
func lateDelta(o aep.Options) aep.Options {
	return seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
		var held []aep.Event
		return func(e aep.Event) []aep.Event {
			switch {
			case stageIs(aep.Delta)(e):
				out := held
				held = []aep.Event{e}
				return out
			case stageIs(aep.Stop)(e):
				out := append([]aep.Event{e}, held...)
				held = nil
				return out
			}
			out := append(held, e)
			held = nil
			return out
		}
	})(o)
}

// stageIndexes get the numbers of blocks wrong.
func stageIndexes() []Mutant {
	onStarts := func(index func(aep.Event) int) apply {
		return seams.OnEach(func(e *aep.Event) {
			if e.Stage == aep.Start {
				e.BlockIndex = index(*e)
			}
		})
	}
	return []Mutant{{
		Name: "index-per-kind", Requirement: "aep.stages.index-unique", Stateful: true,
		Summary: "Blocks are counted for each kind.",
		Also:    []string{"aep.stages.index-from-zero", "aep.stages.index-order", "aep.done.complete"},
		Apply: onEvents(func(aep.Request) func(*aep.Event) {
			counts := map[aep.Kind]int{}
			return func(e *aep.Event) {
				if e.Stage == aep.Start {
					e.BlockIndex = counts[e.Kind]
					counts[e.Kind]++
				}
			}
		}),
	}, {
		Name: "blocks-count-from-one", Requirement: "aep.stages.index-from-zero",
		Summary: "The first block is number one.",
		Apply:   onStarts(func(e aep.Event) int { return e.BlockIndex + 1 }),
	}, {
		Name: "skips-a-block-index", Requirement: "aep.stages.index-from-zero", Stateful: true,
		Summary: "The second block leaves a number free for one that is never sent.",
		Apply:   onStarts(func(e aep.Event) int { return e.BlockIndex + min(e.BlockIndex, 1) }),
	}, {
		Name: "blocks-count-down", Requirement: "aep.stages.index-order", Stateful: true,
		Summary: "The newest block gets the lowest number, to be shown on top.",
		Also:    []string{"aep.stages.index-from-zero", "aep.done.complete", "aep.content.text"},
		Apply:   onStarts(func(e aep.Event) int { return 1000 - e.BlockIndex }),
	}}
}

// stageDeltaIndexes get the numbers of deltas wrong.
func stageDeltaIndexes() []Mutant {
	onDeltaIndex := func(begin func() func(aep.Event) int) apply {
		return onEvents(func(aep.Request) func(*aep.Event) {
			index := begin()
			return func(e *aep.Event) {
				if e.Stage == aep.Delta {
					e.DeltaIndex = index(*e)
				}
			}
		})
	}
	return []Mutant{{
		Name: "delta-index-stays-zero", Requirement: "aep.stages.delta-order",
		Summary: "The counter of deltas is made anew for each of them.",
		Also:    []string{"aep.stages.delta-from-zero"},
		Apply:   onDeltaIndex(func() func(aep.Event) int { return func(aep.Event) int { return 0 } }),
	}, {
		Name: "deltas-swapped", Requirement: "aep.stages.delta-order",
		Summary: "Two workers send the deltas of a block, and the second overtakes the first.",
		Also:    []string{"aep.stages.delta-from-zero", "aep.content.final-text", "aep.done.text"},
		Apply:   swapsDeltas,
	}, {
		Name: "delta-index-goes-on", Requirement: "aep.stages.delta-from-zero", Stateful: true,
		Summary: "The deltas of a block go on counting where those of the block before ended.",
		Apply: onDeltaIndex(func() func(aep.Event) int {
			n := -1
			return func(aep.Event) int { n++; return n }
		}),
	}}
}

// swapsDeltas holds the first delta of a block back until after the second.
func swapsDeltas(o aep.Options) aep.Options {
	return seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
		var held []aep.Event
		return func(e aep.Event) []aep.Event {
			switch {
			case e.Stage == aep.Delta && e.DeltaIndex == 0:
				held = []aep.Event{e}
				return nil
			case e.Stage == aep.Delta:
				out := append([]aep.Event{e}, held...)
				held = nil
				return out
			}
			out := append(held, e)
			held = nil
			return out
		}
	})(o)
}
