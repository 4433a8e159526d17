package merlin

import (
	"reflect"
	"slices"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// likenesses lists mutants that err with values that resemble another one, or resemble an end.
func likenesses() []Mutant {
	return []Mutant{
		{Name: "citations-in-any-case", Requirement: "merlin.aggregate.citations", Also: []string{"merlin.citations.mark", "merlin.citations.attachments"},
			Summary: "Texts that are cited are told apart by their letters, whatever their case.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Citation != nil }).EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
				first := map[string]string{}
				return func(d *merlin.Delta) {
					folded := strings.ToLower(d.Citation.Text)
					if _, known := first[folded]; !known {
						first[folded] = d.Citation.Text
					}
					d.Citation = &merlin.Citation{Document: d.Citation.Document, Text: first[folded]}
				}
			})},
		{Name: "steps-in-any-case", Requirement: "merlin.progress.latest-new", Summary: "The latest step of a name is looked up whatever the case of its letters.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.Step != nil }).EditSequence(func(*merlin.RunState) func(*merlin.Instruction) {
				var names []string
				return func(a *merlin.Instruction) {
					at := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, a.Step.Step) })
					if at < 0 {
						names = append(names, a.Step.Step)
						return
					}
					if step := *a.Step; step.Do == "latest" {
						step.Step = names[at]
						a.Step = &step
					}
				}
			})},
		{Name: "values-are-a-set", Requirement: "merlin.progress.values", Summary: "A value that a step has already is not added to it.",
			Apply: on.OnSteps("", func(st on.Object) {
				kept := []any{}
				for _, v := range st["values"].([]any) {
					if !slices.ContainsFunc(kept, func(other any) bool { return reflect.DeepEqual(v, other) }) {
						kept = append(kept, v)
					}
				}
				st["values"] = kept
			})},
		{Name: "empty-pieces-end-calls", Requirement: "merlin.tools.assembled", Summary: "A piece of a call without arguments is taken for its end, and what follows is left out.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return len(d.Calls) > 0 }).EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
				ended := map[int]bool{}
				return func(d *merlin.Delta) {
					var kept []merlin.CallPart
					for _, part := range d.Calls {
						goesOn := part.Type == nil
						if goesOn && part.Function.Arguments == "" {
							ended[part.Index] = true
						}
						if !goesOn || !ended[part.Index] {
							kept = append(kept, part)
						}
					}
					d.Calls = kept
				}
			})},
		{Name: "last-words-silence-the-usage", Requirement: "merlin.aggregate.usage", Summary: "An event of the model with a text in it is read for its text alone.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Content != "" }).Edit(func(d *merlin.Delta) { d.Usage = nil })},
	}
}

// lookups lists mutants that look values up by more than their name, or treat a value as absent.
func lookups() []Mutant {
	return []Mutant{
		{Name: "steps-by-their-icon", Requirement: "merlin.progress.latest", Summary: "The latest step of a name is none if another icon is asked for.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.Step != nil && a.Step.Do == "latest" && a.Step.Icon != "" }).Edit(func(a *merlin.Instruction) {
				st := *a.Step
				st.Do, a.Step = "create", &st
			})},
		{Name: "thoughts-of-white-space", Requirement: "merlin.chunks.thought", Summary: "A thought of white space is taken for an empty one.",
			Apply: on.Events(on.Typed("reasoning"), on.If(func(e merlin.Event) bool {
				thought, _ := e.Data["reasoning"].(string)
				return strings.TrimSpace(thought) == ""
			})).Drop()},
	}
}
