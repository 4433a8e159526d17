package merlin

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// rareValues lists the mutants that some names, spellings, sizes or equal values show.
func rareValues() []Mutant {
	texts := on.Deltas(func(d merlin.Delta) bool { return d.Content != "" })

	return []Mutant{
		// These err with values, results and tags that are many, are alike or hold nothing.
		{Name: "results-that-are-equal", Requirement: "merlin.subagents.result", Stateful: true, Summary: "A result that says what an earlier one of its stream does is taken for that.",
			Apply: on.Events(on.Results(true)).Map(once("result"))},

		// Mutants that look values up by a name, or an id, that another value has as well.
		{Name: "agents-that-come-back", Requirement: "merlin.index.shared", Stateful: true, Summary: "An agent that comes back goes on under the index that it had.",
			Apply: comesBack},

		// Mutants that err with values that resemble another one, or resemble an end.
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

		// Mutants that look values up by more than their name, or treat a value as absent.
		{Name: "steps-by-their-icon", Requirement: "merlin.progress.latest", Summary: "The latest step of a name is none if another icon is asked for.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.Step != nil && a.Step.Do == "latest" && a.Step.Icon != "" }).Edit(func(a *merlin.Instruction) {
				st := *a.Step
				st.Do, a.Step = "create", &st
			})},

		// These err with events that are written otherwise than most, and with members that say nothing.
		{Name: "thoughts-for-empty-texts", Requirement: "merlin.chunks.complete", Also: []string{"merlin.slices.no-reasoning", "merlin.slices.complete", "merlin.failure.kept"},
			Summary: "Where a text is empty, what the model thinks beside it stands in for it.",
			Apply: on.Pieces().Edit(func(piece *[]byte) {
				*piece = reasoningWithEmptyText.ReplaceAll(*piece, []byte(`"content":"$2",$1"reasoning":{"text":"$2"`))
			})},

		// Mutants that err with a sequence that is split over two texts, at their beginning or at their end.
		{Name: "replacements-at-the-end", Requirement: "merlin.chunks.complete", Also: otherText, Summary: "A replacement character at the end of a text is taken for a character that was cut.",
			Apply: on.Pieces().Edit(func(piece *[]byte) { *piece = bytes.ReplaceAll(*piece, []byte("\ufffd\""), []byte(`"`)) })},
		{Name: "blank-texts-begin-nothing", Requirement: "merlin.citations.moment", Also: anyText, Summary: "A text of white space is no moment for the citations that wait for it.",
			Apply: texts.EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
				latest := 0
				return func(d *merlin.Delta) {
					if strings.TrimSpace(d.Content) == "" && d.Index > latest {
						d.Index = latest
					}
					latest = max(latest, d.Index)
				}
			})},

		// Mutants that err for values, sources and reasoning that are long.
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
		{Name: "thoughts-of-64-kib", Requirement: "merlin.aggregate.collected", Summary: "A thought that isn't shown is kept up to 64 KiB.",
			Apply: on.Totals(func(c *merlin.RunState, total *merlin.Aggregate) {
				for i, thought := range total.ReasoningContent {
					if c.Version == 1 {
						total.ReasoningContent[i].Text = clipped(thought.Text, 64<<10)
					}
				}
			})},

		// Mutants that err for long ids, and for values in hundreds of pieces.
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

		// Mutants that err where two conditions coincide: streams, halves of a character, citations and another
		// version.
		{Name: "busy-servers-think-less", Requirement: "merlin.chunks.thought", Summary: "While another stream is open a stream has three thoughts.",
			Apply: amongOthers(func(busy on.When, _ *atomic.Int64) on.Apply {
				return on.Events(on.Typed("reasoning").From(4), busy).Drop()
			})},
	}
}

// once drops a result, or a piece of one, whose member equals that of an earlier one of its stream.
func once(member string) func(*merlin.RunState) func(merlin.Event) []merlin.Event {
	return func(*merlin.RunState) func(merlin.Event) []merlin.Event {
		seen := map[any]bool{}
		return func(e merlin.Event) []merlin.Event {
			said := e.Data["toolCallResult"].(on.Object)[member]
			if seen[said] {
				return nil
			}
			seen[said] = true
			return []merlin.Event{e}
		}
	}
}

// comesBack gives an agent the index that it had before. Each that goes on has the index above that of the one before.
func comesBack(o merlin.Options) merlin.Options {
	var all alter.PerKey[[]string] // who spoke in a stream, by turns
	first := o.Index
	o = on.ScriptSteps(func(a merlin.Instruction) bool { return a.Handoff != "" }).EditIn(func(c *merlin.RunState, a *merlin.Instruction) {
		all.With(c.Stream, func(agents *[]string) { *agents = append(*agents, a.Handoff) })
	})(o)
	return on.Events(on.Typed("text")).EditIn(func(c *merlin.RunState, e *merlin.Event) {
		index, _ := e.Data["index"].(int)
		agents, turn := all.Get(c.Stream), index-first(c.Start)-1
		if 0 <= turn && turn < len(agents) {
			on.Set("index", index-turn+slices.Index(agents, agents[turn]))(e)
		}
	})(o)
}

var (
	// reasoningWithEmptyText matches an empty text and the reasoning in the same event.
	reasoningWithEmptyText = regexp.MustCompile(`"content":"",("index":\d+,)?"reasoning":\{"text":"([^"]*)"`)
)

// anyText lists the requirements that a lost text violates, and otherText those that another text violates, in addition to
// merlin.chunks.complete.
var (
	anyText   = []string{"merlin.slices.complete", "merlin.upstream.noise", "merlin.failure.kept"}
	otherText = []string{"merlin.slices.complete", "merlin.chunks.per-delta", "merlin.failure.kept"}
)

// clipped is a text up to a number of bytes.
func clipped(text string, most int) string {
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
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
