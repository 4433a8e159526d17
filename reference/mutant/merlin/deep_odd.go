package merlin

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

var looksLikeAMark = regexp.MustCompile(`^\[citation: \d+: \d+\]$`)

// deepOdd err with numbers, lists and pieces that nobody expected.
func deepOdd() []Mutant {
	return []Mutant{
		{Name: "calls-up-to-the-first-hole", Requirement: "merlin.tools.every", Summary: "Calls are kept in an array, which ends where an index is missing.",
			Apply: func(o merlin.Options) merlin.Options {
				var begun alter.Ledger[[]int]
				o = on.Deltas(func(d merlin.Delta) bool { return len(d.Calls) > 0 }).EditIn(func(c *merlin.Course, d *merlin.Delta) {
					begun.With(c.Stream, func(all *[]int) {
						for _, call := range d.Calls {
							if call.Type != nil && !slices.Contains(*all, call.Index) {
								*all = append(*all, call.Index)
							}
						}
					})
				})(o)
				return on.Totals(func(c *merlin.Course, total *merlin.Aggregate) {
					all := slices.Sorted(slices.Values(begun.Get(c.Stream)))
					for n, index := range all {
						if index != n {
							total.ToolCalls = total.ToolCalls[:min(n, len(total.ToolCalls))]
							return
						}
					}
				})(o)
			}},
		{Name: "result-indexes-of-8-bits", Requirement: "merlin.subagents.result", Summary: "The index of a result has 8 bits.",
			Apply: on.Events(on.Results(true)).Edit(func(e *merlin.Event) {
				result := on.Object{}
				for name, v := range e.Data["toolCallResult"].(on.Object) {
					result[name] = v
				}
				result["index"] = int(uint8(result["index"].(int)))
				on.Set("toolCallResult", result)(e)
			})},
		{Name: "ten-values-at-once", Requirement: "merlin.progress.values", Summary: "Of values that are sent at once ten are taken.",
			Apply: on.Acts(func(a merlin.Act) bool { return a.Step != nil && len(a.Step.Values) > 10 }).Edit(func(a *merlin.Act) {
				st := *a.Step
				st.Values = st.Values[:10]
				a.Step = &st
			})},
		{Name: "citations-beside-a-text", Requirement: "merlin.citations.mark", Summary: "A citation in an event that has a text is lost.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Citation != nil && d.Content != "" }).Edit(func(d *merlin.Delta) { d.Citation = nil })},
		{Name: "types-by-their-beginning", Requirement: "merlin.citations.documents", Summary: "An attachment whose type begins with web is a source.",
			Apply: on.Begins(func(c *merlin.Course) {
				c.Start.Attachments = slices.Clone(c.Start.Attachments)
				for i, raw := range c.Start.Attachments {
					var a map[string]any
					_ = json.Unmarshal(raw, &a)
					if kind, _ := a["type"].(string); strings.HasPrefix(strings.ToLower(kind), "web") {
						a["type"] = "web"
						c.Start.Attachments[i], _ = json.Marshal(a)
					}
				}
			})},
		{Name: "marks-of-the-model", Requirement: "merlin.slices.complete", Summary: "A text that looks like a mark is taken out of what the model says.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return looksLikeAMark.MatchString(d.Content) }).Edit(func(d *merlin.Delta) { d.Content = "" })},
		{Name: "sub-agents-come-whole", Requirement: "merlin.upstream.cut", Summary: "What comes of a sub-agent's model is read piece by piece.",
			Apply: on.Acts(func(a merlin.Act) bool { return a.SubAgent != nil }).Edit(func(a *merlin.Act) {
				agent := *a.SubAgent
				cut := slices.IndexFunc(agent.Acts, func(a merlin.Act) bool { return a.Split != nil && *a.Split > 0 })
				if cut >= 0 {
					agent.Acts = agent.Acts[:cut]
				}
				a.SubAgent = &agent
			})},
		{Name: "thought-indexes-of-8-bits", Requirement: "merlin.aggregate.collected", Summary: "The index of a thought has 8 bits.",
			Apply: on.Totals(func(_ *merlin.Course, total *merlin.Aggregate) {
				for i := range total.ReasoningContent {
					total.ReasoningContent[i].Index = int(uint8(total.ReasoningContent[i].Index))
				}
			})},
	}
}
