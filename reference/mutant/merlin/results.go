package merlin

import (
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// results lists the mutants of results.
func results() []Mutant {
	has := func(d merlin.Delta) bool { return len(d.Calls) > 0 }

	replaced := func(old, new string) on.Apply {
		return on.Events(marks()).Edit(func(e *merlin.Event) { on.Set("content", strings.Replace(on.Text(*e), old, new, 1))(e) })
	}

	cites := func(d merlin.Delta) bool { return d.Citation != nil }

	failed := on.Now(func(c *merlin.RunState) bool { return c.Failed })
	aborts := func(a merlin.Instruction) bool { return a.Abort }
	stops := func(a merlin.Instruction) bool { return a.Stop }

	return []Mutant{
		{Name: "loses-the-third-piece", Requirement: "merlin.tools.assembled", Stateful: true, Summary: "The third event of a call is lost.",
			Apply: on.Deltas(has).EditSequence(func(*merlin.RunState) func(*merlin.Delta) {
				n := 0
				return func(d *merlin.Delta) {
					if n++; n == 3 {
						d.Calls = nil
					}
				}
			})},
		{Name: "first-entry-alone", Requirement: "merlin.tools.every", Summary: "Of an event the first entry is looked at.",
			Apply: on.Deltas(has).Edit(func(d *merlin.Delta) { d.Calls = d.Calls[:1] })},
		{Name: "stops-at-unknown-calls", Requirement: "merlin.tools.unknown", Summary: "An entry that continues nothing ends the stream.",
			Apply: onUnknown(func(silent *bool) { *silent = true })},
		{Name: "flat-calls", Requirement: "merlin.tools.shape", Also: []string{"merlin.tools.assembled", "merlin.tools.empty", "merlin.tools.every"}, Summary: "Name and arguments stand in the call itself.", Wrap: on.Aggregates(func(total alter.Object) {
			total.Each("toolCalls", func(call alter.Object) {
				maps.Copy(call, alter.Members(call["function"]))
				call.Remove("function")
			})
		})},
		{Name: "untyped-calls", Requirement: "merlin.tools.shape", Also: []string{"merlin.tools.assembled", "merlin.tools.empty", "merlin.tools.every"}, Summary: "There is one type of call, so none is named.", Wrap: on.Aggregates(func(total alter.Object) {
			total.Each("toolCalls", func(call alter.Object) { call.Remove("type") })
		})},
		{Name: "calls-without-arguments", Requirement: "merlin.tools.empty", Summary: "A call without arguments is one with none.",
			Apply: on.Deltas(has).Edit(func(d *merlin.Delta) {
				for i, part := range d.Calls {
					if part.Type != nil && part.Function.Arguments == "" {
						d.Calls[i].Function.Arguments = "{}"
					}
				}
			})},
		{Name: "calls-as-they-came", Requirement: "merlin.tools.order", Summary: "Calls are listed in the order in which they began.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				if len(total.ToolCalls) == 2 && total.ToolCalls[0].Function.Arguments == "{}" && total.ToolCalls[1].Function.Arguments == "{}" {
					slices.Reverse(total.ToolCalls)
				}
			})},

		{Name: "marks-from-zero", Requirement: "merlin.citations.mark", Also: []string{"merlin.citations.attachments", "merlin.citations.cited-once", "merlin.citations.flushed"}, Summary: "Documents are counted from 0.",
			Apply: replaced("[citation: 1:", "[citation: 0:")},
		{Name: "all-are-the-first-text", Requirement: "merlin.citations.mark", Also: []string{"merlin.citations.moment", "merlin.citations.same-number"}, Stateful: true, Summary: "The number of a text is always 1.", Apply: replaced(": 2]", ": 1]")},
		{Name: "attachments-once", Requirement: "merlin.citations.attachments", Also: []string{"merlin.citations.cited-once"}, Stateful: true, Summary: "The sources are sent with the first mark.", Apply: on.Events(on.Named(merlin.Attachments).From(2)).Drop()},
		{Name: "every-citation-is-new", Requirement: "merlin.citations.same-number", Stateful: true, Summary: "A text that is cited again gets the next number.",
			Apply: on.Events(marks().Nth(3)).Edit(on.Set("content", "[citation: 1: 3]"))},
		{Name: "lists-texts-again", Requirement: "merlin.citations.cited-once", Also: []string{"merlin.citations.attachments"}, Stateful: true, Summary: "A text is listed each time that it is cited.",
			Apply: on.Events(on.Named(merlin.Attachments).From(2)).Edit(func(e *merlin.Event) {
				sources := slices.Clone(e.Data["payload"].([]any))
				for i, s := range sources {
					source := maps.Clone(s.(on.Object))
					if cited, _ := source["cited_text"].([]any); len(cited) == 1 {
						source["cited_text"] = append(slices.Clone(cited), cited[0])
					}
					sources[i] = source
				}
				on.Set("payload", sources)(e)
			})},

		// These send citations at another time, or lose them.
		{Name: "cites-at-once", Requirement: "merlin.citations.moment", Summary: "A citation is sent with the next text, whatever its index.",
			Apply: on.Deltas(cites).Edit(func(d *merlin.Delta) { d.Index = -1 })},
		{Name: "citations-wait-for-the-last", Requirement: "merlin.citations.each", Also: []string{"merlin.aggregate.citations", "merlin.citations.flushed", "merlin.citations.moment"}, Stateful: true, Summary: "There is one content index for all citations that wait, that of the last.",
			Apply: on.Deltas(nil).Map(func(*merlin.RunState) func(merlin.Delta) []merlin.Delta {
				var wait []merlin.Delta
				return func(d merlin.Delta) []merlin.Delta {
					if d.Citation != nil {
						wait = append(wait, d)
						return nil
					}
					for i := range wait {
						wait[i].Index = wait[len(wait)-1].Index
					}
					all := append(wait, d)
					wait = nil
					return all
				}
			})},
		{Name: "forgets-the-last-citation", Requirement: "merlin.citations.flushed", Summary: "A citation waits for text that never comes.", Apply: on.Events(on.Now(func(c *merlin.RunState) bool { return c.Ended }).And(on.Named(merlin.End).Not())).Drop()},
		{Name: "marks-are-not-kept", Requirement: "merlin.citations.aggregate", Summary: "Marks are sent and not stored.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				total.Content = slices.DeleteFunc(slices.Clone(total.Content), func(s string) bool { return strings.HasPrefix(s, "[citation: ") })
			})},
		{Name: "empty-marks", Requirement: "merlin.citations.none", Also: []string{"merlin.citations.attachments", "merlin.citations.cited-once", "merlin.citations.documents"}, Summary: "Where nothing is cited an empty list of sources is sent.",
			Apply: on.Events(on.Version(1).And(on.Named(merlin.End))).To(func(_ *merlin.RunState, e merlin.Event) []merlin.Event {
				return []merlin.Event{{Name: merlin.Attachments, Data: on.Object{"payload": []any{}}}, e}
			})},
		{Name: "files-are-documents", Requirement: "merlin.citations.documents", Stateful: true, Summary: "Every attachment counts as a document.",
			Apply: on.Begins(func(c *merlin.RunState) {
				c.Start.Attachments = slices.Clone(c.Start.Attachments)
				for i, a := range c.Start.Attachments {
					members := alter.Members(a)
					members.Set("type", "web")
					c.Start.Attachments[i] = alter.Encode(members)
				}
			})},

		{Name: "sends-when-whole", Requirement: "merlin.failure.kept", Also: []string{"merlin.citations.moment"}, Summary: "The last text is sent when the model goes on, and lost when it doesn't.", Apply: on.Events(on.TextMatches(func(t string) bool { return t == "far" || t == "ar" || t == "r" })).Drop()},
		{Name: "fails-with-an-error", Requirement: "merlin.failure.ends", Also: []string{"merlin.wire.end-last", "merlin.wire.names"}, Stateful: true, Summary: "A model that breaks off ends the stream with an error.",
			Apply: on.Events(failed.And(on.Named(merlin.End))).Edit(func(e *merlin.Event) { *e = merlin.Event{Name: "error", Data: on.Object{"message": "upstream"}} })},
		{Name: "keeps-half-calls", Requirement: "merlin.failure.no-calls", Stateful: true, Summary: "What was put together so far is taken for whole.", Apply: on.ScriptSteps(aborts).Drop()},
		{Name: "forgets-what-failed", Requirement: "merlin.failure.partial", Stateful: true, Summary: "A stream that failed adds up to nothing.",
			Apply: on.Totals(func(c *merlin.RunState, total *merlin.Aggregate) {
				if c.Failed {
					total.Content = []string{}
				}
			})},
		{Name: "never-stops", Requirement: "merlin.failure.stopped", Also: []string{"merlin.failure.stopped-partial"}, Summary: "Who stops a request waits for its end.", Apply: on.ScriptSteps(stops).Drop()},
		{Name: "stops-a-text-late", Requirement: "merlin.failure.stopped", Also: []string{"merlin.failure.ends", "merlin.failure.kept", "merlin.failure.partial"}, Stateful: true, Summary: "The stop is looked at after the next event of the model.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool { return a.Stop || a.Delta != nil }).Delay(alter.Each[*merlin.RunState](func(a merlin.Instruction) bool { return a.Stop }).Not())},
		{Name: "stops-without-end", Requirement: "merlin.failure.stopped-end", Also: []string{"merlin.wire.end-last"}, Summary: "Who stopped the request waits for nothing.",
			Apply: on.Events(on.Now(func(c *merlin.RunState) bool { return c.Stopped }).And(on.Named(merlin.End))).Drop()},
		{Name: "forgets-what-was-stopped", Requirement: "merlin.failure.stopped-partial", Stateful: true, Summary: "A stream that was stopped adds up to nothing.",
			Apply: on.Totals(func(c *merlin.RunState, total *merlin.Aggregate) {
				if c.Stopped {
					total.Content = []string{}
				}
			})},
		{Name: "obeys-strangers", Requirement: "merlin.control.token", Summary: "A script is played, whoever sends it.",
			Apply: func(o merlin.Options) merlin.Options {
				o.ControlToken = ""
				return o
			}},
	}
}

// onUnknown notices an entry that continues no call; from then on nothing is streamed.
func onUnknown(notice func(silent *bool)) on.Apply {
	return on.Deltas(nil).Map(func(*merlin.RunState) func(merlin.Delta) []merlin.Delta {
		known, silent := map[int]bool{}, false
		return func(d merlin.Delta) []merlin.Delta {
			for _, part := range d.Calls {
				if part.Type != nil {
					known[part.Index] = true
				} else if !known[part.Index] {
					notice(&silent)
				}
			}
			if silent {
				return nil
			}
			return []merlin.Delta{d}
		}
	})
}

// marks matches the slices that are marks of citations.
func marks() on.When {
	return on.Slices().And(on.TextMatches(func(t string) bool { return strings.HasPrefix(t, "[citation: ") }))
}

// onPayload changes the sources that are sent.
func onPayload(change func(sources []any) []any) on.Apply {
	return on.Events(on.Named(merlin.Attachments)).Edit(func(e *merlin.Event) {
		on.Set("payload", change(slices.Clone(e.Data["payload"].([]any))))(e)
	})
}
