package helixui

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// parts lists the variants of parts.
func parts() []Variant {
	lines := func(b *alter.Block, _ helixui.Event) { b.ID = "" }

	return []Variant{
		// These use freedoms of the beginning and the end of a message.
		{Name: "data-before-start", Freedom: "helix-ui.flow.start",
			Summary: "The application says something of its own before the model is asked, as documented for writers.",
			Apply: on.Parts(on.Type("start")).To(func(_ helixui.Turn, p helixui.Part) []helixui.Part {
				return []helixui.Part{{"type": "data-notice", "data": map[string]any{"text": "One moment"}, "transient": true}, p}
			})},
		{Name: "text-before-start", Freedom: "helix-ui.flow.start",
			Summary: "The application greets in a text of no step before the model's stream, as documented for version 6.",
			Apply: on.Parts(on.Type("start")).To(func(_ helixui.Turn, p helixui.Part) []helixui.Part {
				return []helixui.Part{{"type": "text-start", "id": "greeting"}, {"type": "text-delta", "id": "greeting", "delta": ""}, {"type": "text-end", "id": "greeting"}, p}
			})},
		{Name: "data-after-finish", Freedom: "helix-ui.flow.finish-last",
			Summary: "A callback at the end writes a notice.",
			Apply: on.Parts(on.Type("finish")).Follow(func(helixui.Turn, helixui.Part) []helixui.Part {
				return []helixui.Part{{"type": "data-notice", "data": "done", "transient": true}}
			})},
		{Name: "own-parts-between-deltas", Freedom: "helix-ui.mapping.chunks",
			Summary: "The application says something of its own behind each piece of a text or a thought, and what the message is like.",
			Apply: on.Parts(on.Type("text-delta", "reasoning-delta")).Follow(func(helixui.Turn, helixui.Part) []helixui.Part {
				return []helixui.Part{
					{"type": "data-clock", "data": nil, "transient": true},
					{"type": "message-metadata", "messageMetadata": map[string]any{"mood": "fine"}},
				}
			})},
		{Name: "finish-without-message-id", Freedom: "helix-ui.resume.same-message",
			Summary: "Finish doesn't name the message, as the AI SDK sends it.",
			Apply:   on.Parts(on.Type("finish")).Edit(func(p *helixui.Part) { delete(*p, "messageId") })},
		{Name: "members-from-the-future", Freedom: "helix-ui.parts.optional",
			Summary: "Every part has a member that no version knows.",
			Apply:   on.Parts().Edit(func(p *helixui.Part) { (*p)["traceId"] = map[string]any{"span": 7} })},

		// Variants that use the allowances of texts and reasoning.
		{Name: "ids-used-again", Freedom: "helix-ui.text.unique",
			Summary: "Every text has the same id, one after the other.",
			Apply: on.Parts(on.Type("text-start", "text-delta", "text-end")).Edit(func(p *helixui.Part) {
				(*p)["id"] = "txt-0"
			})},
		{Name: "a-delta-per-character", Freedom: "helix-ui.text.whole",
			Summary: "Texts come character by character.",
			Apply:   on.Parts(on.Type("text-delta", "reasoning-delta")).To(characters)},
		{Name: "an-empty-delta-first", Freedom: "helix-ui.text.whole",
			Summary: "A text begins with a delta that says nothing, as some providers do.",
			Apply: on.Parts(on.Type("text-start")).Follow(func(_ helixui.Turn, p helixui.Part) []helixui.Part {
				return []helixui.Part{{"type": "text-delta", "id": p["id"], "delta": ""}}
			})},
		{Name: "closes-before-an-error", Freedom: "helix-ui.text.closed",
			Summary: "A text that is open when the run fails is ended first.",
			Apply:   on.Parts().Map(closing)},
		{Name: "finish-after-an-error", Freedom: "helix-ui.errors.silent",
			Summary: "A failed run closes what is open, and finishes with the reason error.",
			Apply: on.Parts().Map(func(helixui.Turn) func(helixui.Part) []helixui.Part {
				open := false
				return func(p helixui.Part) []helixui.Part {
					switch p.Type() {
					case "start-step":
						open = true
					case "finish-step":
						open = false
					case "error":
						out := []helixui.Part{p}
						if open {
							out = append(out, helixui.Part{"type": "finish-step"})
						}
						return append(out, helixui.Part{"type": "finish", "finishReason": "error"})
					}
					return []helixui.Part{p}
				}
			})},
		{Name: "finish-after-an-abort", Freedom: "helix-ui.mapping.chunks",
			Summary: "A run that was interrupted closes its step, and finishes without a reason.",
			Apply: on.Parts(on.Type("abort")).Follow(func(helixui.Turn, helixui.Part) []helixui.Part {
				return []helixui.Part{{"type": "finish"}}
			})},
		{Name: "leaves-out-empty-texts", Freedom: "helix-ui.mapping.chunks",
			Summary: "A delta that says nothing becomes no part, and opens neither a text nor a step.",
			Apply: on.Chunks(on.ChunkType("text_delta"), alter.Each[helixui.Turn](func(c helixui.Chunk) bool {
				return c["delta"] == ""
			})).Drop()},
		{Name: "hides-reasoning", Freedom: "helix-ui.reasoning.whole",
			Summary: "Thoughts aren't shown to clients.",
			Apply:   on.Parts(on.Type("reasoning-start", "reasoning-delta", "reasoning-end")).Drop()},
		{Name: "says-that-it-hides-reasoning", Freedom: "helix-ui.reasoning.whole", Without: []string{"reasoning"},
			Summary: "Thoughts aren't shown to clients, and the configuration says so.",
			Apply:   on.Parts(on.Type("reasoning-start", "reasoning-delta", "reasoning-end")).Drop()},

		// These use freedoms of calls and failures.
		{Name: "streams-inputs", Freedom: "helix-ui.tools.started",
			Summary: "The input of a call is sent in pieces first.",
			Apply:   on.Parts(on.Type("tool-input-available").After(on.Type("tool-input-start"))).To(pieces)},
		{Name: "inputs-without-start", Freedom: "helix-ui.tools.once",
			Summary: "The input of a call is sent whole, and nothing before it.",
			Apply:   on.Parts(on.Type("tool-input-start")).DropBefore(on.Type("tool-input-available"))},
		{Name: "preliminary-outputs", Freedom: "helix-ui.tools.output-once",
			Summary: "A tool says how far it is before it returns.",
			Apply: on.Parts(on.Type("tool-output-available")).To(func(_ helixui.Turn, p helixui.Part) []helixui.Part {
				return []helixui.Part{{"type": "tool-output-available", "toolCallId": p["toolCallId"], "output": map[string]any{"percent": 50}, "preliminary": true}, p}
			})},
		{Name: "wrong-inputs-fail-too", Freedom: "helix-ui.tools.bad-arguments",
			Summary: "A call with a wrong input has an output that is an error beside, as version 6 of the AI SDK has it.",
			Apply: on.Parts(on.Type("tool-input-error")).Follow(func(_ helixui.Turn, p helixui.Part) []helixui.Part {
				return []helixui.Part{{"type": "tool-output-error", "toolCallId": p["toolCallId"], "errorText": "An error occurred."}}
			})},
		{Name: "answers-in-the-step-of-the-call", Freedom: "helix-ui.steps.tool-turn", Warns: []string{"helix-ui.steps.tool-turn"},
			Summary: "The application writes its own parts, and a step for all that belongs to a call.",
			Apply:   on.Parts().Map(oneStep)},
		{Name: "no-reason", Freedom: "helix-ui.flow.reason", Warns: []string{"helix-ui.flow.reason"},
			Summary: "Finish doesn't say why, as in earlier versions.",
			Apply:   on.Parts(on.Type("finish")).Edit(func(p *helixui.Part) { delete(*p, "finishReason") })},
		{Name: "masks-errors", Freedom: "helix-ui.errors.told",
			Summary: "What went wrong isn't told to clients.",
			Apply:   on.Parts(on.Type("error", "tool-output-error")).Edit(func(p *helixui.Part) { (*p)["errorText"] = "An error occurred." })},

		// These use freedoms of the response around the parts.
		{Name: "refuses-when-the-model-does", Freedom: "helix-ui.errors.told",
			Summary: "A run that fails before it has said anything is answered with 502.",
			Wrap:    refusesFailures},
		{Name: "says-that-replay-is-off", Freedom: "helix-ui.replay.once", Without: []string{"replay"},
			Summary: "Content replay is switched off, and the configuration says so: what the open turn has said is in the history.",
			Apply:   withoutReplay},
		{Name: "replay-off", Freedom: "helix-ui.replay.default", Warns: []string{"helix-ui.replay.default"},
			Summary: "Content replay is switched off: a message that is streamed is in the history, under an id that ends in -partial.",
			Apply:   withoutReplay},
		{Name: "no-store", Freedom: "helix-ui.wire.cache-control",
			Summary: "The stream must not be kept at all.",
			Wrap:    on.Head("Cache-Control", "private, no-store")},
		{Name: "no-cache-control", Freedom: "helix-ui.wire.cache-control", Warns: []string{"helix-ui.wire.cache-control"},
			Summary: "The framework sets no header of its own.",
			Wrap:    on.Head("Cache-Control", "")},
		{Name: "no-protocol-header", Freedom: "helix-ui.wire.header", Warns: []string{"helix-ui.wire.header"},
			Summary: "A gateway passes on only the headers that it knows.",
			Wrap:    on.Head("X-Vercel-Ai-Ui-Message-Stream", "")},
		{Name: "utf8-named", Freedom: "helix-ui.wire.content-type",
			Summary: "The content type names its encoding.",
			Wrap:    on.Head("Content-Type", "text/event-stream; charset=utf-8")},

		// These use freedoms of Server-Sent Events.
		{Name: "no-done", Freedom: "helix-ui.flow.done", Warns: []string{"helix-ui.flow.done"},
			Summary: "The body ends behind finish: no client waits for more.",
			Apply:   on.Frames(on.Done()).Drop()},
		{Name: "ids-of-chunks", Freedom: "helix-ui.resume.ascending",
			Summary: "Only the last part of what one chunk became has an id: a start has none of its own.",
			Apply:   on.Frames(on.Event("text-start", "reasoning-start", "tool-input-start", "start-step")).Fields(lines)},
		{Name: "ids-behind-pieces", Freedom: "helix-ui.resume.ids",
			Summary: "What the piece of a text costs follows it, and only that has an id: they came of one chunk.",
			Apply: alter.All(on.Parts(on.Type("text-delta")).Follow(func(helixui.Turn, helixui.Part) []helixui.Part {
				return []helixui.Part{{"type": "data-cost", "data": 1, "transient": true}}
			}), on.Frames(on.Event("text-delta")).Fields(lines))},
		{Name: "outputs-share-the-id-of-their-step-end", Freedom: "helix-ui.resume.ids",
			Summary: "What came of a call and the end of its step have one id: they came of one chunk.",
			Apply: on.Frames(on.Event("tool-output-available", "tool-output-error")).Fields(func(b *alter.Block, e helixui.Event) {
				if id, _ := e.Part["toolCallId"].(string); strings.Contains(id, "-call-") { // the agent's own, whose step ends here
					b.ID = strconv.Itoa(e.ID + 1)
				}
			})},
		{Name: "crlf", Freedom: "helix-ui.wire.single-line",
			Summary: "Lines end with CR and LF.",
			Apply:   on.Frames().Replace("\n", "\r\n")},
		{Name: "keep-alive-comments", Freedom: "helix-ui.wire.content-type",
			Summary: "A comment opens the stream, and another one stands before each part, as keep-alive of version 7 has it.",
			Apply:   on.Frames().Before(": keep-alive\n\n")},
	}
}

