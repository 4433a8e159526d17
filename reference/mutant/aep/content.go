package aep

import (
	"bytes"
	"strings"
	"unicode/utf16"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// content lists the mutants of content.
func content() []edit.Mutant {
	thinks := on.Does(agent.Thinking)

	return []edit.Mutant{
		// These get texts wrong, or say something else on the stop than in the deltas.
		{Name: "delta-is-an-object", Requirement: "aep.content.text-delta",
			Summary: "The delta of a text is an object that holds the text, as the model's library has it.",
			Also:    []string{"aep.content.text", "aep.done.text", "aep.content.final-text"},
			Apply: on.Frames(on.Kind(aep.Text, aep.Delta)).
				SetTo("delta", func(e aep.Event) any { return map[string]string{"text": e.Piece} })},
		{Name: "trims-deltas", Requirement: "aep.content.text", Stateful: true,
			Summary: "White space at the beginning of each later piece is trimmed.",
			Apply: on.Deltas(on.Does(agent.Text).From(2)).
				Edit(func(d *agent.Delta) { d.Piece = strings.TrimLeft(d.Piece, " \t") })},
		{Name: "newlines-become-lf", Requirement: "aep.content.text",
			Summary: "CR and LF in a text become LF.",
			Apply:   on.Pieces(agent.Text, strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace)},
		{Name: "loses-astral-characters", Requirement: "aep.content.text",
			Summary: "Characters beyond the Basic Multilingual Plane become question marks in a column that is too narrow.",
			Apply: on.Pieces(agent.Text, func(text string) string {
				return strings.Map(func(r rune) rune {
					if r > 0xffff {
						return '?'
					}
					return r
				}, text)
			})},
		{Name: "stop-has-last-delta", Requirement: "aep.content.final-text", Stateful: true,
			Summary: "The text on a stop is that of the last delta.",
			Apply: on.Events(on.Kind(aep.Text, aep.Stop).Or(on.Kind(aep.Thinking, aep.Stop))).
				EditBy(on.Stage(aep.Delta), func(e *aep.Event, last aep.Event) { e.Block.Text = last.Piece })},
		{Name: "splits-surrogates", Requirement: "aep.content.whole-characters",
			Summary: "Texts are cut at a number of UTF-16 units, whatever stands there.",
			Also:    []string{"aep.content.text", "aep.content.final-text", "aep.done.text"},
			Apply:   on.OnBytes(splitsSurrogates)},

		// These get reasoning wrong.
		{Name: "drops-thinking", Requirement: "aep.content.thinking",
			Summary: "Reasoning is left out.",
			Apply:   on.Deltas(thinks).Drop()},
		{Name: "drops-later-thinking", Requirement: "aep.content.thinking", Stateful: true,
			Summary: "Only what the agent thinks before it speaks is sent, and no later thought.",
			Apply:   on.Deltas(thinks.After(thinks.Not())).Drop()},
		{Name: "thinking-as-text", Requirement: "aep.content.thinking-apart", Also: []string{"aep.content.text", "aep.content.thinking"},
			Summary: "Reasoning goes out as text.",
			Apply:   on.Deltas(thinks).Edit(func(d *agent.Delta) { d.Kind = agent.Text })},
		{Name: "done-puts-thinking-into-text", Requirement: "aep.content.thinking-apart", Stateful: true, Also: []string{"aep.done.text"},
			Summary: "In the content of done, what the agent thought is put before the text that follows it.",
			Apply: on.Content(func(blocks []aep.Block) []aep.Block {
				for i := 1; i < len(blocks); i++ {
					if blocks[i].Kind == aep.Text && blocks[i-1].Kind == aep.Thinking {
						blocks[i].Text = blocks[i-1].Text + blocks[i].Text
					}
				}
				return blocks
			})},
	}
}

// splitsSurrogates sends a delta with a surrogate pair as two, each with one half.
func splitsSurrogates(aep.Request) func([]byte, aep.Event) []byte {
	more := 0
	return func(complete []byte, e aep.Event) []byte {
		if e.Kind != aep.Text || e.Stage == aep.Stop {
			return complete
		}
		if e.Stage == aep.Start {
			more = 0
			return complete
		}
		e.DeltaIndex += more
		at := strings.IndexFunc(e.Piece, func(r rune) bool { return r > 0xffff })
		if at < 0 {
			return aep.Frames{}.Append(nil, e)
		}
		r := []rune(e.Piece[at:])[0]
		high, low := utf16.EncodeRune(r)
		const mark = "\uf8ff" // a character for private use stands where the half goes
		first, second := e, e
		first.Piece, second.Piece = e.Piece[:at]+mark, mark+e.Piece[at+len(string(r)):]
		second.DeltaIndex++
		more++
		half := func(e aep.Event, unit rune) []byte {
			return bytes.Replace(aep.Frames{}.Append(nil, e), []byte(mark), escape(unit), 1)
		}
		return append(half(first, high), half(second, low)...)
	}
}

// escape is the JSON escape of a UTF-16 unit.
func escape(unit rune) []byte {
	const digits = "0123456789abcdef"
	return []byte{'\\', 'u', digits[unit>>12&15], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15]}
}
