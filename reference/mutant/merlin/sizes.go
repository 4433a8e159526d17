package merlin

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// clipped is a text up to a number of bytes.
func clipped(text string, most int) string {
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// valueSizes lists mutants that err for values, sources and reasoning that are long.
func valueSizes() []Mutant {
	return []Mutant{
		{Name: "cited-texts-of-4-kib", Requirement: "merlin.citations.attachments", Summary: "Of a text that is cited the first 4 KiB are listed.",
			Apply: onPayload(func(sources []any) []any {
				for i, s := range sources {
					source := maps.Clone(s.(on.Object))
					if texts, is := source["cited_text"].([]any); is {
						texts = slices.Clone(texts)
						for n, text := range texts {
							texts[n] = clipped(text.(string), 4<<10)
						}
						source["cited_text"], sources[i] = texts, source
					}
				}
				return sources
			})},
		{Name: "values-of-64-kib", Requirement: "merlin.progress.values", Summary: "A value of a step has room for 64 KiB.",
			Apply: on.OnSteps("", func(st on.Object) {
				all := slices.Clone(st["values"].([]any))
				for i, v := range all {
					if value, is := v.(on.Object); is {
						value = maps.Clone(value)
						if text, is := value["value"].(string); is {
							value["value"] = clipped(text, 64<<10)
						}
						all[i] = value
					}
				}
				st["values"] = all
			})},
		{Name: "thoughts-of-64-kib", Requirement: "merlin.aggregate.collected", Summary: "A thought that isn't shown is kept up to 64 KiB.",
			Apply: on.Totals(func(c *merlin.RunState, total *merlin.Aggregate) {
				for i, thought := range total.ReasoningContent {
					if c.Version == 1 {
						total.ReasoningContent[i].Text = clipped(thought.Text, 64<<10)
					}
				}
			})},
	}
}

// pieces lists mutants that err for long ids, and for values in hundreds of pieces.
func pieces() []Mutant {
	return []Mutant{
		{Name: "call-ids-of-128-characters", Requirement: "merlin.tools.assembled", Summary: "The column for the id of a call has 128 characters.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				for i, call := range total.ToolCalls {
					total.ToolCalls[i].ID = clipped(call.ID, 128)
				}
			})},
		{Name: "result-ids-of-128-characters", Requirement: "merlin.subagents.result", Summary: "The id of a call is sent with its result up to 128 characters.",
			Apply: on.Events(on.Results(true)).Edit(func(e *merlin.Event) {
				result := maps.Clone(e.Data["toolCallResult"].(on.Object))
				result["toolCallId"] = clipped(result["toolCallId"].(string), 128)
				on.Set("toolCallResult", result)(e)
			})},
		{Name: "hundred-pieces-of-a-result", Requirement: "merlin.subagents.partial", Summary: "Of a result a hundred pieces are sent.",
			Apply: on.Events(on.Results(false)).Map(func(*merlin.RunState) func(merlin.Event) []merlin.Event {
				pieces := map[any]int{}
				return func(e merlin.Event) []merlin.Event {
					index := e.Data["toolCallResult"].(on.Object)["index"]
					if pieces[index]++; pieces[index] > 100 {
						return nil
					}
					return []merlin.Event{e}
				}
			})},
		{Name: "hundred-pieces-of-a-call", Requirement: "merlin.tools.assembled", Summary: "Arguments are put together from a hundred pieces at most.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return len(d.Calls) == 1 }).EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
				pieces := map[int]int{}
				return func(d *merlin.Delta) {
					if pieces[d.Calls[0].Index]++; pieces[d.Calls[0].Index] > 100 {
						d.Calls = nil
					}
				}
			})},
	}
}

// halfAtTheEnd matches a text of the model that ends in half a character.
var halfAtTheEnd = regexp.MustCompile(`"content":"[^"]*\\ud8[0-9a-f]{2}"`)

// coincidences lists mutants that err where two conditions coincide: streams, halves of a character, citations and another
// version.
func coincidences() []Mutant {
	return []Mutant{
		{Name: "nul-is-nothing", Requirement: "merlin.slices.complete", Summary: "The character NUL is taken out of texts.",
			Apply: on.Deltas(nil).Edit(func(d *merlin.Delta) { d.Content = strings.ReplaceAll(d.Content, "\x00", "") })},
		{Name: "half-a-character-is-noise", Requirement: "merlin.chunks.complete", Summary: "The second text of the model that ends in half a character is no JSON to the server.",
			Apply: on.Pieces().EditSequence(func(*merlin.RunState) func(*[]byte) {
				halves := 0
				return func(piece *[]byte) {
					*piece = halfAtTheEnd.ReplaceAllFunc(*piece, func(text []byte) []byte {
						if halves++; halves < 2 {
							return text
						}
						return []byte(`"content":""`)
					})
				}
			})},
		{Name: "citations-begin-a-block", Requirement: "merlin.index.block", Summary: "In version 2 a new block begins behind a citation.",
			Apply: func(o merlin.Options) merlin.Options {
				cited := &alter.PerKey[int]{}
				o = on.Deltas(func(d merlin.Delta) bool { return d.Citation != nil }).EditIn(func(c *merlin.RunState, _ *merlin.Delta) { cited.Set(c.Stream, cited.Get(c.Stream)+1) })(o)
				return on.Events(on.Typed("text")).EditIn(func(c *merlin.RunState, e *merlin.Event) {
					on.Set("index", e.Data["index"].(int)+cited.Get(c.Stream))(e)
				})(o)
			}},
		{Name: "busy-servers-think-less", Requirement: "merlin.chunks.thought", Summary: "While another stream is open a stream has three thoughts.",
			Apply: amongOthers(func(busy on.When, _ *atomic.Int64) on.Apply {
				return on.Events(on.Typed("reasoning").From(4), busy).Drop()
			})},
		{Name: "steps-are-numbered-by-the-server", Requirement: "merlin.progress.numbered", Summary: "From the fourth on, steps are numbered across the streams that are open.",
			Apply: amongOthers(func(busy on.When, made *atomic.Int64) on.Apply {
				return on.Events(on.Steps("IN_PROGRESS"), busy).Edit(func(e *merlin.Event) {
					if n, is := on.Step(*e)["index"].(int); is && n >= 3 {
						on.Step(*e)["index"] = int(made.Add(1)) + 2
					}
				})
			})},
	}
}

// amongOthers errs while another stream is open; made counts what such streams have made.
func amongOthers(err func(busy on.When, made *atomic.Int64) on.Apply) on.Apply {
	return func(o merlin.Options) merlin.Options {
		var open, made atomic.Int64
		o = on.Begins(func(*merlin.RunState) { open.Add(1) })(o)
		o = on.Totals(func(*merlin.RunState, *merlin.Aggregate) { open.Add(-1) })(o)
		return err(on.Now(func(*merlin.RunState) bool { return open.Load() > 1 }), &made)(o)
	}
}