// oneStep leaves the step open in which a call returns, up to the end of the message.
func oneStep(helixui.Turn) func(helixui.Part) []helixui.Part {
	returned, open := false, false
	return func(p helixui.Part) []helixui.Part {
		switch p.Type() {
		case "tool-output-available", "tool-output-error":
			returned = true
		case "start-step":
			if returned && open {
				return nil
			}
			open = true
		case "finish-step":
			if returned {
				return nil
			}
			open = false
		case "finish":
			if returned && open {
				return []helixui.Part{{"type": "finish-step"}, p}
			}
		}
		return []helixui.Part{p}
	}
}

// closing ends the text that is open before an error.
func closing(helixui.Turn) func(helixui.Part) []helixui.Part {
	var open any
	return func(p helixui.Part) []helixui.Part {
		switch p.Type() {
		case "text-start":
			open = p["id"]
		case "text-end":
			open = nil
		case "error":
			if open != nil {
				return []helixui.Part{{"type": "text-end", "id": open}, p}
			}
		}
		return []helixui.Part{p}
	}
}

// characters cuts a delta.
func characters(_ helixui.Turn, p helixui.Part) []helixui.Part {
	var out []helixui.Part
	for rest := p.Text("delta"); rest != ""; {
		_, n := utf8.DecodeRuneInString(rest)
		out = append(out, helixui.Part{"type": p["type"], "id": p["id"], "delta": rest[:n]})
		rest = rest[n:]
	}
	return out
}

// pieces streams the JSON of an input before it is complete.
func pieces(_ helixui.Turn, p helixui.Part) []helixui.Part {
	text, err := json.Marshal(p["input"])
	if err != nil {
		return []helixui.Part{p}
	}
	half := len(text) / 2
	for !utf8.RuneStart(text[half]) {
		half++
	}
	delta := func(piece []byte) helixui.Part {
		return helixui.Part{"type": "tool-input-delta", "toolCallId": p["toolCallId"], "inputTextDelta": string(piece)}
	}
	return []helixui.Part{delta(text[:half]), delta(text[half:]), p}
}

// withoutReplay includes the open turn's content so far in the history, and sends only the later content by its stream.
func withoutReplay(o helixui.Options) helixui.Options {
	o.OpenInHistory, o.NoReplay = true, true
	return o
}
