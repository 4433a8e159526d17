package merlin

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// contents lists the variants of contents.
func contents() []Variant {
	sized := []string{"merlin.pacing.empty", "merlin.pacing.some", "merlin.pacing.full"}

	before := func(more merlin.Event) on.Apply {
		return on.Events(on.Version(2).And(on.Named(merlin.End))).To(func(_ *merlin.RunState, e merlin.Event) []merlin.Event { return []merlin.Event{more, e} })
	}
	typed := func(kind string, value any) merlin.Event {
		return merlin.Event{Name: merlin.Message, Data: on.Object{"content": "", "index": 99, "type": kind, kind: value}}
	}

	return []Variant{
		// These are other ways to send the model's output.
		{Name: "a-character-a-slice", Freedom: "slices", Warns: sized, Summary: "Every slice is one character.", Apply: on.Sizes(1, func(int) int { return 1 })},
		{Name: "first-slice-of-two", Freedom: "merlin.pacing.first", Warns: sized[1:], Summary: "The first slice is as small as the others.",
			Apply: func(o merlin.Options) merlin.Options { return on.Sizes(2, o.Size)(o) }},
		{Name: "reads-all-at-once", Freedom: "slices", Warns: sized[1:], Summary: "All that waits is read at once, so that nothing waits any more.",
			Apply: on.Sizes(5, func(int) int { return 2 })},
		{Name: "cuts-by-units", Freedom: "halves of a character", Warns: []string{"merlin.slices.whole-characters"},
			Summary: "Slices are cut by the units of UTF-16, as a language counts that has no characters.", Apply: on.Frames(on.Slices()).Bytes(halved)},
		{Name: "slices-have-index-zero", Freedom: "`index` of a message of version 1", Summary: "Messages of version 1 have the index 0.", Apply: on.Events(on.Slices()).Edit(on.Set("index", 0))},
		{Name: "slices-say-their-type", Freedom: "further members", Summary: "Messages of version 1 have a type, as those of version 2.", Apply: on.Events(on.Slices()).Edit(on.Set("type", "text"))},
		{Name: "no-empty-content", Freedom: "empty `content`", Warns: []string{"merlin.chunks.content"}, Summary: "Messages of version 2 have no content.",
			Apply: on.Events(on.Slices().Not().And(on.Named(merlin.Message))).Edit(on.Unset("content"))},
		{Name: "loses-the-last-citation", Freedom: "a citation at the end", Warns: []string{"merlin.citations.flushed"}, Summary: "A citation at the end waits for text that never comes.",
			Apply: on.Events(on.Now(func(c *merlin.RunState) bool { return c.Ended }).And(on.Named(merlin.End).Not())).Drop()},
		{Name: "sources-of-several-marks", Freedom: "marks that follow one another", Summary: "Marks that are due at once have one event attachments before them.", Apply: on.Events(on.Version(1)).Map(gathered)},
		{Name: "marks-in-version-2", Freedom: "marks in version 2", Warns: []string{"merlin.chunks.no-marks"}, Summary: "Version 2 cites in its text, too.",
			Apply: on.Deltas(func(d merlin.Delta) bool { return d.Citation != nil }).Follow(func(c *merlin.RunState, d merlin.Delta) []merlin.Delta {
				if c.Version != 2 {
					return nil
				}
				return []merlin.Delta{{Index: d.Index, Content: "[citation: 1: 1]"}}
			})},
		{Name: "thinks-though-suppressed", Freedom: "reasoning of a suppressed stream", Warns: []string{"merlin.chunks.suppressed-reasoning"},
			Summary: "What a suppressed stream thinks is sent.",
			Apply: on.Deltas(nil).EditSequence(func(c *merlin.RunState) func(*merlin.Delta) {
				hidden := c.Start.Suppress
				return func(d *merlin.Delta) { c.Start.Suppress = hidden && (d.Reasoning == nil || d.Content != "") }
			})},
		{Name: "sub-agents-think-aloud", Freedom: "reasoning of a sub-agent", Warns: []string{"merlin.subagents.reasoning"}, Summary: "What a sub-agent thinks is sent as the parent's thought.",
			Apply: on.ScriptSteps(func(a merlin.Instruction) bool {
				return a.SubAgent != nil && len(a.SubAgent.Instructions) > 0 && bytes.Contains(a.SubAgent.Instructions[0].Delta, []byte("reasoning"))
			}).To(func(_ *merlin.RunState, a merlin.Instruction) []merlin.Instruction {
				return append(slices.Clone(a.SubAgent.Instructions[:1]), a)
			})},

		// These are other members and other messages.
		{Name: "end-says-nothing", Freedom: "the data of the end", Summary: "The end has an empty object.", Apply: on.Events(on.Named(merlin.End)).Edit(on.Unset("type"))},
		{Name: "second-agent-skips-indexes", Freedom: "the index of another agent", Summary: "Each agent has ten indexes of its own.",
			Apply: on.Events(on.Version(2), on.Typed("progress").Not()).EditSequence(func(*merlin.RunState) func(*merlin.Event) {
				first, known := 0, false
				return func(e *merlin.Event) {
					for _, member := range []string{"index", "contentIndex"} { // the index of a complete result
						index, is := e.Data[member].(int)
						if !is {
							continue
						}
						if !known {
							first, known = index, true
						}
						on.Set(member, first+10*(index-first))(e)
					}
				}
			})},
		{Name: "results-have-an-index", Freedom: "the index of what is complete", Summary: "A result has its index as every message has.",
			Apply: on.Frames(on.Results(true)).Rename("contentIndex", "index")},
		{Name: "sends-calls", Freedom: "merlin.tools.chunk", Summary: "The calls of the model are sent at the end.",
			Apply: before(typed("toolCalls", []any{on.Object{"type": "function", "id": "call_1", "function": on.Object{"name": "find", "arguments": "{}"}}}))},
		{Name: "sends-typed-citations", Freedom: "types of messages that nothing asks for", Summary: "Sources are messages of version 2.",
			Apply: alter.All(before(typed("citation", on.Object{"document_index": 0, "cited_text": "so"})), before(typed("attachments", []any{})))},
		{Name: "types-of-a-later-version", Freedom: "types of messages that nothing asks for", Summary: "Messages of a later version stand before the end.", Apply: before(typed("thinkingBudget", 7))},
		{Name: "no-calls-is-a-list", Freedom: "no calls", Summary: "Where nothing was called the list is empty.", Wrap: on.Aggregates(func(total alter.Object) {
			if !total.Has("toolCalls") {
				total.Set("toolCalls", []any{})
			}
		})},
		{Name: "aggregate-in-one-piece", Freedom: "pieces of the aggregate", Summary: "The text of the aggregate is one piece, behind an empty one.",
			Apply: on.Totals(func(_ *merlin.RunState, total *merlin.Aggregate) {
				total.Content = []string{"", strings.Join(total.Content, "")}
			})},
		{Name: "thoughts-in-one-piece", Freedom: "pieces of a thought", Summary: "What was thought under one index is one thought in the aggregate.", Apply: on.Totals(joined)},
		{Name: "ignores-untrusted-scripts", Freedom: "a script without the token of control calls", Summary: "A script that comes without the token is no script.",
			Wrap: alter.OnBodies(func(r *http.Request) bool { return r.Header.Get("X-Streamcert-Control") == "" && !alter.IsControl(r) },
				func([]byte) []byte { return []byte(`{"message":"How far is it?"}`) })},

		// These are other steps.
		{Name: "short-ids-of-steps", Freedom: "ids of steps", Warns: []string{"merlin.progress.uuid"}, Summary: "Ids of steps are counted.",
			Apply: on.Events(on.Steps("")).EditSequence(func(*merlin.RunState) func(*merlin.Event) {
				short := map[any]string{}
				return func(e *merlin.Event) {
					st := on.Step(*e)
					if short[st["id"]] == "" {
						short[st["id"]] = fmt.Sprintf("s-%d", len(short)+1)
					}
					st["id"] = short[st["id"]]
				}
			})},
		{Name: "steps-come-again", Freedom: "a step that didn't change", Summary: "Each step is sent twice, the second time with a member more.",
			Apply: on.Events(on.Steps("")).To(func(_ *merlin.RunState, e merlin.Event) []merlin.Event {
				more := e
				on.Set("again", true)(&more)
				return []merlin.Event{e, more}
			})},
		{Name: "steps-without-numbers", Freedom: "`index` of a step", Summary: "Steps have no number.", Apply: on.OnSteps("", func(st on.Object) { delete(st, "index") })},
		{Name: "steps-with-metadata", Freedom: "further members", Summary: "Steps of version 1 have metadata, too.",
			Apply: on.Events(on.Version(1), on.Steps("")).Edit(on.Set("metadata", map[string]any{"type": "STEP"}))},
		{Name: "tags-in-version-1", Freedom: "`tags` in version 1", Summary: "Steps of version 1 have tags, too.",
			Apply: on.OnSteps("", func(st on.Object) {
				if st["tags"] == nil {
					st["tags"] = []any{}
				}
			})},
	}
}

