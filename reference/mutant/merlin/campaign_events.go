package merlin

import (
	"maps"
	"net/url"
	"slices"

	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// rareEvents err with events of the model that wait, come twice or hold several things at once.
func rareEvents() []Mutant {
	return []Mutant{
		{Name: "waits-end-an-event", Requirement: "merlin.upstream.cut", Stateful: true, Also: []string{"merlin.chunks.complete", "merlin.slices.complete"},
			Summary: "What has come of an event when the model pauses is taken for all of it.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.Await != "" }).To(func(_ *merlin.RunState, a merlin.Instruction) []merlin.Instruction {
				return []merlin.Instruction{a, {Bytes: new("\n\n")}}
			})},
		{Name: "thoughts-that-are-equal", Requirement: "merlin.chunks.thought", Stateful: true, Also: []string{"merlin.aggregate.collected"},
			Summary: "A thought that is the one before it is taken for a redelivery.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Reasoning != nil && d.Reasoning.Text != "" }).EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
				var last merlin.Reasoning
				return func(d *merlin.Delta) {
					if now := *d.Reasoning; now == last {
						d.Reasoning = nil
					} else {
						last = now
					}
				}
			})},
		{Name: "citations-silence-a-thought", Requirement: "merlin.aggregate.collected", Summary: "Of an event of the model with a citation in it nothing is thought.", Also: []string{"merlin.chunks.thought"},
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Citation != nil }).Edit(func(d *merlin.Delta) { d.Reasoning = nil })},
		{Name: "calls-hide-the-usage", Requirement: "merlin.aggregate.usage", Summary: "An event of the model with calls in it is read for nothing that it used.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return len(d.Calls) > 0 }).Edit(func(d *merlin.Delta) { d.Usage = nil })},
		{Name: "calls-that-go-on-first", Requirement: "merlin.tools.assembled", Also: []string{"merlin.tools.every"},
			Summary: "Of the entries of an event those are taken in first that go on with a call.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return len(d.Calls) > 1 }).Edit(func(d *merlin.Delta) {
				d.Calls = slices.Clone(d.Calls)
				slices.SortStableFunc(d.Calls, func(a, b merlin.CallPart) int { return rank(a) - rank(b) })
			})},
		{Name: "calls-begin-with-a-name", Requirement: "merlin.tools.assembled",
			Summary: "An entry that names its tool begins a call, also where the model names it in each entry.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return len(d.Calls) > 0 }).Edit(func(d *merlin.Delta) {
				d.Calls = slices.Clone(d.Calls)
				for i := range d.Calls {
					if d.Calls[i].Function.Name != "" {
						kind := "function"
						d.Calls[i].Type = &kind
					}
				}
			})},
		{Name: "one-signature", Requirement: "merlin.aggregate.signature", Stateful: true, Summary: "The signature of the first thought is kept, and no other.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				for i := range total.ReasoningContent {
					if i > 0 {
						total.ReasoningContent[i].Signature = ""
					}
				}
			})},
		{Name: "who-stops-thought-nothing", Requirement: "merlin.failure.stopped-partial", Stateful: true, Summary: "Of a request that was stopped the text is stored, and no thought.",
			Apply: on.Totals(func(c *merlin.RunState, total *merlin.Aggregate) {
				if c.Stopped {
					total.ReasoningContent = []merlin.Reasoning{}
				}
			})},
		{Name: "who-goes-on-is-heard", Requirement: "merlin.chunks.suppressed", Stateful: true, Summary: "An agent that goes on in a stream that is suppressed is sent.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.Handoff != "" }).EditIn(func(c *merlin.RunState, _ *merlin.Instruction) { c.Start.Suppress = false })},
	}
}

// rank is 0 for an entry that goes on with a call, and 1 for one that begins it.
func rank(p merlin.CallPart) int {
	if p.Type == nil {
		return 0
	}
	return 1
}

// emptyTexts lists mutants that err with empty values, and with rare forms of steps and ids.
func emptyTexts() []Mutant {
	return []Mutant{
		{Name: "titles-that-are-empty", Requirement: "merlin.citations.attachments", Also: []string{"merlin.citations.documents"}, Summary: "The title of a source is left out where it is empty.",
			Apply: on.Events(on.Named(merlin.Attachments)).Edit(func(e *merlin.Event) {
				var payload []any
				for _, item := range e.Data["payload"].([]any) {
					shown := maps.Clone(item.(on.Object))
					if shown["title"] == "" {
						delete(shown, "title")
					}
					payload = append(payload, shown)
				}
				on.Set("payload", payload)(e)
			})},
		{Name: "results-that-are-empty", Requirement: "merlin.subagents.same", Summary: "A result is left out of its message where it is empty.",
			Apply: on.Events(on.Results(true), on.If(func(e merlin.Event) bool {
				result, _ := e.Data["toolCallResult"].(on.Object)
				return result["result"] == ""
			})).Edit(func(e *merlin.Event) {
				result := maps.Clone(e.Data["toolCallResult"].(on.Object))
				delete(result, "result")
				on.Set("toolCallResult", result)(e)
			})},
		{Name: "values-that-are-empty", Requirement: "merlin.progress.values", Summary: "A value of a step that is an empty text is taken for none.",
			Apply: on.OnSteps("", func(st on.Object) {
				st["values"] = slices.DeleteFunc(slices.Clone(st["values"].([]any)), func(v any) bool {
					value, _ := v.(on.Object)
					return value["value"] == ""
				})
			})},
		{Name: "steps-of-a-suppressed-stream", Requirement: "merlin.progress.created", Summary: "A stream that is suppressed shows no steps either.",
			Apply: on.Events(on.Typed("progress"), on.For(func(c *merlin.RunState) bool { return c.Start.Suppress })).Drop()},
		{Name: "latest-that-is-open", Requirement: "merlin.progress.latest", Stateful: true, Also: []string{"merlin.progress.latest-new"},
			Summary: "The latest step of a name is looked for among those that are done, and the newest.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.Step != nil && a.Step.Step != "" }).EditSequence(func(*merlin.RunState) func(*merlin.Instruction) {
				done, newest := map[string]bool{}, ""
				return func(a *merlin.Instruction) {
					st := *a.Step
					if st.Do == "latest" && !done[st.Step] && st.Step != newest {
						st.Do = "create"
					}
					if done[st.Step] = done[st.Step] && st.Do != "latest" || st.Do == "end"; st.Do == "create" {
						newest = st.Step
					}
					a.Step = &st
				}
			})},
		{Name: "ids-of-calls-escaped", Requirement: "merlin.subagents.result", Summary: "The id of a call is escaped as if it stood in an address.",
			Apply: on.Events(on.Results(true)).Edit(func(e *merlin.Event) {
				result := maps.Clone(e.Data["toolCallResult"].(on.Object))
				result["toolCallId"] = url.PathEscape(result["toolCallId"].(string))
				on.Set("toolCallResult", result)(e)
			})},
	}
}
