package merlin

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// text lists the mutants of text.
func text() []Mutant {
	return []Mutant{
		{Name: "no-init", Requirement: "merlin.slices.init", Also: []string{"merlin.failure.ends", "merlin.failure.stopped-end", "merlin.progress.v1-event"}, Summary: "The first event says nothing, and is left out.",
			Apply: on.Events(on.Named(merlin.Init)).Drop()},
		{Name: "slices-are-texts", Requirement: "merlin.slices.content", Also: []string{"merlin.slices.complete", "merlin.slices.length", "merlin.slices.no-index"}, Summary: "Version 1 has the member of version 2.",
			Apply: on.Frames(on.Slices()).Rename("content", "text")},
		{Name: "whole-texts-when-behind", Requirement: "merlin.slices.length", Stateful: true, Summary: "Who is far behind sends all that there is.",
			Apply: func(o merlin.Options) merlin.Options {
				size := o.Size
				return on.Sizes(5, func(waiting int) int {
					if waiting < 12 {
						return size(waiting)
					}
					return 64
				})(o)
			}},
		{Name: "loses-the-last-slice", Requirement: "merlin.slices.complete", Also: []string{"merlin.slices.content", "merlin.slices.init", "merlin.slices.length"}, Stateful: true, Summary: "What is shorter than a slice waits for more.",
			Apply: on.Events(on.Slices()).DropBefore(on.Named(merlin.End))},
		{Name: "trims-texts", Requirement: "merlin.slices.complete", Also: []string{"merlin.citations.moment", "merlin.failure.kept"}, Summary: "White space alone is nothing to send.",
			Apply: on.Events(on.Slices().And(on.TextMatches(func(t string) bool { return t == " " || t == "\n\t" }))).Drop()},
		{Name: "slices-are-numbered", Requirement: "merlin.slices.no-index", Also: []string{"merlin.upstream.cut"}, Summary: "Version 1 got the index of version 2.",
			Apply: on.Events(on.Slices()).EditIn(func(c *merlin.RunState, e *merlin.Event) { on.Set("index", c.Start.GlobalIndex)(e) })},
		{Name: "thinks-aloud", Requirement: "merlin.slices.no-reasoning", Also: []string{"merlin.progress.done", "merlin.upstream.cut"}, Summary: "Reasoning is sent as text.",

			Apply: on.Deltas(nil).EditIn(func(c *merlin.RunState, d *merlin.Delta) {
				if c.Version == 1 && d.Reasoning != nil {
					d.Content += d.Reasoning.Text
				}
			})},
		{Name: "cuts-pairs", Requirement: "merlin.slices.whole-characters", Summary: "Slices are cut by the units of UTF-16.", Apply: on.Frames(on.Slices()).Bytes(cutsPairs)},

		// These send other texts than the model in version 2.
		{Name: "empty-texts", Requirement: "merlin.chunks.empty", Also: []string{"merlin.chunks.content", "merlin.chunks.index", "merlin.chunks.text"}, Summary: "An event of the model is a message, whatever it holds.",
			Apply: on.Speaks(func(merlin.Delta) bool { return true })},
		{Name: "loses-the-last-text", Requirement: "merlin.chunks.complete", Also: []string{"merlin.chunks.per-delta", "merlin.chunks.reasoning", "merlin.chunks.thought"}, Stateful: true, Summary: "The last event of the model is taken for its end.",
			Apply: on.Events(on.Typed("text").From(2)).DropBefore(on.Named(merlin.End))},
		{Name: "paces-long-texts", Requirement: "merlin.chunks.per-delta", Stateful: true, Summary: "From the fifth text on, what is longer than a line is cut.",
			Apply: on.Events(on.Typed("text").From(5)).To(sliced)},
		{Name: "suppresses-nothing", Requirement: "merlin.chunks.suppressed", Also: []string{"merlin.chunks.suppressed-reasoning"}, Summary: "The switch is read where nobody sets it.",
			Apply: on.Begins(func(c *merlin.RunState) { c.Start.Suppress = false })},
		{Name: "suppresses-the-first-text", Requirement: "merlin.chunks.suppressed", Stateful: true, Summary: "The switch is forgotten after the first event of the model.",
			Apply: on.Deltas(nil).EditSequence(func(c *merlin.RunState) func(*merlin.Delta) {
				n := 0
				return func(*merlin.Delta) {
					if n++; n > 1 {
						c.Start.Suppress = false
					}
				}
			})},
		{Name: "suppresses-texts-alone", Requirement: "merlin.chunks.suppressed-reasoning", Summary: "The switch is asked before a text, and not before a thought.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Reasoning != nil }).EditIn(func(c *merlin.RunState, _ *merlin.Delta) { c.Start.Suppress = false })},
	}
}

// sliced cuts a text into pieces of five characters.
func sliced(_ *merlin.RunState, e merlin.Event) (out []merlin.Event) {
	for piece := range slices.Chunk([]rune(on.Text(e)), 5) {
		one := e
		on.Set("text", string(piece))(&one)
		out = append(out, one)
	}
	return out
}

// cutsPairs sends a character beyond the first plane as two slices, one of each half.
func cutsPairs(whole []byte, _ merlin.Event) []byte {
	for i, r := range string(whole) {
		if r <= 0xffff {
			continue
		}
		n := utf8.RuneLen(r)
		high, low := 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff
		first := fmt.Sprintf("%s\\u%04x\"}\n\n", whole[:i], high)
		rest := fmt.Sprintf("event: message\ndata: {\"content\":\"\\u%04x%s", low, whole[i+n:])
		return append([]byte(first), rest...)
	}
	return bytes.Clone(whole)
}
