package helixui

import (
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// endings lists mutants that err after a turn that failed, and when a refreshed page comes back.
func endings() []Mutant {
	return []Mutant{
		busyBehind("busy-behind-a-failure", "A run that fails leaves the lock of its chat behind.", "error"),
		busyBehind("busy-behind-an-interruption", "A run that is interrupted leaves the lock of its chat behind.", "abort"),
		{Name: "failures-without-words", Requirement: "helix-ui.errors.told", Also: []string{"helix-ui.flow.finish"},
			Summary: "A run that fails without a word isn't said to have failed.",
			Apply:   on.Parts(on.Type("error"), alter.Each[helixui.Turn](func(p helixui.Part) bool { return p.Text("errorText") == "" })).Drop()},
		{Name: "failed-turns-are-gone", Requirement: "helix-ui.resume.after", Stateful: true,
			Summary: "Of a turn that failed nothing is sent to who comes back.",
			Apply: from(func(kept []helixui.Event, _ int, hasCursor bool, first int) int {
				if n := len(kept); hasCursor && n > 0 && kept[n-1].Part.Type() == "error" {
					return n
				}
				return first
			})},
		{Name: "replays-count-anew", Requirement: "helix-ui.resume.after", Stateful: true,
			Summary: "The ids of a page that was refreshed are the numbers of the parts that it gets.",
			Wrap: alter.OnResponses(func(r *http.Request) bool { return readAgain(r) && r.Header.Get("Last-Event-ID") == "" }, func(w *alter.Response, _ *http.Request) {
				w.StreamOnly = true
				n := 0
				w.Body = func(written []byte) []byte {
					return idLine.ReplaceAllFunc(written, func([]byte) []byte {
						n++
						return []byte("id: " + strconv.Itoa(n))
					})
				}
			})},
		{Name: "lists-are-no-requests", Requirement: "helix-ui.requests.refused", Summary: "A body that is a list is an error of the server.",
			Wrap: alter.OnRequests(func(r *http.Request) bool { return r.Method == http.MethodPost && r.ContentLength == 2 }, func(_ http.Handler, w http.ResponseWriter, _ *http.Request) {
				http.Error(w, "a list has no member messages", http.StatusInternalServerError)
			})},
	}
}

// idLine matches the id of an event.
var idLine = regexp.MustCompile(`(?m)^id: \d+$`)

// busyBehind refuses the turns of a chat after one that ended by a part of a type.
func busyBehind(name, summary, kind string) Mutant {
	var locked sync.Map // names of chats
	return Mutant{Name: name, Requirement: "helix-ui.wire.content-type", Summary: summary, Stateful: true,
		Apply: on.Parts(on.Type(kind)).EditIn(func(t helixui.Turn, _ *helixui.Part) { locked.Store(t.Chat, true) }),
		Wrap: alter.OnRequests(func(r *http.Request) bool { return r.Method == http.MethodPost && !alter.IsControl(r) }, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
			if _, busy := locked.Load(strings.TrimPrefix(r.URL.Path, "/chat/")); busy {
				http.Error(w, "the chat is locked", http.StatusConflict)
				return
			}
			next.ServeHTTP(w, r)
		})}
}

// repeatedReasoning lists mutants that err with reasoning that other output interrupts, or that is repeated.
func repeatedReasoning() []Mutant {
	return []Mutant{
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
		{Name: "failures-of-strangers", Requirement: "helix-ui.mapping.agents", Also: []string{"helix-ui.text.whole", "helix-ui.flow.finish"}, Summary: "The failure of another agent is that of the message.",
			Apply: on.Chunks(on.ChunkType("error")).Edit(func(c *helixui.Chunk) {
				*c = maps.Clone(*c)
				delete(*c, "agentId")
			})},
	}
}

// completeReasoning lists mutants that err with complete reasoning.
func completeReasoning() []Mutant {
	return []Mutant{
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
		{Name: "whole-thoughts-once", Requirement: "helix-ui.reasoning.whole", Stateful: true, Summary: "A thought that comes at once and is the one before it is taken for a redelivery.",
			Apply: on.Chunks(on.ChunkType("thinking")).Map(func(helixui.Turn) func(helixui.Chunk) []helixui.Chunk {
				before, grown := "", false
				return func(c helixui.Chunk) []helixui.Chunk {
					content, _ := c["content"].(string)
					if c["isComplete"] != true {
						grown = true
						return []helixui.Chunk{c}
					}
					same := !grown && content == before
					if before, grown = content, false; same {
						return nil
					}
					return []helixui.Chunk{c}
				}
			})},
	}
}

// emptyTexts err with values that are empty or null, and with texts that a page or a store writes in another way.
func emptyTexts() []Mutant {
	return []Mutant{
		{Name: "patches-of-nothing", Requirement: "helix-ui.mapping.chunks", Summary: "Patches that change nothing aren't sent.",
			Apply: on.Chunks(on.ChunkType("state_patch"), alter.Each[helixui.Turn](func(c helixui.Chunk) bool {
				patches, _ := c["patches"].([]any)
				return len(patches) == 0
			})).Drop()},
		{Name: "outputs-of-nothing", Requirement: "helix-ui.mapping.chunks", Summary: "An output that is false or empty isn't sent.",
			Apply: on.Chunks(on.ChunkType("output"), alter.Each[helixui.Turn](func(c helixui.Chunk) bool {
				return slices.Contains([]any{nil, false, ""}, c["output"])
			})).Drop()},
		{Name: "subagents-without-nulls", Requirement: "helix-ui.mapping.chunks", Summary: "What a sub-agent found is left out where it is null.",
			Apply: on.Chunks(on.ChunkType("subagent_end"), alter.Each[helixui.Turn](func(c helixui.Chunk) bool { return c["result"] == nil })).
				Edit(func(c *helixui.Chunk) {
					*c = maps.Clone(*c)
					delete(*c, "result")
				})},
		{Name: "metadata-without-nulls", Requirement: "helix-ui.metadata.start", Also: []string{"helix-ui.metadata.finish"}, Summary: "Members of metadata that are null are left out.",
			Apply: on.Parts(on.Type("start", "finish")).Edit(func(p *helixui.Part) {
				if metadata, is := (*p)["messageMetadata"].(map[string]any); is {
					metadata = maps.Clone(metadata)
					maps.DeleteFunc(metadata, func(_ string, v any) bool { return v == nil })
					(*p)["messageMetadata"] = metadata
				}
			})},
		{Name: "written-arguments-are-read", Requirement: "helix-ui.tools.arguments", Summary: "A text among the arguments that is an object of JSON becomes one.",
			Apply: on.Parts(on.Type("tool-input-available")).Edit(func(p *helixui.Part) {
				input, is := (*p)["input"].(map[string]any)
				if !is {
					return
				}
				input = maps.Clone(input)
				for name, v := range input {
					var inner map[string]any
					if text, is := v.(string); is && json.Unmarshal([]byte(text), &inner) == nil && len(inner) > 0 {
						input[name] = inner
					}
				}
				(*p)["input"] = input
			})},
		{Name: "questions-for-a-page", Requirement: "helix-ui.history.whole", Also: []string{"helix-ui.history.failed"}, Summary: "What the user says is kept as HTML has it.",
			Apply: onUserTexts(func(_ int, text string) string { return html.EscapeString(text) })},
		{Name: "questions-of-a-form", Requirement: "helix-ui.history.whole", Also: []string{"helix-ui.history.failed"}, Summary: "Line ends of two characters become one in what the user says.",
			Apply: onUserTexts(func(_ int, text string) string { return strings.ReplaceAll(text, "\r\n", "\n") })},
	}
}
