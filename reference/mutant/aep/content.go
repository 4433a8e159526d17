package aep

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

func content() []Mutant { return slices.Concat(contentTexts(), contentStops(), contentThoughts()) }

// onTexts changes the pieces of texts that an agent says.
func onTexts(begin func() func(agent.Delta) []agent.Delta) apply {
	return seams.OnDeltas(func() func(agent.Delta) []agent.Delta {
		change := begin()
		return func(d agent.Delta) []agent.Delta {
			if d.Kind != agent.Text {
				return []agent.Delta{d}
			}
			return change(d)
		}
	})
}

// contentTexts get texts wrong.
func contentTexts() []Mutant {
	onPiece := func(change func(string) string) apply {
		return onTexts(func() func(agent.Delta) []agent.Delta {
			return func(d agent.Delta) []agent.Delta {
				d.Piece = change(d.Piece)
				return []agent.Delta{d}
			}
		})
	}
	return []Mutant{{
		Name: "delta-is-an-object", Requirement: "aep.content.text-delta",
		Summary: "The delta of a text is an object that holds the text, as the model's library has it.",
		Also:    []string{"aep.content.text", "aep.done.text", "aep.content.final-text"},
		Apply: onMembers(always(is(aep.Text, aep.Delta)), func(members object, e aep.Event) {
			members["delta"] = alter.Encode(map[string]string{"text": e.Piece})
		}),
	}, {
		Name: "trims-deltas", Requirement: "aep.content.text", Stateful: true,
		Summary: "White space at the beginning of each later piece is trimmed.",
		Apply: onTexts(func() func(agent.Delta) []agent.Delta {
			n := 0
			return func(d agent.Delta) []agent.Delta {
				if n++; n > 1 {
					d.Piece = strings.TrimLeft(d.Piece, " \t")
				}
				return []agent.Delta{d}
			}
		}),
	}, {
		Name: "newlines-become-lf", Requirement: "aep.content.text",
		Summary: "CR and LF in a text become LF.",
		Apply:   onPiece(func(text string) string { return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text) }),
	}, {
		Name: "loses-astral-characters", Requirement: "aep.content.text",
		Summary: "Characters beyond the Basic Multilingual Plane become question marks in a column that is too narrow.",
		Apply: onPiece(func(text string) string {
			return strings.Map(func(r rune) rune {
				if r > 0xffff {
					return '?'
				}
				return r
			}, text)
		}),
	}}
}

// contentStops say something else on the stop than in the deltas, or cut inside of characters.
func contentStops() []Mutant {
	return []Mutant{{
		Name: "stop-has-last-delta", Requirement: "aep.content.final-text", Stateful: true,
		Summary: "The text on a stop is that of the last delta.",
		Apply: onEvents(func(aep.Request) func(*aep.Event) {
			last := ""
			return func(e *aep.Event) {
				switch {
				case e.Stage == aep.Delta:
					last = e.Piece
				case e.Stage == aep.Stop && (e.Kind == aep.Text || e.Kind == aep.Thinking):
					e.Block.Text = last
				}
			}
		}),
	}, {
		Name: "splits-surrogates", Requirement: "aep.content.whole-characters",
		Summary: "Texts are cut at a number of UTF-16 units, whatever stands there.",
		Also:    []string{"aep.content.text", "aep.content.final-text", "aep.done.text"},
		Apply:   seams.OnBytes(splitsSurrogates),
	}}
}

// splitsSurrogates sends a delta with a pair of surrogates as two, each with one half.
func splitsSurrogates(aep.Request) func([]byte, aep.Event) []byte {
	more := 0
	return func(whole []byte, e aep.Event) []byte {
		if e.Kind != aep.Text || e.Stage == aep.Stop {
			return whole
		}
		if e.Stage == aep.Start {
			more = 0
			return whole
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

// contentThoughts get reasoning wrong.
func contentThoughts() []Mutant {
	return []Mutant{{
		Name: "drops-thinking", Requirement: "aep.content.thinking",
		Summary: "Reasoning is left out.",
		Apply: seams.OnDeltas(func() func(agent.Delta) []agent.Delta {
			return func(d agent.Delta) []agent.Delta {
				if d.Kind == agent.Thinking {
					return nil
				}
				return []agent.Delta{d}
			}
		}),
	}, {
		Name: "drops-later-thinking", Requirement: "aep.content.thinking", Stateful: true,
		Summary: "Only what the agent thinks before it speaks is sent, and no later thought.",
		Apply: seams.OnDeltas(func() func(agent.Delta) []agent.Delta {
			spoken := false
			return func(d agent.Delta) []agent.Delta {
				if d.Kind == agent.Thinking && spoken {
					return nil
				}
				spoken = spoken || d.Kind != agent.Thinking
				return []agent.Delta{d}
			}
		}),
	}, {
		Name: "thinking-as-text", Requirement: "aep.content.thinking-apart",
		Summary: "Reasoning goes out as text.",
		Also:    []string{"aep.content.text", "aep.content.thinking"},
		Apply: seams.OnDeltas(func() func(agent.Delta) []agent.Delta {
			return func(d agent.Delta) []agent.Delta {
				if d.Kind == agent.Thinking {
					d.Kind = agent.Text
				}
				return []agent.Delta{d}
			}
		}),
	}, {
		Name: "done-puts-thinking-into-text", Requirement: "aep.content.thinking-apart", Stateful: true,
		Summary: "In the content of done, what the agent thought is put before the text that follows it.",
		Also:    []string{"aep.done.text"},
		Apply: seams.OnEach(func(e *aep.Event) {
			if e.Kind != aep.Done {
				return
			}
			e.Content = slices.Clone(e.Content)
			for i := 1; i < len(e.Content); i++ {
				if e.Content[i].Kind == aep.Text && e.Content[i-1].Kind == aep.Thinking {
					e.Content[i].Text = e.Content[i-1].Text + e.Content[i].Text
				}
			}
		}),
	}}
}
