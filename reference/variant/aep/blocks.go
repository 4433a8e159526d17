package aep

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// blocks lists the variants of blocks.
func blocks() []Variant {
	return []Variant{
		// These are other ways to divide an agent's text into blocks and pieces.
		{Name: "a-character-a-piece", Freedom: "cutting of a text", Summary: "Texts come character by character.",
			Apply: onPieces(func(text string) []string {
				if text == "" {
					return []string{""}
				}
				return strings.Split(text, "")
			})},
		{Name: "text-in-one-piece", Freedom: "cutting of a text", Summary: "Each text comes in one piece.",
			Apply: func(o aep.Options) aep.Options {
				o.Agent = agent.Scripted{SplitText: func(text string) []string { return []string{text} }}
				return o
			}},
		{Name: "empty-pieces", Freedom: "cutting of a text", Summary: "Empty pieces stand between the others.",
			Apply: on.Events(on.Stage(aep.Delta)).To(func(_ aep.Request, e aep.Event) []aep.Event {
				e.DeltaIndex *= 2
				empty := e
				empty.DeltaIndex, empty.Piece = e.DeltaIndex+1, ""
				return []aep.Event{e, empty}
			})},
		{Name: "a-block-a-piece", Freedom: "two texts in a row",
			Summary: "Each piece of a text is a block of its own.", Apply: manyBlocks(true)},
		{Name: "no-deltas", Freedom: "aep.stages.no-delta",
			Summary: "Blocks have a start and a stop, and their text is on the stop.", Apply: manyBlocks(false)},
		{Name: "overlapping-blocks", Freedom: "aep.stages.overlap", Apply: on.OnJournal(overlapping),
			Summary: "A block goes on and stops only when the next one has begun."},
		{Name: "stops-before-errors", Freedom: "aep.flow.blocks-closed", Apply: on.OnJournal(stopsFirst),
			Summary: "A block that is open when the run fails or is cancelled is stopped first."},

		// These leave out something that the reference sends, or number it in another way.
		{Name: "thinking-kept-back", Freedom: "thinking", Warns: []string{"aep.content.thinking"},
			Summary: "Reasoning isn't sent at all.",
			Apply:   on.Deltas(on.Does(agent.Thinking)).Drop()},
		{Name: "empty-blocks-left-out", Freedom: "blocks that held nothing",
			Summary: "The content of done lacks texts that are empty.",
			Apply: on.Content(func(blocks []aep.Block) []aep.Block {
				return slices.DeleteFunc(blocks, func(b aep.Block) bool {
					return b.Text == "" && b.Kind != aep.ToolCall && b.Kind != aep.ToolResult
				})
			})},
		{Name: "blocks-count-from-one", Freedom: "indexes", Warns: []string{"aep.stages.index-from-zero"},
			Summary: "The first block is number one.",
			Apply:   on.Events().Edit(func(e *aep.Event) { e.BlockIndex++ })},
		{Name: "indexes-with-gaps", Freedom: "indexes", Warns: []string{"aep.stages.index-from-zero",
			"aep.stages.delta-from-zero"},
			Summary: "Indexes of blocks and of deltas leave numbers out.",
			Apply:   on.Events().Edit(func(e *aep.Event) { e.BlockIndex, e.DeltaIndex = 3*e.BlockIndex+2, 5*e.DeltaIndex+1 })},
	}
}

// manyBlocks makes each piece of a text or of reasoning a block, with a delta or without.
func manyBlocks(deltas bool) apply {
	return on.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
		m := &reblocker{deltas: deltas}
		return m.take
	})
}

// reblocker renumbers blocks.
type reblocker struct {
	deltas  bool
	content []aep.Block
	start   aep.Event // of the block that is open
	pieces  int
}

func (m *reblocker) take(e aep.Event) []aep.Event {
	isText := e.Kind == aep.Text || e.Kind == aep.Thinking
	switch {
	case e.Kind == aep.Done:
		e.Content = m.content
	case isText && e.Stage == aep.Start:
		m.start, m.pieces = e, 0
		return nil
	case isText && e.Stage == aep.Delta:
		m.pieces++
		return m.block(e, e.Piece)
	case isText:
		if m.pieces > 0 {
			return nil
		}
		return m.block(e, "")
	case e.Stage == aep.Start:
		e.BlockIndex = len(m.content)
		m.content = append(m.content, e.Block)
	case e.Stage == aep.Stop:
		m.content[len(m.content)-1] = e.Block
	case e.Stage == aep.Delta && !m.deltas:
		return nil
	}
	if e.Kind.Staged() {
		e.BlockID = m.id(len(m.content) - 1)
	}
	return []aep.Event{e}
}

func (m *reblocker) id(n int) string { return fmt.Sprintf("block-%d", n) }

// block returns the events of a complete block, with the time of the event from which it is made.
func (m *reblocker) block(e aep.Event, text string) []aep.Event {
	start, stop := m.start, m.start
	start.BlockIndex, start.BlockID, start.Timestamp = len(m.content), m.id(len(m.content)), e.Timestamp
	stop.Stage, stop.BlockID, stop.Timestamp = aep.Stop, start.BlockID, e.Timestamp
	stop.Block.Text = text
	m.content = append(m.content, stop.Block)
	if e.Stage != aep.Delta || !m.deltas {
		return []aep.Event{start, stop}
	}
	e.BlockID, e.DeltaIndex = start.BlockID, 0
	return []aep.Event{start, e, stop}
}

// overlapping delays each stop until the next block starts, and sends an empty delta of the stopped block before it.
func overlapping(aep.Request) func(aep.Event) []aep.Event {
	var held []aep.Event
	pieces := map[string]int{}
	return func(e aep.Event) []aep.Event {
		if e.Stage == aep.Delta {
			pieces[e.BlockID] = e.DeltaIndex + 1
		}
		out := held
		switch {
		case e.Stage == aep.Stop:
			empty := e
			empty.Stage, empty.DeltaIndex, empty.Piece = aep.Delta, pieces[e.BlockID], ""
			held = []aep.Event{empty, e}
			if e.Kind == aep.ToolCall {
				held = []aep.Event{e} // a result has to find its call, and empty arguments are none
			}
			return out
		case e.Stage == aep.Start:
			held = nil
			for i := range out {
				out[i].Timestamp = e.Timestamp
			}
			return append([]aep.Event{e}, out...)
		}
		held = nil
		for i := range out {
			out[i].Timestamp = e.Timestamp
		}
		return append(out, e)
	}
}

// stopsFirst stops the block that is open before an error or an abort.
func stopsFirst(aep.Request) func(aep.Event) []aep.Event {
	var open []aep.Event
	text := ""
	return func(e aep.Event) []aep.Event {
		switch {
		case e.Stage == aep.Start:
			open, text = []aep.Event{e}, ""
		case e.Stage == aep.Delta:
			text += e.Piece
		case e.Stage == aep.Stop:
			open = nil
		case (e.Kind == aep.Failed || e.Kind == aep.Aborted) && len(open) > 0 && utf8.ValidString(text):
			stop := open[0]
			stop.Stage, stop.Timestamp, stop.Block.Text = aep.Stop, e.Timestamp, text
			if stop.Kind == aep.ToolCall || stop.Kind == aep.ToolResult {
				break // an unfinished call has no arguments to tell
			}
			return []aep.Event{stop, e}
		}
		return []aep.Event{e}
	}
}
