package merlin

import (
	"maps"
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// rareIndexes err with indexes that are large, or missing.
func rareIndexes() []Mutant {
	return []Mutant{
		{Name: "indexes-of-16-bits", Requirement: "merlin.index.floor", Summary: "An index has 16 bits.",
			Apply: func(o merlin.Options) merlin.Options {
				inner := o.Index
				return on.Index(func(s merlin.Start) int { return int(uint16(inner(s))) })(o)
			}},
		{Name: "zero-is-not-asked-for", Requirement: "merlin.index.unchanged", Summary: "Whoever asks for the index 0 is taken to ask for none.",
			Apply: func(o merlin.Options) merlin.Options {
				inner := o.Index
				return on.Index(func(s merlin.Start) int {
					if s.ContentIndex != nil && *s.ContentIndex == 0 {
						s.ContentIndex = nil
					}
					return inner(s)
				})(o)
			}},
		{Name: "managers-of-16-bits", Requirement: "merlin.progress.index", Summary: "The index of a manager has 15 bits and a sign.",
			Apply: on.Events(on.Typed("progress")).Edit(func(e *merlin.Event) { on.Set("index", int(int16(e.Data["index"].(int))))(e) })},
		{Name: "result-indexes-of-8-bits", Requirement: "merlin.subagents.result", Summary: "The index of a result has 8 bits.",
			Apply: on.Events(on.Results(true)).Edit(func(e *merlin.Event) {
				result := maps.Clone(e.Data["toolCallResult"].(on.Object))
				result["index"] = int(uint8(result["index"].(int)))
				on.Set("toolCallResult", result)(e)
			})},
		{Name: "thought-indexes-of-8-bits", Requirement: "merlin.aggregate.collected", Summary: "The index of a thought has 8 bits.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				for i := range total.ReasoningContent {
					total.ReasoningContent[i].Index = int(uint8(total.ReasoningContent[i].Index))
				}
			})},
		{Name: "calls-up-to-the-first-hole", Requirement: "merlin.tools.assembled", Summary: "Calls are kept in an array, which ends where an index is missing.",
			Apply: func(o merlin.Options) merlin.Options {
				var begun alter.PerKey[[]int]
				o = on.Deltas(func(d merlin.Delta) bool { return len(d.Calls) > 0 }).EditIn(func(c *merlin.RunState, d *merlin.Delta) {
					begun.With(c.Stream, func(all *[]int) {
						for _, call := range d.Calls {
							if call.Type != nil && !slices.Contains(*all, call.Index) {
								*all = append(*all, call.Index)
							}
						}
					})
				})(o)
				return on.Totals(func(c *merlin.RunState, total *merlin.Aggregate) {
					all := slices.Sorted(slices.Values(begun.Get(c.Stream)))
					for n, index := range all {
						if index != n {
							total.ToolCalls = total.ToolCalls[:min(n, len(total.ToolCalls))]
							return
						}
					}
				})(o)
			}},
	}
}
