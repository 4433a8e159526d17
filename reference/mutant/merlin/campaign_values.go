package merlin

import (
	"maps"
	"slices"

	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// withoutNulls returns a value without the members that are null, at any depth.
func withoutNulls(v any) any {
	switch v := v.(type) {
	case on.Object:
		out := on.Object{}
		for name, member := range v {
			if member != nil {
				out[name] = withoutNulls(member)
			}
		}
		return out
	case []any:
		out := []any{}
		for _, item := range v {
			out = append(out, withoutNulls(item))
		}
		return out
	}
	return v
}

// values err with values, results and tags that are many, are alike or hold nothing.
func values() []Mutant {
	return []Mutant{
		{Name: "results-that-are-equal", Requirement: "merlin.subagents.result", Stateful: true, Summary: "A result that says what an earlier one of its stream does is taken for that.",
			Apply: on.Events(on.Results(true)).Map(once("result"))},
		{Name: "pieces-that-are-equal", Requirement: "merlin.subagents.partial", Stateful: true, Summary: "A piece of a result that was sent before is taken for a redelivery.",
			Apply: on.Events(on.Results(false)).Map(once("delta"))},
		{Name: "nulls-of-values-are-none", Requirement: "merlin.progress.values", Summary: "Members that are null are left out of what a value of a step holds.",
			Apply: on.OnSteps("", func(st on.Object) {
				all := slices.Clone(st["values"].([]any))
				for i, v := range all {
					if value, is := v.(on.Object); is {
						value = maps.Clone(value)
						value["value"] = withoutNulls(value["value"])
						all[i] = value
					}
				}
				st["values"] = all
			})},
		{Name: "tags-are-a-set", Requirement: "merlin.progress.tags", Summary: "A tag that is sent twice at once is one.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.Step != nil && len(a.Step.Tags) > 0 }).Edit(func(a *merlin.Instruction) {
				st := *a.Step
				var tags []string
				for _, tag := range st.Tags {
					if !slices.Contains(tags, tag) {
						tags = append(tags, tag)
					}
				}
				st.Tags = tags
				a.Step = &st
			})},
		{Name: "ten-values-at-once", Requirement: "merlin.progress.values", Summary: "Of values that are sent at once ten are taken.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.Step != nil && len(a.Step.Values) > 10 }).Edit(func(a *merlin.Instruction) {
				st := *a.Step
				st.Values = st.Values[:10]
				a.Step = &st
			})},
	}
}

// once drops a result, or a piece of one, whose member equals that of an earlier one of its stream.
func once(member string) func(*merlin.RunState) func(merlin.Event) []merlin.Event {
	return func(*merlin.RunState) func(merlin.Event) []merlin.Event {
		seen := map[any]bool{}
		return func(e merlin.Event) []merlin.Event {
			said := e.Data["toolCallResult"].(on.Object)[member]
			if seen[said] {
				return nil
			}
			seen[said] = true
			return []merlin.Event{e}
		}
	}
}
