package merlin

import (
	"bytes"
	"maps"
	"math"
	"regexp"
	"slices"

	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// escapeAsText matches a text whose end would be half a surrogate pair if its backslash weren't a character of the text.
var escapeAsText = regexp.MustCompile(`\\\\u[dD][89abAB][0-9a-fA-F]{2}"`)

// isDone reports whether a script step is the model's [DONE] event.
func isDone(a merlin.Instruction) bool { return a.Bytes != nil && *a.Bytes == "data: [DONE]\n\n" }

// deafened loses the model's output after a step that deafens matches.
func deafened(begin func() (deafens func(merlin.Instruction) bool)) on.Apply {
	return on.ScriptSteps(func(merlin.Instruction) bool { return true }).Map(func(*merlin.RunState) func(merlin.Instruction) []merlin.Instruction {
		deafens, deaf := begin(), false
		return func(a merlin.Instruction) []merlin.Instruction {
			if deaf && a.Delta != nil {
				return nil
			}
			deaf = deaf || deafens(a)
			return []merlin.Instruction{a}
		}
	})
}

// company lists mutants that err with events of several members, and with models that are done before their stream.
func company() []Mutant {
	return []Mutant{
		{Name: "calls-come-alone", Requirement: "merlin.chunks.thought", Also: []string{"merlin.aggregate.collected", "merlin.aggregate.citations", "merlin.citations.moment"},
			Summary: "Of an event with calls nothing is read but its text.",
			Apply:   on.Deltas(func(d merlin.Delta) bool { return len(d.Calls) > 0 }).Edit(func(d *merlin.Delta) { d.Reasoning, d.Citation = nil, nil })},
		{Name: "citations-beside-usage", Requirement: "merlin.citations.moment", Also: []string{"merlin.aggregate.citations", "merlin.citations.mark", "merlin.slices.complete"}, Summary: "A citation in an event with usage is lost.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Usage != nil }).Edit(func(d *merlin.Delta) { d.Citation = nil })},
		{Name: "usage-of-whole-numbers", Requirement: "merlin.aggregate.usage", Summary: "Numbers of a usage are whole ones.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Usage != nil }).Edit(func(d *merlin.Delta) {
				d.Usage = maps.Clone(d.Usage)
				for name, v := range d.Usage {
					if n, is := v.(float64); is {
						d.Usage[name] = math.Floor(n)
					}
				}
			})},
		{Name: "words-of-a-usage", Requirement: "merlin.aggregate.usage", Summary: "What is no number is left out of a usage.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Usage != nil }).Edit(func(d *merlin.Delta) {
				d.Usage = maps.Clone(d.Usage)
				maps.DeleteFunc(d.Usage, func(_ string, v any) bool {
					_, isObject := v.(map[string]any)
					_, isNumber := v.(float64)
					return !isObject && !isNumber
				})
			})},
		{Name: "signatures-of-sub-agents", Requirement: "merlin.subagents.partial", Summary: "An event of a sub-agent that has something of a thought is kept back with its text.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.SubAgent != nil }).Edit(func(a *merlin.Instruction) {
				agent := *a.SubAgent
				agent.Instructions = slices.DeleteFunc(slices.Clone(agent.Instructions), func(a merlin.Instruction) bool { return bytes.Contains(a.Delta, []byte(`"signature"`)) })
				a.SubAgent = &agent
			})},
		{Name: "done-by-a-sub-agent", Requirement: "merlin.chunks.complete", Also: []string{"merlin.chunks.thought", "merlin.upstream.noise", "merlin.failure.kept"}, Summary: "A sub-agent whose model says that it is done ends what its agent says.",
			Apply: deafened(func() func(merlin.Instruction) bool {
				return func(a merlin.Instruction) bool {
					return a.SubAgent != nil && slices.ContainsFunc(a.SubAgent.Instructions, isDone)
				}
			})},
		{Name: "done-before-another-agent", Requirement: "merlin.chunks.complete", Also: []string{"merlin.chunks.thought", "merlin.upstream.noise", "merlin.failure.kept"}, Summary: "Another agent says nothing if the model of the one before said that it was done.",
			Apply: deafened(func() func(merlin.Instruction) bool {
				done := false
				return func(a merlin.Instruction) bool {
					done = done || isDone(a)
					return done && a.Handoff != ""
				}
			})},
		{Name: "results-of-the-first-block", Requirement: "merlin.index.block", Summary: "A result that is whole has the index of the first block.",
			Apply: on.Events(on.Results(true)).EditSequence(func(*merlin.RunState) func(*merlin.Event) {
				var first any
				return func(e *merlin.Event) {
					if first == nil {
						first = e.Data["contentIndex"]
					}
					on.Set("contentIndex", first)(e)
				}
			})},
		{Name: "escapes-at-the-end", Requirement: "merlin.chunks.complete", Also: otherText, Summary: "A text that ends with the name of half a character is taken for one that was cut.",
			Apply: on.Pieces().Edit(func(piece *[]byte) { *piece = escapeAsText.ReplaceAll(*piece, []byte(`"`)) })},
	}
}
