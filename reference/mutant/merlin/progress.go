package merlin

import (
	"slices"

	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// progress lists the mutants of progress.
func progress() []Mutant {
	asMessage := func(e *merlin.Event) {
		progress, _ := e.Data["payload"].(on.Object)
		if on.Step(*e) != nil {
			progress = on.Object{"steps": on.Step(*e)}
		}
		*e = merlin.Event{Name: merlin.Message, Data: on.Object{"content": "", "type": "progress", "index": 0, "progress": progress}}
	}
	asEvent := func(e *merlin.Event) {
		*e = merlin.Event{Name: merlin.Progress, Data: on.Object{"payload": on.Step(*e)}}
	}
	v1, v2 := on.Version(1), on.Version(2)

	return []Mutant{
		// Mutants that change the events of a step.
		{Name: "steps-begin-done", Requirement: "merlin.progress.created", Also: []string{"merlin.progress.done", "merlin.progress.latest", "merlin.progress.latest-new"}, Stateful: true, Summary: "The first message about a step has the status that it will have.",
			Apply: on.Events(on.Steps("").Nth(1)).Edit(func(e *merlin.Event) { on.Step(*e)["status"] = "DONE" })},
		{Name: "no-values-yet", Requirement: "merlin.progress.members", Also: []string{"merlin.progress.tags", "merlin.progress.values"}, Summary: "Values that aren't there are left out.",
			Apply: on.OnSteps("", func(st on.Object) {
				if len(st["values"].([]any)) == 0 {
					delete(st, "values")
				}
			})},
		{Name: "counted-steps", Requirement: "merlin.progress.uuid", Summary: "Ids are counted.", Apply: on.OnSteps("", func(st on.Object) { st["id"] = "step-" + st["name"].(string) })},
		{Name: "no-default-icon", Requirement: "merlin.progress.icon", Summary: "A step without an icon has none.",
			Apply: on.OnSteps("", func(st on.Object) {
				if st["icon"] == "DEFAULT" {
					st["icon"] = "NONE"
				}
			})},
		{Name: "icons-of-the-beginning", Requirement: "merlin.progress.kept", Stateful: true, Summary: "The icon is sent when a step is created, and is the default one from then on.",
			Apply: on.Events(on.Steps("").And(on.If(func(e merlin.Event) bool { values, _ := on.Step(e)["values"].([]any); return len(values) > 0 }))).Edit(func(e *merlin.Event) { on.Step(*e)["icon"] = "DEFAULT" })},
		{Name: "values-gone-when-done", Requirement: "merlin.progress.values", Also: []string{"merlin.progress.tags"}, Stateful: true, Summary: "A step that is done has no values any more.",
			Apply: on.OnSteps("DONE", func(st on.Object) { st["values"] = []any{} })},

		// Mutants that change the status of a step.
		{Name: "never-done", Requirement: "merlin.progress.done", Also: []string{"merlin.progress.created", "merlin.progress.finished", "merlin.progress.latest"}, Summary: "The end of a step is sent with the status that it had.",
			Apply: on.OnSteps("DONE", func(st on.Object) { st["status"] = "IN_PROGRESS" })},
		{Name: "one-id-for-all", Requirement: "merlin.progress.same-step", Also: []string{"merlin.progress.numbered"}, Stateful: true, Summary: "All steps of a manager have the id of the first.",
			Apply: on.Events(on.Steps("")).EditSequence(func(*merlin.RunState) func(*merlin.Event) {
				var id any
				return func(e *merlin.Event) {
					if id == nil {
						id = on.Step(*e)["id"]
					}
					on.Step(*e)["id"] = id
				}
			})},
		{Name: "tags-reopen", Requirement: "merlin.progress.reopened", Also: []string{"merlin.progress.finished"}, Stateful: true, Summary: "Who adds a tag is still at work.",
			Apply: on.OnSteps("DONE", func(st on.Object) {
				if len(st["values"].([]any)) > 0 && st["values"].([]any)[0].(on.Object)["value"] == "late" {
					st["status"] = "IN_PROGRESS"
				}
			})},

		// These get tags and numbers of steps wrong.
		{Name: "status-in-lower-case", Requirement: "merlin.progress.status", Also: []string{"merlin.progress.created", "merlin.progress.done", "merlin.progress.finished"}, Summary: "The status is written as people would.",
			Apply: on.OnSteps("DONE", func(st on.Object) { st["status"] = "done" })},
		{Name: "tags-are-no-values", Requirement: "merlin.progress.tags", Summary: "Tags are tags, and no values.",
			Apply: on.OnSteps("", func(st on.Object) {
				st["values"] = slices.DeleteFunc(slices.Clone(st["values"].([]any)), func(v any) bool {
					value, _ := v.(on.Object)
					return value["value"] == "web" || value["value"] == "news"
				})
			})},
		{Name: "last-tags", Requirement: "merlin.progress.tags-kept", Stateful: true, Summary: "New tags take the place of those before.",
			Apply: on.OnSteps("", func(st on.Object) {
				if tags, _ := st["tags"].([]any); len(tags) > 1 {
					st["tags"] = tags[len(tags)-1:]
				}
			})},
		{Name: "loses-the-last-end", Requirement: "merlin.progress.finished", Also: []string{"merlin.progress.latest", "merlin.progress.numbered", "merlin.progress.reopened"}, Stateful: true, Summary: "The stream ends before the step that was begun first.",
			Apply: on.Events(on.Steps("DONE").Nth(2)).Drop()},
		{Name: "numbers-from-one", Requirement: "merlin.progress.numbered", Summary: "Steps are counted from 1.",
			Apply: on.OnSteps("", func(st on.Object) {
				if n, is := st["index"].(int); is {
					st["index"] = n + 1
				}
			})},
		{Name: "numbers-of-messages", Requirement: "merlin.progress.numbered", Stateful: true, Summary: "The number of a step is that of its message.",
			Apply: on.Events(on.Steps("")).EditSequence(func(*merlin.RunState) func(*merlin.Event) {
				n := 0
				return func(e *merlin.Event) {
					if on.Step(*e)["index"] != nil {
						on.Step(*e)["index"] = n
					}
					n++
				}
			})},

		// Mutants that change the form of a version, or the operations of a manager.
		{Name: "steps-are-messages", Requirement: "merlin.progress.v1-event", Also: []string{"merlin.progress.created", "merlin.progress.default-version", "merlin.progress.members"}, Summary: "Version 1 sends the steps of version 2.", Apply: on.Events(v1.And(on.Steps(""))).Edit(asMessage)},
		{Name: "titles-are-messages", Requirement: "merlin.progress.rename", Stateful: true, Summary: "A new title is sent in the form of version 2, whatever the version.",
			Apply: on.Events(v1.And(on.Headings().From(2))).Edit(asMessage)},
		{Name: "latest-is-an-event", Requirement: "merlin.chunks.no-v1-events", Stateful: true, Summary: "A step that goes on is sent in the form of version 1, whatever the version.",
			Apply: on.Events(v2.And(on.Steps("IN_PROGRESS").From(2))).Edit(asEvent)},
		{Name: "flat-steps", Requirement: "merlin.progress.v2-message", Also: []string{"merlin.progress.created", "merlin.progress.done", "merlin.progress.members"}, Summary: "A step stands in progress itself.",
			Apply: on.Events(v2.And(on.Steps(""))).Edit(func(e *merlin.Event) { on.Set("progress", on.Step(*e))(e) })},
		{Name: "steps-move-with-the-text", Requirement: "merlin.progress.index", Stateful: true, Summary: "Steps behind a text are sent under its index.",
			Apply: on.Events(v2.And(on.Steps("").After(on.Typed("text")))).EditIn(func(c *merlin.RunState, e *merlin.Event) { on.Set("index", c.Start.GlobalIndex)(e) })},
		{Name: "title-behind-the-step", Requirement: "merlin.progress.heading", Also: []string{"merlin.progress.created", "merlin.progress.default-version", "merlin.progress.members"}, Stateful: true, Summary: "The title is sent when the first step was.", Apply: on.Events(v1.And(on.Headings().Nth(1))).Delay(on.Any())},
		{Name: "latest-is-still-done", Requirement: "merlin.progress.latest", Also: []string{"merlin.progress.latest-new"}, Stateful: true, Summary: "A step that goes on has the status that it had.",
			Apply: on.ScriptSteps(doing("latest")).Edit(func(a *merlin.Instruction) { a.Step = doneBy(a.Step, "send") })},
		{Name: "latest-needs-one", Requirement: "merlin.progress.latest-new", Also: []string{"merlin.progress.latest"}, Summary: "Where there is no step of the name nothing happens.",
			Apply: on.ScriptSteps(doing("latest")).Map(func(*merlin.RunState) func(merlin.Instruction) []merlin.Instruction {
				return func(a merlin.Instruction) []merlin.Instruction {
					if a.Step.Icon == "" && a.Step.Step == "Search" {
						a.Step = doneBy(a.Step, "send")
					}
					return []merlin.Instruction{a}
				}
			})},
		{Name: "version-2-is-the-default", Requirement: "merlin.progress.default-version", Also: []string{"merlin.progress.v1-event", "merlin.wire.payload"}, Summary: "A manager without a version is of the current one.",
			Apply: on.Begins(func(c *merlin.RunState) {
				if c.Start.Manager == "" {
					c.Start.Manager = "V2"
				}
			})},
		{Name: "titles-in-version-2", Requirement: "merlin.progress.no-heading", Also: []string{"merlin.progress.created", "merlin.progress.done", "merlin.progress.members"}, Summary: "Both versions share what makes a manager.",
			Apply: on.Events(v2.And(on.Steps("").Nth(1))).To(func(_ *merlin.RunState, e merlin.Event) []merlin.Event {
				title := e
				on.Set("progress", on.Object{})(&title)
				on.Set("metadata", on.Object{"type": "HEADING"})(&title)
				return []merlin.Event{title, e}
			})},
	}
}

// doing matches an operation of the event manager.
func doing(what string) func(merlin.Instruction) bool {
	return func(a merlin.Instruction) bool { return a.Step != nil && a.Step.Do == what }
}

// doneBy returns an operation on a step by another name.
func doneBy(act *merlin.StepInstruction, what string) *merlin.StepInstruction {
	other := *act
	other.Do = what
	return &other
}
