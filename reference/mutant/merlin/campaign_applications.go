package merlin

import (
	"encoding/json"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// applications lists mutants that err with values in the form of a certain application or model.
func applications() []Mutant {
	return []Mutant{
		{Name: "usage-of-numbers", Requirement: "merlin.aggregate.usage", Summary: "A usage with anything but numbers in it can't be read, and is none.",
			Apply: on.Deltas(nil).Edit(func(d *merlin.Delta) {
				for _, v := range d.Usage {
					if _, is := v.(float64); !is {
						d.Usage = nil
						return
					}
				}
			})},
		{Name: "tools-of-64-characters", Requirement: "merlin.tools.assembled", Summary: "The name of a tool has 64 characters.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				for i := range total.ToolCalls {
					f := &total.ToolCalls[i].Function
					f.Name = f.Name[:min(len(f.Name), 64)]
				}
			})},
		{Name: "addresses-without-a-query", Requirement: "merlin.citations.documents", Summary: "The query is taken out of the address of a source, since pages are tracked by it.",
			Apply: on.Begins(func(c *merlin.RunState) {
				for i, raw := range c.Start.Attachments {
					var a map[string]string
					if json.Unmarshal(raw, &a) != nil {
						continue
					}
					a["url"], _, _ = strings.Cut(a["url"], "?")
					c.Start.Attachments[i], _ = json.Marshal(a) // texts
				}
			})},
		{Name: "values-are-texts", Requirement: "merlin.progress.values", Summary: "A value of a step that is no text isn't shown.",
			Apply: on.OnSteps("", func(st on.Object) {
				kept := []any{}
				for _, v := range st["values"].([]any) {
					if object, is := v.(map[string]any); !is || object["type"] == "TEXT" {
						kept = append(kept, v)
					}
				}
				st["values"] = kept
			})},
		{Name: "calls-silence-a-text", Requirement: "merlin.chunks.complete", Also: []string{"merlin.slices.complete"},
			Summary: "An event of the model with calls in it is read for its calls alone.",
			Apply:   on.Deltas(func(d merlin.Delta) bool { return len(d.Calls) > 0 }).Edit(func(d *merlin.Delta) { d.Content = "" })},
	}
}
