package merlin

import (
	"slices"

	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// chunks lists the mutants of chunks.
func chunks() []Mutant {
	of := func(empty, few, some, many int) func(int) int {
		return func(waiting int) int {
			switch {
			case waiting < 1:
				return empty
			case waiting < 5:
				return few
			case waiting < 10:
				return some
			}
			return many
		}
	}

	said := on.Typed("text").Or(on.Typed("reasoning"))

	floorless := func(s merlin.Start) int {
		if s.ContentIndex != nil {
			return *s.ContentIndex
		}
		return max(s.GlobalIndex, s.EventManagerIndex)
	}
	choose := func(unasked func(s merlin.Start) int) func(merlin.Start) int {
		return func(s merlin.Start) int {
			if s.ContentIndex != nil {
				return max(*s.ContentIndex, s.GlobalIndex)
			}
			return unasked(s)
		}
	}
	later := on.Typed("text").From(4)

	inside := func(change func(result on.Object)) func(*merlin.Event) {
		return func(e *merlin.Event) {
			result := on.Object{}
			for name, v := range e.Data["toolCallResult"].(on.Object) {
				result[name] = v
			}
			change(result)
			on.Set("toolCallResult", result)(e)
		}
	}

	return []Mutant{
		{Name: "never-slows-down", Requirement: "merlin.pacing.empty", Summary: "Slices have five characters as long as the model has nothing more.", Apply: on.Sizes(5, of(5, 3, 4, 5))},
		{Name: "never-catches-up", Requirement: "merlin.pacing.full", Stateful: true, Summary: "Who is far behind goes on as before.", Apply: on.Sizes(5, of(2, 3, 4, 4))},
		{Name: "two-speeds", Requirement: "merlin.pacing.some", Also: []string{"merlin.pacing.full"}, Summary: "There is nothing between slow and fast.", Apply: on.Sizes(5, of(2, 2, 5, 5))},

		{Name: "untyped-thoughts", Requirement: "merlin.chunks.type", Also: []string{"merlin.chunks.content", "merlin.chunks.index", "merlin.chunks.reasoning"}, Summary: "Thoughts are known by their member, and have no type.", Apply: on.Frames(on.Typed("reasoning")).Remove("type")},
		{Name: "no-index", Requirement: "merlin.chunks.index", Also: []string{"merlin.chunks.content", "merlin.chunks.empty", "merlin.chunks.text"}, Summary: "Messages are ordered by their arrival.", Apply: on.Frames(said).Remove("index")},
		{Name: "index-is-a-text", Requirement: "merlin.chunks.index", Also: []string{"merlin.subagents.hidden", "merlin.subagents.once", "merlin.subagents.order"}, Stateful: true, Summary: "The index of a result is written as a string.", Apply: on.Frames(on.Results(true)).Quote("contentIndex")},
		{Name: "text-as-content", Requirement: "merlin.chunks.text", Also: []string{"merlin.chunks.complete", "merlin.chunks.content", "merlin.chunks.empty"}, Summary: "A text stands in content, as it did in version 1.",
			Apply: on.Events(on.Typed("text")).Edit(func(e *merlin.Event) {
				on.Set("content", on.Text(*e))(e)
				on.Unset("text")(e)
			})},
		{Name: "text-twice", Requirement: "merlin.chunks.content", Summary: "Content holds the text as well, for old clients.",
			Apply: on.Events(on.Typed("text")).Edit(func(e *merlin.Event) { on.Set("content", on.Text(*e))(e) })},
		{Name: "thoughts-are-objects", Requirement: "merlin.chunks.reasoning", Also: []string{"merlin.chunks.content", "merlin.chunks.index", "merlin.chunks.reasoning-empty"}, Summary: "What the model sent as reasoning is passed on.",
			Apply: on.Events(on.Typed("reasoning")).Edit(func(e *merlin.Event) { on.Set("reasoning", on.Object{"text": e.Data["reasoning"]})(e) })},
		{Name: "empty-thoughts", Requirement: "merlin.chunks.reasoning-empty", Also: []string{"merlin.chunks.content", "merlin.chunks.empty", "merlin.chunks.text"}, Stateful: true, Summary: "A signature alone is sent as an empty thought.",
			Apply: on.Events(on.Typed("text")).To(func(_ *merlin.RunState, e merlin.Event) []merlin.Event {
				thought := e
				on.Set("type", "reasoning")(&thought)
				on.Set("reasoning", "")(&thought)
				on.Unset("text")(&thought)
				return []merlin.Event{thought, e}
			})},
		{Name: "one-thought", Requirement: "merlin.chunks.thought", Also: []string{"merlin.index.block"}, Stateful: true, Summary: "Thoughts behind the first text are lost.",
			Apply: on.Events(on.Typed("reasoning").After(on.Typed("text"))).Drop()},
		{Name: "opens-version-2", Requirement: "merlin.chunks.no-init", Also: []string{"merlin.failure.ends", "merlin.failure.stopped-end", "merlin.wire.names"}, Summary: "Both versions share what opens a stream.",
			Apply: on.Events(on.Version(2).And(on.Any().Nth(1))).To(func(_ *merlin.RunState, e merlin.Event) []merlin.Event {
				return []merlin.Event{{Name: merlin.Init, Data: on.Object{}}, e}
			})},
		{Name: "marks-in-version-2", Requirement: "merlin.chunks.no-marks", Summary: "Both versions share what cites.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Citation != nil }).EditIn(func(c *merlin.RunState, d *merlin.Delta) {
				if c.Version == 2 {
					d.Content = "[citation: 1: 1]"
				}
			})},

		{Name: "takes-any-index", Requirement: "merlin.index.floor", Summary: "The caller knows best.", Apply: on.Index(floorless)},
		{Name: "forgets-the-event-manager", Requirement: "merlin.index.initial", Summary: "A stream begins at the global index.",
			Apply: on.Index(choose(func(s merlin.Start) int { return s.GlobalIndex }))},
		{Name: "forgets-everybody-else", Requirement: "merlin.index.initial", Also: []string{"merlin.progress.index"}, Stateful: true, Summary: "A stream begins at the index of the event manager, where it has one.",
			Apply: on.Index(choose(func(s merlin.Start) int {
				if s.EventManagerIndex > 0 {
					return s.EventManagerIndex
				}
				return s.GlobalIndex
			}))},
		{Name: "takes-the-global-index", Requirement: "merlin.index.unchanged", Summary: "What the caller asks for is looked at where there is a global index.",
			Apply: on.Index(func(s merlin.Start) int {
				if s.ContentIndex != nil && s.GlobalIndex > 0 {
					return max(*s.ContentIndex, s.GlobalIndex)
				}
				return max(s.GlobalIndex, s.EventManagerIndex)
			})},
		{Name: "raises-to-the-event-manager", Requirement: "merlin.index.unchanged", Stateful: true, Summary: "An index that is asked for is raised to that of the event manager.",
			Apply: on.Index(func(s merlin.Start) int {
				if s.ContentIndex != nil {
					return max(*s.ContentIndex, s.GlobalIndex, s.EventManagerIndex)
				}
				return max(s.GlobalIndex, s.EventManagerIndex)
			})},
		{Name: "second-agent-begins-again", Requirement: "merlin.index.ascending", Stateful: true, Summary: "An agent that takes over begins at 0.", Apply: secondAgent(func(int) int { return 0 })},
		{Name: "second-agent-shares-the-block", Requirement: "merlin.index.shared", Stateful: true, Summary: "An agent that takes over goes on in the block that it finds.",
			Apply: secondAgent(func(index int) int { return index - 1 })},
		{Name: "new-block-after-three-texts", Requirement: "merlin.index.block", Also: []string{"merlin.chunks.per-delta"}, Stateful: true, Summary: "A block that gets long is continued under the next index.",
			Apply: on.Events(later).Edit(func(e *merlin.Event) { on.Set("index", e.Data["index"].(int)+1)(e) })},

		{Name: "pieces-are-results", Requirement: "merlin.subagents.partial", Also: []string{"merlin.subagents.index", "merlin.subagents.order", "merlin.subagents.reasoning"}, Stateful: true, Summary: "A piece is called a result, as the whole is.",
			Apply: on.Events(on.Results(false)).Edit(inside(func(r on.Object) {
				r["result"] = r["delta"]
				delete(r, "delta")
			}))},
		{Name: "pieces-are-numbered", Requirement: "merlin.subagents.index", Also: []string{"merlin.subagents.order", "merlin.subagents.partial", "merlin.subagents.same"}, Stateful: true, Summary: "Each piece of a result has the next index.",
			Apply: on.Events(on.Results(false)).EditSequence(func(*merlin.RunState) func(*merlin.Event) {
				n := 0
				return func(e *merlin.Event) {
					on.Set("index", e.Data["index"].(int)+n)(e)
					n++
				}
			})},
		{Name: "pieces-at-the-index-of-the-result", Requirement: "merlin.subagents.index", Also: []string{"merlin.subagents.order"}, Summary: "A piece has the index of its result in both places.",
			Apply: on.Events(on.Results(false)).Edit(func(e *merlin.Event) { on.Set("index", e.Data["toolCallResult"].(on.Object)["index"])(e) })},
		{Name: "nameless-results", Requirement: "merlin.subagents.result", Also: []string{"merlin.subagents.hidden", "merlin.subagents.once", "merlin.subagents.order"}, Summary: "A result doesn't say of which tool it is.",
			Apply: on.Events(on.Results(true)).Edit(inside(func(r on.Object) { delete(r, "function") }))},
		{Name: "no-results", Requirement: "merlin.subagents.result", Also: []string{"merlin.subagents.hidden", "merlin.subagents.once", "merlin.subagents.order"}, Stateful: true, Summary: "The result isn't sent: its pieces were.", Apply: on.Events(on.Results(true)).Drop()},
		{Name: "results-twice", Requirement: "merlin.subagents.once", Also: []string{"merlin.subagents.hidden", "merlin.subagents.order", "merlin.subagents.result"}, Summary: "The tool and the agent both send the result.", Apply: on.Events(on.Results(true)).Repeat()},
		{Name: "loses-a-piece", Requirement: "merlin.subagents.same", Also: []string{"merlin.subagents.index", "merlin.subagents.order", "merlin.subagents.partial"}, Stateful: true, Summary: "The second piece of a result is lost.", Apply: on.Events(on.Results(false).Nth(2)).Drop()},
		{Name: "last-piece-late", Requirement: "merlin.subagents.order", Also: []string{"merlin.subagents.same"}, Stateful: true, Summary: "A piece is sent when the next event is there.", Apply: on.Events(on.Results(false)).Delay(on.Results(true))},
		{Name: "suppresses-no-sub-agent", Requirement: "merlin.subagents.hidden", Also: []string{"merlin.subagents.same"}, Summary: "The switch is that of the parent.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.SubAgent != nil }).Edit(func(a *merlin.Instruction) {
				open := *a.SubAgent
				open.Suppress = false
				a.SubAgent = &open
			})},
		{Name: "sub-agents-think-aloud", Requirement: "merlin.subagents.reasoning", Also: []string{"merlin.subagents.hidden", "merlin.subagents.index", "merlin.subagents.order"}, Summary: "What a sub-agent thinks is sent as the parent's thought.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.SubAgent != nil }).To(func(_ *merlin.RunState, a merlin.Instruction) []merlin.Instruction {
				return append(slices.Clone(a.SubAgent.Instructions[:1]), a)
			})},
	}
}

// secondAgent changes the index of the output of an agent that takes over.
func secondAgent(change func(index int) int) on.Apply {
	return on.Events(on.Typed("text")).EditSequence(func(*merlin.RunState) func(*merlin.Event) {
		first, known := 0, false
		return func(e *merlin.Event) {
			index := e.Data["index"].(int)
			if !known {
				first, known = index, true
			}
			if index > first {
				on.Set("index", change(index))(e)
			}
		}
	})
}
