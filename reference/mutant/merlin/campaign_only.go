package merlin

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
	"github.com/streamcert/streamcert/reference/mutant"
)

// CampaignOnly returns the mutants that no single scenario is made for: they err with the hundredth slice, the fourth call,
// the 64th block, for some texts, or where two conditions coincide. Campaigns are measured by how many of them they find.
func CampaignOnly() []Mutant {
	all := slices.Concat(counts(), rareTexts(), rareManagers(), totals(), valueSizes(), pieces(), coincidences(), applications(), likenesses(), lookups(), upstreamBytes(), interruptedEvents(), sources(), values(), rareIndexes(), rareEvents(), emptyTexts(), rareMoments(), tokens(), readers(), signatures(), names(), spellings(), splitPoints(), repetitions(), company(), clients())
	slices.SortFunc(all, mutant.Compare)
	return all
}

// counts err beyond a number of slices, texts, blocks or results.
func counts() []Mutant {
	return []Mutant{
		{Name: "hundredth-slice", Requirement: "merlin.slices.complete", Summary: "Every hundredth slice is lost where a buffer is emptied.",
			Apply: on.Events(on.Slices(), on.If(func(e merlin.Event) bool { return !isMark(e) })).EditSequence(counting(func(n int, e *merlin.Event) {
				if n%100 == 0 {
					on.Set("content", "")(e)
				}
			}))},
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
		{Name: "ten-results", Requirement: "merlin.subagents.result", Summary: "The results of ten calls are sent, and no more.",
			Apply: on.Events(on.Results(true).From(11)).Drop()},
		{Name: "results-mixed-up", Requirement: "merlin.subagents.once", Summary: "From the seventh result on, a result comes under the call before its own.",
			Apply: on.Events(on.Results(true)).EditSequence(counting(func(n int, e *merlin.Event) {
				if n >= 7 {
					result := e.Data["toolCallResult"].(on.Object)
					on.Set("toolCallResult", on.Object{
						"index": result["index"], "result": result["result"], "toolCallId": fmt.Sprintf("result_%d", n-2), "function": result["function"],
					})(e)
				}
			}))},
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
	}
}

func isMark(e merlin.Event) bool { return strings.HasPrefix(on.Text(e), "[citation: ") }

// counting changes each of some events of a stream by its number, from 1.
func counting(change func(n int, e *merlin.Event)) func(*merlin.RunState) func(*merlin.Event) {
	return func(*merlin.RunState) func(*merlin.Event) {
		n := 0
		return func(e *merlin.Event) {
			n++
			change(n, e)
		}
	}
}

// rareTexts err for some texts of the model.
func rareTexts() []Mutant {
	content := func(change func(string) string) on.Apply {
		return on.Deltas(nil).Edit(func(d *merlin.Delta) { d.Content = change(d.Content) })
	}
	return []Mutant{
		{Name: "texts-of-64-kib", Requirement: "merlin.chunks.per-delta", Summary: "A text of the model is read up to 64 KiB, and the rest of it is thrown away.",
			Apply: content(func(text string) string { return strings.ToValidUTF8(text[:min(len(text), 64<<10)], "") })},
		{Name: "texts-of-4096-characters", Requirement: "merlin.slices.complete", Summary: "Of a text of the model 4,096 characters are sliced.",
			Apply: on.Deltas(nil).EditIn(func(c *merlin.RunState, d *merlin.Delta) {
				if all := []rune(d.Content); c.Version == 1 && len(all) > 4096 {
					d.Content = string(all[:4096])
				}
			})},
		{Name: "no-form-feeds", Requirement: "merlin.slices.complete", Summary: "Vertical tabs and form feeds are taken out of texts.",
			Apply: content(func(text string) string { return strings.NewReplacer("\v", "", "\f", "").Replace(text) })},
		{Name: "null-is-nothing", Requirement: "merlin.slices.complete", Summary: "A text that says null or undefined is none.",
			Apply: content(func(text string) string {
				if slices.Contains([]string{"null", "undefined", "None", "nil", "NULL"}, text) {
					return ""
				}
				return text
			})},
		{Name: "done-anywhere", Requirement: "merlin.slices.complete", Summary: "An event of the model with [DONE] anywhere in it is taken for the end, and says nothing.",
			Apply: content(func(text string) string {
				if strings.Contains(text, "[DONE]") {
					return ""
				}
				return text
			})},
		{Name: "joiners-are-invisible", Requirement: "merlin.slices.complete", Summary: "Characters without a width are taken out of texts.",
			Apply: content(func(text string) string { return strings.NewReplacer("\u200d", "", "\u200b", "").Replace(text) })},
		{Name: "same-text-sixteen-times", Requirement: "merlin.slices.complete", Summary: "A model that says the same sixteen times in a row is taken for one that hangs.",
			Apply: on.Deltas(nil).EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
				last, n := "", 0
				return func(d *merlin.Delta) {
					if d.Content == "" {
						return
					}
					if n++; d.Content != last {
						last, n = d.Content, 1
					}
					if n > 16 {
						d.Content = ""
					}
				}
			})},
	}
}

