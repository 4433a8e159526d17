package merlin

import (
	"encoding/json"
	"slices"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// takenFor has a text that is cited be taken for one that was cited of the same document before and has the same key.
func takenFor(key func(text string) string) on.Apply {
	return on.Deltas(func(d merlin.Delta) bool { return d.Citation != nil }).EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
		known := map[merlin.Citation]string{}
		return func(d *merlin.Delta) {
			cited := *d.Citation
			of := merlin.Citation{Document: cited.Document, Text: key(cited.Text)}
			if first, is := known[of]; is {
				cited.Text = first
			}
			known[of] = cited.Text
			d.Citation = &cited
		}
	})
}

// oneOf merges attachments of the web with an equal member into one source.
func oneOf(member func(url, title string) string) on.Apply {
	return on.Begins(func(c *merlin.RunState) {
		seen := map[string]bool{}
		c.Start.Attachments = slices.DeleteFunc(slices.Clone(c.Start.Attachments), func(raw json.RawMessage) bool {
			var a struct{ Type, URL, Title string }
			_ = json.Unmarshal(raw, &a) // it was read
			of := member(a.URL, a.Title)
			twice := a.Type == "web" && seen[of]
			seen[of] = seen[of] || a.Type == "web"
			return twice
		})
	})
}

// sources err with sources that are many or alike, and with texts of them that are.
func sources() []Mutant {
	return []Mutant{
		{Name: "cited-texts-by-their-beginning", Requirement: "merlin.citations.same-number", Summary: "Texts that are cited are told apart by their first 100 characters.",
			Apply: takenFor(func(text string) string { return clipped(text, 100) })},
		{Name: "cited-texts-are-trimmed", Requirement: "merlin.citations.same-number", Summary: "Texts that are cited are told apart but for white space around them.",
			Apply: takenFor(strings.TrimSpace)},
		{Name: "ten-sources", Requirement: "merlin.citations.attachments", Summary: "Of the sources ten are sent.",
			Apply: onPayload(func(sources []any) []any { return sources[:min(10, len(sources))] })},
		{Name: "sources-by-their-url", Requirement: "merlin.citations.attachments", Also: []string{"merlin.citations.documents"}, Summary: "Two attachments of one URL are one source.",
			Apply: oneOf(func(url, _ string) string { return url })},
		{Name: "sources-by-url-and-title", Requirement: "merlin.citations.attachments", Also: []string{"merlin.citations.documents"}, Summary: "Two attachments that are equal are one source.",
			Apply: oneOf(func(url, title string) string { return url + "\n" + title })},
		{Name: "citations-wait-in-a-row", Requirement: "merlin.citations.moment", Summary: "A citation waits for those that the model said before it, whatever its index.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Citation != nil && d.Content == "" }).EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
				highest := 0
				return func(d *merlin.Delta) {
					highest = max(highest, d.Index)
					d.Index = highest
				}
			})},
		{Name: "citations-beside-a-text", Requirement: "merlin.citations.moment", Also: []string{"merlin.aggregate.citations"}, Summary: "A citation in an event that has a text is lost.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Citation != nil && d.Content != "" }).Edit(func(d *merlin.Delta) { d.Citation = nil })},
		{Name: "types-by-their-beginning", Requirement: "merlin.citations.documents", Summary: "An attachment whose type begins with web is a source.",
			Apply: on.Begins(func(c *merlin.RunState) {
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
	}
}

// rareMoments err with citations for another text than the one that comes, and with one of a document that there isn't.
func rareMoments() []Mutant {
	return []Mutant{
		{Name: "citations-of-another-index", Requirement: "merlin.citations.moment", Also: []string{"merlin.slices.complete"}, Summary: "A citation is sent when text of another index begins, of a lower one too.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Index >= 0 && (d.Content != "" || d.Citation != nil) }).EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
				waits := -1 // the lowest index of those that wait, -1 for none
				return func(d *merlin.Delta) {
					if d.Content != "" && waits >= 0 && d.Index != waits {
						d.Index, waits = max(d.Index, waits+1), -1
					}
					if d.Citation != nil {
						waits = d.Index
					}
				}
			})},
		{Name: "texts-behind-a-wrong-citation", Requirement: "merlin.slices.complete", Stateful: true, Summary: "A citation of a document that there isn't takes the text behind it along.",
			Apply: on.Deltas(nil).EditSequence(func(c *merlin.RunState) func(*merlin.Delta) {
				sources, wrong := 0, false
				for _, raw := range c.Start.Attachments {
					var a struct{ Type string }
					_ = json.Unmarshal(raw, &a) // it was read
					if a.Type == "web" {
						sources++
					}
				}
				return func(d *merlin.Delta) {
					if d.Content != "" && wrong && c.Version == 1 {
						d.Content, wrong = "", false
					}
					wrong = wrong || d.Citation != nil && d.Citation.Document >= sources
				}
			})},
	}
}
