package merlin

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// upstream lists the mutants of upstream.
func upstream() []Mutant {
	return []Mutant{
		{Name: "a-piece-an-event", Requirement: "merlin.upstream.cut", Also: []string{"merlin.upstream.calls-cut", "merlin.upstream.characters"}, Summary: "What isn't whole in one piece is dropped.",
			Apply: on.Pieces().To(func(_ *merlin.RunState, piece []byte) [][]byte {
				if !bytes.HasSuffix(piece, []byte("\n\n")) || !bytes.HasPrefix(piece, []byte("data:")) && !bytes.HasPrefix(piece, []byte(":")) {
					return nil
				}
				return [][]byte{piece}
			})},
		{Name: "decodes-each-piece", Requirement: "merlin.upstream.characters", Also: []string{"merlin.upstream.cut"}, Stateful: true, Summary: "Each piece is decoded by itself.",
			Apply: on.Pieces().Edit(func(piece *[]byte) {
				if !utf8.Valid(*piece) {
					*piece = []byte(strings.ToValidUTF8(string(*piece), "\ufffd"))
				}
			})},
		{Name: "loses-calls-in-pieces", Requirement: "merlin.upstream.calls-cut", Stateful: true, Summary: "Calls are taken in from pieces that are whole.",
			Apply: on.Pieces().Edit(func(piece *[]byte) {
				if len(*piece) <= 11 {
					*piece = bytes.ReplaceAll(*piece, []byte("ool_call"), []byte("ool_cell"))
				}
			})},
		{Name: "loses-usage-in-pieces", Requirement: "merlin.upstream.calls-cut", Summary: "Usage is taken in from a piece that is whole.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return len(d.Usage) == 2 && d.Usage["completion_tokens"] == nil }).Edit(func(d *merlin.Delta) { d.Usage = nil })},
		{Name: "halves-are-lost", Requirement: "merlin.upstream.halves", Summary: "Each text of the model is decoded by itself.",
			Apply: on.Pieces().Edit(func(piece *[]byte) {
				*piece = bytes.ReplaceAll(bytes.ReplaceAll(*piece, []byte(`\ud83d"`), []byte(`\ufffd"`)), []byte(`"\ude00`), []byte(`"\ufffd`))
			})},
		{Name: "comments-are-text", Requirement: "merlin.upstream.noise", Stateful: true, Summary: "A comment of the model is shown.",
			Apply: on.Pieces().Edit(func(piece *[]byte) {
				*piece = bytes.ReplaceAll(*piece, []byte(": ping\n"), []byte("data: {\"choices\":[{\"delta\":{\"content\":\"ping\"}}]}\n"))
			})},

		{Name: "no-empty-lists", Requirement: "merlin.aggregate.members", Summary: "Lists without items are left out.",
			Wrap: on.Aggregates(func(total alter.Object) {
				for name, value := range total {
					if string(value) == "[]" {
						total.Remove(name)
					}
				}
			})},
		{Name: "content-is-a-text", Requirement: "merlin.aggregate.members", Also: []string{"merlin.aggregate.text", "merlin.citations.aggregate", "merlin.failure.partial"}, Summary: "The pieces of the text are joined, and stand in no list.", Wrap: on.Aggregates(func(total alter.Object) { total.Set("content", "") })},
		{Name: "stores-the-last-piece", Requirement: "merlin.aggregate.text", Also: []string{"merlin.citations.aggregate", "merlin.failure.partial"}, Stateful: true, Summary: "Each piece takes the place of the one before.",
			Apply: onTotal(func(total *merlin.Aggregate) {
				if n := len(total.Content); n > 1 {
					total.Content = total.Content[n-1:]
				}
			})},

		// Mutants that lose the model's reasoning, citations or usage.
		{Name: "thoughts-are-texts", Requirement: "merlin.aggregate.reasoning", Also: []string{"merlin.aggregate.collected", "merlin.aggregate.members", "merlin.aggregate.signature"}, Summary: "Of a thought the text is kept.",
			Wrap: on.Aggregates(func(total alter.Object) {
				total.Each("reasoningContent", func(thought alter.Object) { thought.Remove("index", "id", "signature") })
			})},
		{Name: "unsigned-thoughts", Requirement: "merlin.aggregate.signature", Summary: "Of a thought the text and the index are kept.",
			Apply: onTotal(func(total *merlin.Aggregate) {
				for i := range total.ReasoningContent {
					total.ReasoningContent[i].ID, total.ReasoningContent[i].Signature = "", ""
				}
			})},
		{Name: "what-is-not-shown-is-not-kept", Requirement: "merlin.aggregate.collected", Also: []string{"merlin.aggregate.reasoning"}, Summary: "Version 1 doesn't show thoughts, so it drops them.",
			Apply: on.Totals(func(c *merlin.RunState, total *merlin.Aggregate) {
				if c.Version == 1 {
					total.ReasoningContent = []merlin.Reasoning{}
				}
			})},
		{Name: "keeps-the-last-citation", Requirement: "merlin.aggregate.citations", Stateful: true, Summary: "Of the citations the last one is kept.",
			Apply: onTotal(func(total *merlin.Aggregate) {
				if n := len(total.Citations); n > 1 {
					total.Citations = total.Citations[n-1:]
				}
			})},
		{Name: "last-usage-alone", Requirement: "merlin.aggregate.usage", Summary: "Usage that comes later takes the place of what was there.",
			Apply: func(o merlin.Options) merlin.Options {
				last := &alter.PerKey[map[string]any]{}
				o = on.Deltas(func(d merlin.Delta) bool { return d.Usage != nil }).EditIn(func(c *merlin.RunState, d *merlin.Delta) { last.Set(c.Stream, d.Usage) })(o)
				return on.Totals(func(c *merlin.RunState, total *merlin.Aggregate) {
					if total.Usage != nil {
						total.Usage = last.Get(c.Stream)
					}
				})(o)
			}},
	}
}

// onTotal changes the aggregate of a stream.
func onTotal(change func(total *merlin.Aggregate)) on.Apply {
	return on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) { change(total) })
}