// rareManagers err with many steps, or with steps that are alike.
func rareManagers() []Mutant {
	return []Mutant{
		{Name: "twenty-values", Requirement: "merlin.progress.values", Summary: "Of a step the last twenty values are kept.",
			Apply: on.OnSteps("", func(st on.Object) {
				values := st["values"].([]any)
				st["values"] = values[max(0, len(values)-20):]
			})},
		{Name: "twins-share-an-id", Requirement: "merlin.progress.same-step", Summary: "Steps are looked up by their name, so that two of one name share an id.",
			Apply: on.Events(on.Steps("")).EditSequence(func(*merlin.RunState) func(*merlin.Event) {
				ids := map[any]any{}
				return func(e *merlin.Event) {
					st := on.Step(*e)
					if ids[st["name"]] == nil {
						ids[st["name"]] = st["id"]
					}
					st["id"] = ids[st["name"]]
				}
			})},
		{Name: "icons-by-name", Requirement: "merlin.progress.icon", Summary: "Icons are remembered by the name of their step, so that a step without one has its namesake's.",
			Apply: on.Events(on.Steps("")).EditSequence(func(*merlin.RunState) func(*merlin.Event) {
				icons := map[any]any{}
				return func(e *merlin.Event) {
					st := on.Step(*e)
					if icons[st["name"]] == nil {
						icons[st["name"]] = st["icon"]
					}
					st["icon"] = icons[st["name"]]
				}
			})},
		{Name: "late-tags-reopen-the-tenth", Requirement: "merlin.progress.reopened", Summary: "A tag that comes late reopens a step, once ten were made.",
			Apply: on.Events(on.Steps("DONE")).EditSequence(func(*merlin.RunState) func(*merlin.Event) {
				ids := map[any]bool{}
				return func(e *merlin.Event) {
					st := on.Step(*e)
					again := ids[st["id"]]
					if ids[st["id"]] = true; again && len(ids) >= 10 {
						st["status"] = "IN_PROGRESS"
					}
				}
			})},
	}
}

// totals lists mutants that err in the aggregate of a stream.
func totals() []Mutant {
	return []Mutant{
		{Name: "calls-sorted-as-text", Requirement: "merlin.tools.order", Summary: "Calls are sorted by their ids as texts, call_10 before call_2.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				slices.SortFunc(total.ToolCalls, func(a, b merlin.ToolCall) int { return strings.Compare(a.ID, b.ID) })
			})},
		{Name: "usage-of-zero", Requirement: "merlin.aggregate.usage", Summary: "A usage of 0 is taken for none, so that what was said before it stays.",
			Apply: on.Deltas(nil).Edit(func(d *merlin.Delta) {
				maps.DeleteFunc(d.Usage, func(_ string, n any) bool { return n == 0.0 })
			})},
		{Name: "eight-calls", Requirement: "merlin.tools.assembled", Summary: "The aggregate has room for eight calls.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				total.ToolCalls = total.ToolCalls[:min(8, len(total.ToolCalls))]
			})},
		{Name: "fifty-thoughts-kept", Requirement: "merlin.aggregate.collected", Summary: "The aggregate keeps the last fifty thoughts.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				total.ReasoningContent = total.ReasoningContent[max(0, len(total.ReasoningContent)-50):]
			})},
		{Name: "aggregate-of-64-kib", Requirement: "merlin.aggregate.text", Summary: "A piece of the aggregate has room for 64 KiB.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				for i, piece := range total.Content {
					total.Content[i] = strings.ToValidUTF8(piece[:min(len(piece), 64<<10)], "")
				}
			})},
		{Name: "arguments-of-1-kib", Requirement: "merlin.tools.assembled", Summary: "Arguments of a call beyond 1,024 bytes are an empty object.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				for i := range total.ToolCalls {
					if call := &total.ToolCalls[i].Function; len(call.Arguments) > 1024 {
						call.Arguments = "{}"
					}
				}
			})},
	}
}
