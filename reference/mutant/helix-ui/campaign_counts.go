package helixui

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// rareCounts lists the mutants that a count, an end or an agent shows.
func rareCounts() []Mutant {
	return []Mutant{
		// These err beyond a number of parts.
		{Name: "sixty-four-thoughts", Requirement: "helix-ui.reasoning.whole", Stateful: true,
			Summary: "Of what the model thinks in a turn the first 64 pieces are shown.",
			Apply:   on.Parts(on.Type("reasoning-delta").From(65)).Drop()},
		{Name: "ten-outputs", Requirement: "helix-ui.tools.result", Stateful: true,
			Summary: "From the eleventh call of a turn on an output is that of the tenth.",
			Apply: on.Parts(on.Type("tool-output-available")).EditSequence(func(helixui.Turn) func(*helixui.Part) {
				n, tenth := 0, any(nil)
				return func(p *helixui.Part) {
					if n++; n == 10 {
						tenth = (*p)["output"]
					}
					if n > 10 {
						(*p)["output"] = tenth
					}
				}
			})},
		{Name: "twenty-steps", Requirement: "helix-ui.mapping.chunks", Stateful: true,
			Summary: "Behind twenty steps a step that is committed isn't finished before the message is.",
			Apply:   on.Chunks(on.ChunkType("step_committed").From(21)).Drop()},

		// These err where something is large or long.
		{Name: "deltas-of-64-kib", Requirement: "helix-ui.text.whole",
			Summary: "A delta is read up to 64 KiB, and the rest of it is thrown away.",
			Apply: on.Parts(on.Type("text-delta")).Edit(func(p *helixui.Part) {
				(*p)["delta"] = truncated(p.Text("delta"), 64<<10)
			})},
		{Name: "outputs-of-64-kib", Requirement: "helix-ui.tools.result",
			Summary: "An output beyond 64 KiB is told as one that was cut.",
			Apply: on.Parts(on.Type("tool-output-available")).Edit(func(p *helixui.Part) {
				if len(written((*p)["output"])) > 64<<10 {
					(*p)["output"] = "(too long)"
				}
			})},
		{Name: "lines-of-1-mib", Requirement: "helix-ui.tools.result",
			Summary: "A gateway leaves out events of a MiB and more.",
			Apply: on.Frames(on.Event("tool-output-available")).Bytes(func(whole []byte, _ helixui.Event) []byte {
				if len(whole) >= 1<<20 {
					return nil
				}
				return whole
			})},

		// These err where other agents than the root say something.
		{Name: "sub-agents-call-tools", Requirement: "helix-ui.mapping.agents",
			Summary: "Calls of sub-agents are shown as calls of the root agent.",
			Apply: on.Chunks(on.ChunkType("tool_start", "tool_end")).Edit(func(c *helixui.Chunk) {
				delete(*c, "agentId")
			})},

		// Mutants that err after a turn that failed, and when a refreshed page comes back.
		{Name: "failures-without-words", Requirement: "helix-ui.errors.told", Also: []string{"helix-ui.flow.finish"},
			Summary: "A run that fails without a word isn't said to have failed.",
			Apply:   on.Parts(on.Type("error"), alter.Each[helixui.Turn](func(p helixui.Part) bool { return p.Text("errorText") == "" })).Drop()},

		// Mutants that err with reasoning that other output interrupts, or that is repeated.
		{Name: "strangers-end-a-thought", Requirement: "helix-ui.reasoning.whole", Stateful: true,
			Summary: "Where another agent speaks meanwhile, the chunk that completes a thought is taken for all of it.",
			Apply: on.Chunks().Map(func(t helixui.Turn) func(helixui.Chunk) []helixui.Chunk {
				grows, spoken := false, false // a thought, and another agent meanwhile
				return func(c helixui.Chunk) []helixui.Chunk {
					agent, _ := c["agentId"].(string)
					switch thinks := c["type"] == "thinking"; {
					case agent != "" && agent != t.Chat:
						spoken = grows
					case thinks && c["isComplete"] != true:
						grows = true
					case thinks && spoken:
						again := maps.Clone(c)
						again["isComplete"], grows, spoken = false, false, false
						return []helixui.Chunk{again, c}
					default:
						grows, spoken = false, false
					}
					return []helixui.Chunk{c}
				}
			})},

		// Mutants that err with complete reasoning.
		{Name: "increments-are-taken-out", Requirement: "helix-ui.reasoning.whole", Stateful: true,
			Summary: "From the chunk that completes a thought its increments are taken out wherever they stand in it.",
			Apply: on.Chunks(on.ChunkType("thinking")).EditSequence(func(helixui.Turn) func(*helixui.Chunk) {
				grown := ""
				return func(c *helixui.Chunk) {
					content, _ := (*c)["content"].(string)
					if (*c)["isComplete"] != true {
						grown += content
						return
					}
					if rest, longer := strings.CutPrefix(content, grown); longer && grown != "" {
						(*c)["content"] = grown + strings.ReplaceAll(rest, grown, "")
					}
					grown = ""
				}
			})},
		{Name: "marks-of-thoughts", Requirement: "helix-ui.text.whole", Summary: "What stands in a text between the marks with which some models think is taken for a thought.",
			Apply: on.Parts(on.Type("text-delta")).Edit(func(p *helixui.Part) {
				(*p)["delta"] = strings.NewReplacer("<think>", "", "</think>", "").Replace(p.Text("delta"))
			})},

		// These err with texts that a formatter reads, and with readers that leave again and again.
		{Name: "dollar-signs-of-the-history", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "A text of the history is put into a template by a replacement, in which two dollar signs are one.",
			Apply: func(o helixui.Options) helixui.Options {
				o.History = func(all []helixui.Message) []helixui.Message {
					for i := range all {
						for j, p := range all[i].Parts {
							if p.Type() == "text" {
								all[i].Parts[j] = maps.Clone(p)
								all[i].Parts[j]["text"] = strings.ReplaceAll(p.Text("text"), "$$", "$")
							}
						}
					}
					return all
				}
				return o
			}},
		{Name: "fifty-readers-leave", Requirement: "helix-ui.resume.goes-on", Stateful: true,
			Summary: "A chat has room for fifty readers that come back, and those who leave never make any.",
			Wrap: func(next http.Handler) http.Handler {
				var left counts
				return returning(true, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
					if left.seen(r.URL.Path) >= 50 {
						<-r.Context().Done()
						return
					}
					next.ServeHTTP(w, r)
					if r.Context().Err() != nil {
						left.next(r.URL.Path)
					}
				})(next)
			}},
	}
}

// written encodes a value as JSON.
func written(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // it was read
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// decoded is a value as encoding/json decodes it.
func decoded(v any) any {
	var out any
	_ = json.Unmarshal(written(v), &out)
	return out
}

// truncated returns the beginning of a text, in complete characters.
func truncated(text string, most int) string {
	if len(text) > most {
		text = string(bytes.ToValidUTF8([]byte(text[:most]), nil))
	}
	return text
}

// changed gives a member another value, computed from the old one.
func changed(member string, change func(any) any) func(*helixui.Part) {
	return func(p *helixui.Part) {
		if v, there := (*p)[member]; there {
			(*p)[member] = change(decoded(v))
		}
	}
}

// seen returns the number of times that a key was counted.
func (c *counts) seen(key string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of[key]
}
