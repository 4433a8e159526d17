package merlin

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// deepSources err with many sources, with some that are alike, and with what is cited of them.
func deepSources() []Mutant {
	return []Mutant{
		{Name: "documents-of-one-digit", Requirement: "merlin.citations.mark", Summary: "The number of a document in a mark has one digit.",
			Apply: on.Events(on.Slices(), on.If(isMark)).Edit(func(e *merlin.Event) {
				var document, text int
				if _, err := fmt.Sscanf(on.Text(*e), "[citation: %d: %d]", &document, &text); err == nil {
					on.Set("content", fmt.Sprintf("[citation: %d: %d]", document%10, text))(e)
				}
			})},
		{Name: "pages-are-sources", Requirement: "merlin.citations.documents", Summary: "Two sources of one page are one.", Apply: on.Begins(pagesOnce)},
		{Name: "cited-whatever-the-case", Requirement: "merlin.citations.attachments", Summary: "Texts that are cited are compared in lower case.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Citation != nil }).EditCourse(func(*merlin.Course) func(*merlin.Delta) {
				first := map[string]string{}
				return func(d *merlin.Delta) {
					key := fmt.Sprint(d.Citation.Document, strings.ToLower(d.Citation.Text))
					if first[key] == "" {
						first[key] = d.Citation.Text
					}
					again := *d.Citation
					again.Text = first[key]
					d.Citation = &again
				}
			})},
	}
}

// pagesOnce leaves out attachments of a page that another one is of.
func pagesOnce(c *merlin.Course) {
	seen := map[string]bool{}
	c.Start.Attachments = slices.DeleteFunc(slices.Clone(c.Start.Attachments), func(raw json.RawMessage) bool {
		var a struct{ Type, URL string }
		again := json.Unmarshal(raw, &a) == nil && a.Type == "web" && seen[a.URL]
		seen[a.URL] = true
		return again
	})
}

// deepAgents err with what some sub-agents say.
func deepAgents() []Mutant {
	return []Mutant{
		{Name: "agents-in-pieces", Requirement: "merlin.subagents.partial", Summary: "What the model of a sub-agent sends is read piece by piece, and an event that is cut says nothing.",
			Apply: on.Acts(func(a merlin.Act) bool { return a.SubAgent != nil }).Edit(func(a *merlin.Act) {
				if slices.ContainsFunc(a.SubAgent.Acts, func(said merlin.Act) bool { return said.Split != nil && *said.Split > 0 }) {
					silent := *a.SubAgent
					silent.Acts = nil
					a.SubAgent = &silent
				}
			})},
		{Name: "nothing-is-no-result", Requirement: "merlin.subagents.result", Summary: "A result that is empty isn't sent.",
			Apply: on.Events(on.Results(true), on.If(func(e merlin.Event) bool {
				result, _ := e.Data["toolCallResult"].(on.Object)
				return result["result"] == ""
			})).Drop()},
	}
}
