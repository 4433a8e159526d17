package merlin

import (
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// members are those that an object of JavaScript has from the beginning.
var members = []string{"constructor", "__proto__", "toString"}

// names lists mutants that look values up by a name, or an id, that another value has as well.
func names() []Mutant {
	return []Mutant{
		{Name: "steps-are-members", Requirement: "merlin.progress.created", Also: []string{"merlin.progress.latest-new", "merlin.progress.values"},
			Summary: "Steps are the members of an object, which has some from the beginning.",
			Apply:   on.ScriptSteps(func(a merlin.Instruction) bool { return a.Step != nil && slices.Contains(members, a.Step.Step) }).Drop()},
		{Name: "cited-texts-are-members", Requirement: "merlin.citations.mark", Also: []string{"merlin.citations.attachments", "merlin.aggregate.citations"},
			Summary: "Texts that are cited are the members of an object, which has some from the beginning.",
			Apply:   on.Deltas(func(d merlin.Delta) bool { return d.Citation != nil && slices.Contains(members, d.Citation.Text) }).Edit(func(d *merlin.Delta) { d.Citation = nil })},
		{Name: "agents-that-come-back", Requirement: "merlin.index.shared", Stateful: true, Summary: "An agent that comes back goes on under the index that it had.",
			Apply: comesBack},
		{Name: "calls-by-their-id", Requirement: "merlin.tools.assembled", Summary: "Calls are told apart by their ids, and not by their indexes.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				seen := map[string]bool{}
				total.ToolCalls = slices.DeleteFunc(total.ToolCalls, func(c merlin.ToolCall) bool {
					twice := seen[c.ID]
					seen[c.ID] = true
					return twice
				})
			})},
		{Name: "calls-begin-with-null", Requirement: "merlin.tools.assembled", Summary: "Arguments with which a call begins are left out if they are null.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return len(d.Calls) > 0 }).Edit(func(d *merlin.Delta) {
				d.Calls = slices.Clone(d.Calls)
				for i := range d.Calls {
					if call := &d.Calls[i]; call.Type != nil && call.Function.Arguments == "null" {
						call.Function.Arguments = ""
					}
				}
			})},
	}
}

// comesBack gives an agent the index that it had before. Each that goes on has the index above that of the one before.
func comesBack(o merlin.Options) merlin.Options {
	var all alter.PerKey[[]string] // who spoke in a stream, by turns
	first := o.Index
	o = on.ScriptSteps(func(a merlin.Instruction) bool { return a.Handoff != "" }).EditIn(func(c *merlin.RunState, a *merlin.Instruction) {
		all.With(c.Stream, func(agents *[]string) { *agents = append(*agents, a.Handoff) })
	})(o)
	return on.Events(on.Typed("text")).EditIn(func(c *merlin.RunState, e *merlin.Event) {
		index, _ := e.Data["index"].(int)
		agents, turn := all.Get(c.Stream), index-first(c.Start)-1
		if 0 <= turn && turn < len(agents) {
			on.Set("index", index-turn+slices.Index(agents, agents[turn]))(e)
		}
	})(o)
}
