package merlin

import (
	"fmt"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// rareCounts lists the mutants that a count, a text or an aggregate shows.
func rareCounts() []Mutant {
	content := func(change func(string) string) on.Apply {
		return on.Deltas(nil).Edit(func(d *merlin.Delta) { d.Content = change(d.Content) })
	}

	return []Mutant{
		// These err beyond a number of slices, texts, blocks or results.
		{Name: "two-hundred-texts", Requirement: "merlin.chunks.complete", Summary: "A queue holds 200 texts of an answer, and what comes later is lost.",
			Apply: on.Events(on.Typed("text").From(201)).Drop()},
		{Name: "sixty-four-blocks", Requirement: "merlin.index.shared", Summary: "From the 64th block on every block has the same index.",
			Apply: on.Events(on.Typed("text")).EditSequence(func(*merlin.RunState) func(*merlin.Event) {
				first := -1
				return func(e *merlin.Event) {
					index := e.Data["index"].(int)
					if first < 0 {
						first = index
					}
					on.Set("index", min(index, first+64))(e)
				}
			})},
		{Name: "marks-of-one-digit", Requirement: "merlin.citations.mark", Summary: "The number of a text in a mark has one digit.",
			Apply: on.Events(on.Slices(), on.If(isMark)).Edit(func(e *merlin.Event) {
				var document, text int
				if _, err := fmt.Sscanf(on.Text(*e), "[citation: %d: %d]", &document, &text); err == nil {
					on.Set("content", fmt.Sprintf("[citation: %d: %d]", document, text%10))(e)
				}
			})},
		{Name: "eight-texts-cited", Requirement: "merlin.citations.attachments", Summary: "Of a source the first eight texts are listed that are cited.",
			Apply: on.Events(on.Named(merlin.Attachments)).Edit(func(e *merlin.Event) {
				var payload []any
				for _, item := range e.Data["payload"].([]any) {
					shown := on.Object{}
					for name, v := range item.(on.Object) {
						shown[name] = v
					}
					if texts, is := shown["cited_text"].([]any); is {
						shown["cited_text"] = texts[:min(8, len(texts))]
					}
					payload = append(payload, shown)
				}
				on.Set("payload", payload)(e)
			})},

		// These err for some texts of the model.
		{Name: "texts-of-64-kib", Requirement: "merlin.chunks.per-delta", Summary: "A text of the model is read up to 64 KiB, and the rest of it is thrown away.",
			Apply: content(func(text string) string { return strings.ToValidUTF8(text[:min(len(text), 64<<10)], "") })},
		{Name: "texts-of-4096-characters", Requirement: "merlin.slices.complete", Summary: "Of a text of the model 4,096 characters are sliced.",
			Apply: on.Deltas(nil).EditIn(func(c *merlin.RunState, d *merlin.Delta) {
				if all := []rune(d.Content); c.Version == 1 && len(all) > 4096 {
					d.Content = string(all[:4096])
				}
			})},

		// Mutants that err in the aggregate of a stream.
		{Name: "aggregate-of-64-kib", Requirement: "merlin.aggregate.text", Summary: "A piece of the aggregate has room for 64 KiB.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				for i, piece := range total.Content {
					total.Content[i] = strings.ToValidUTF8(piece[:min(len(piece), 64<<10)], "")
				}
			})},
	}
}

func isMark(e merlin.Event) bool { return strings.HasPrefix(on.Text(e), "[citation: ") }
