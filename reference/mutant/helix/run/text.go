package run

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

func runText() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that change a model's text.
		{Name: "sends-lines-so-far", Requirement: "helix.text.concatenation",
			Summary: "Of a text of several lines each delta is all that was said so far.",
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				inner := p.Pieces
				p.Pieces = func(text string) []string {
					pieces := inner(text)
					if !strings.Contains(text, "\n") {
						return pieces
					}
					for i := range pieces[min(1, len(pieces)):] {
						pieces[i+1] = pieces[i] + pieces[i+1]
					}
					return pieces
				}
			})},
		{Name: "drops-repeated-delta", Requirement: "helix.text.concatenation", Stateful: true,
			Summary: "A delta that equals the one before is taken for a retry.",
			Apply: on.Written(func(*on.Producer) func(runtime.Chunk) bool {
				last := ""
				return func(c runtime.Chunk) bool {
					if c.Type() != "text_delta" {
						return false
					}
					same := last == on.Text(c, "delta")
					last = on.Text(c, "delta")
					return same
				}
			}).Drop()},
		{Name: "swallows-delta-after-tool", Requirement: "helix.text.concatenation", Stateful: true,
			Summary: "What the model says first after a tool has ended is lost.",
			Also:    []string{"helix.text.per-agent", "helix.approval.granted", "helix.tools.client"},
			Apply:   on.Written(on.Type("text_delta").Next(on.Type("tool_end"))).Drop()},

		// Mutants that split characters, or send none.
		{Name: "cuts-text-at-bytes", Requirement: "helix.text.whole-characters",
			Summary: "Each chunk of five bytes that the model sends is made a text of its own.",
			Also:    []string{"helix.text.concatenation"},
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				p.Pieces = func(text string) []string {
					var pieces []string
					for piece := range slices.Chunk([]byte(text), 5) {
						pieces = append(pieces, string(piece))
					}
					return pieces
				}
			})},
		{Name: "cuts-surrogate-pairs", Requirement: "helix.text.whole-characters", Stateful: true,
			Summary: "From the second emoji on, text is cut between two UTF-16 units.",
			Also:    []string{"helix.text.concatenation"},
			Apply: on.OnWritten(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
				seen := 0
				return func(c runtime.Chunk) []runtime.Chunk {
					text := on.Text(c, "delta")
					at := strings.IndexFunc(text, func(r rune) bool { return r > 0xFFFF })
					if c.Type() != "text_delta" || at < 0 {
						return edit.Only(c)
					}
					if seen++; seen < 2 {
						return edit.Only(c)
					}
					return halves(c, text, at)
				}
			})},
		{Name: "empty-delta-after-tool", Requirement: "helix.text.empty-delta", Stateful: true,
			Summary: "After a tool has ended an empty delta opens the text anew.",
			Apply:   on.Written(on.Type("tool_end")).FollowWith("text_delta", runtime.Chunk{"delta": ""})},

		// Mutants that assign text to another agent.
		{Name: "child-text-under-parent", Requirement: "helix.text.per-agent",
			Summary: "What a sub-agent says comes under the id of its parent.",
			Also:    []string{"helix.subagents.agent-type"},
			Apply:   on.Written(on.Type("text_delta")).AsRoot()},
		{Name: "second-child-text-under-first", Requirement: "helix.text.per-agent", Stateful: true,
			Summary: "What a second sub-agent says comes under the id of the first.",
			Also:    []string{"helix.subagents.within", "helix.subagents.agent-type"},
			Apply:   on.Written(on.Type("text_delta"), on.ByChild()).Recall("agentId", on.Type("subagent_start").Nth(1), "subSessionId")},
	}
}

// halves cuts a delta in the middle of the character at an index, which has two UTF-16 units.
func halves(c runtime.Chunk, text string, at int) []runtime.Chunk {
	r := []rune(text[at:])[0]
	high, low := utf16.EncodeRune(r)
	before, after := string(alter.Encode(text[:at])), string(alter.Encode(text[at+len(string(r)):]))
	first, second := c.Clone(), c.Clone()
	first["delta"] = json.RawMessage(fmt.Sprintf(`%s\u%04x"`, before[:len(before)-1], high))
	second["delta"] = json.RawMessage(fmt.Sprintf(`"\u%04x%s`, low, after[1:]))
	return edit.Only(first, second)
}