// gathered delays attachments and marks until another event comes, and sends the last attachments before all marks.
func gathered(*merlin.RunState) func(merlin.Event) []merlin.Event {
	var sources, marks []merlin.Event
	return func(e merlin.Event) []merlin.Event {
		switch {
		case e.Name == merlin.Attachments:
			sources = []merlin.Event{e}
		case strings.HasPrefix(on.Text(e), "[citation: ") && len(sources) > 0:
			marks = append(marks, e)
		default:
			out := append(append(sources, marks...), e)
			sources, marks = nil, nil
			return out
		}
		return nil
	}
}

// halved sends the first character beyond the first plane as two slices, one of each half.
func halved(whole []byte, _ merlin.Event) []byte {
	for i, r := range string(whole) {
		if r > 0xffff {
			first := fmt.Sprintf("%s\\u%04x\"}\n\n", whole[:i], 0xd800+(r-0x10000)>>10)
			rest := fmt.Sprintf("event: message\ndata: {\"content\":\"\\u%04x%s", 0xdc00+(r-0x10000)&0x3ff, whole[i+utf8.RuneLen(r):])
			return append([]byte(first), rest...)
		}
	}
	return whole
}

// joined merges reasoning blocks with equal indexes.
func joined(_ *merlin.RunState, total *merlin.Aggregate) {
	whole := []merlin.Reasoning{}
	for _, r := range total.ReasoningContent {
		at := slices.IndexFunc(whole, func(w merlin.Reasoning) bool { return w.Index == r.Index })
		if at < 0 {
			whole = append(whole, r)
			continue
		}
		one := &whole[at]
		one.Text, one.ID, one.Signature = one.Text+r.Text, cmp.Or(one.ID, r.ID), cmp.Or(one.Signature, r.Signature)
	}
	total.ReasoningContent = whole
}
