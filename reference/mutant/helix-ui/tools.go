package helixui

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// tools lists the mutants of tools.
func tools() []Mutant {
	output := func(value any) func(helixui.Turn, helixui.Part) []helixui.Part {
		return func(_ helixui.Turn, p helixui.Part) []helixui.Part {
			return []helixui.Part{{"type": "tool-output-available", "toolCallId": p["toolCallId"], "output": value}}
		}
	}
	continues := alter.In[helixui.Turn, helixui.Part](func(t helixui.Turn) bool { return t.Continues })

	return []Mutant{
		// These get calls wrong.
		{Name: "hides-later-calls", Requirement: "helix-ui.tools.opened", Stateful: true,
			Summary: "Of the second call in a turn only the output is sent.",
			Apply: alter.All(on.Parts(on.Type("tool-input-start").From(2)).Drop(),
				on.Parts(on.Type("tool-input-available").From(2)).Drop())},
		{Name: "input-without-start", Requirement: "helix-ui.tools.started",
			Summary: "The input of a call is streamed without saying which tool it is for.",
			Apply:   on.Parts(on.Type("tool-input-start")).DropBefore(on.Type("tool-input-delta"))},
		{Name: "inputs-twice", Requirement: "helix-ui.tools.once",
			Summary: "The input is sent when the model has written it, and again when the tool begins.",
			Apply:   on.Parts(on.Type("tool-input-available")).Repeat()},
		{Name: "outputs-twice", Requirement: "helix-ui.tools.output-once",
			Summary: "The output is sent by the tool and by the loop around it.",
			Apply:   on.Parts(on.Type("tool-output-available")).Repeat()},
		{Name: "inputs-as-text", Requirement: "helix-ui.tools.arguments",
			Summary: "The input is the JSON text that the model wrote.",
			Also:    []string{"helix-ui.mapping.chunks"},
			Apply: on.Parts(on.Type("tool-input-available")).Edit(func(p *helixui.Part) {
				text, _ := json.Marshal((*p)["input"])
				(*p)["input"] = string(text)
			})},
		{Name: "outputs-in-an-envelope", Requirement: "helix-ui.tools.result",
			Summary: "What a tool returns is wrapped for the model, and so for the client.",
			Also:    []string{"helix-ui.mapping.chunks"},
			Apply: on.Parts(on.Type("tool-output-available")).Edit(func(p *helixui.Part) {
				(*p)["output"] = map[string]any{"type": "json", "value": (*p)["output"]}
			})},
		{Name: "failures-are-outputs", Requirement: "helix-ui.tools.failure",
			Summary: "A tool that fails returns its error as its output.",
			Also:    []string{"helix-ui.mapping.chunks"},
			Apply: on.Parts(on.Type("tool-output-error")).Edit(func(p *helixui.Part) {
				*p = helixui.Part{"type": "tool-output-available", "toolCallId": (*p)["toolCallId"], "output": (*p)["errorText"]}
			})},
		{Name: "bad-arguments-end-the-run", Requirement: "helix-ui.tools.bad-arguments",
			Summary: "Arguments that can't be read are a failure of the run.",
			Apply: on.Parts(on.Type("tool-input-error")).To(func(_ helixui.Turn, p helixui.Part) []helixui.Part {
				return []helixui.Part{{"type": "error", "errorText": p["errorText"]}}
			})},
		{Name: "later-calls-never-return", Requirement: "helix-ui.tools.closed", Stateful: true,
			Summary: "Of the second call in a turn no output is sent.",
			Apply:   on.Parts(on.Type("tool-output-available").From(2)).Drop()},
		{Name: "starts-name-the-call", Requirement: "helix-ui.tools.name",
			Summary: "The start of a call has the call's id as the name of the tool.",
			Also:    []string{"helix-ui.mapping.chunks"},
			Apply: on.Parts(on.Type("tool-input-start")).Edit(func(p *helixui.Part) {
				(*p)["toolName"] = (*p)["toolCallId"]
			})},

		// These get steps wrong.
		{Name: "first-step-never-starts", Requirement: "helix-ui.steps.opened",
			Summary: "The first step begins with the message.",
			Also:    []string{"helix-ui.mapping.chunks"},
			Apply:   on.Parts(on.Type("start-step").Nth(1)).Drop()},
		{Name: "steps-start-twice", Requirement: "helix-ui.steps.nested",
			Summary: "A step is started by the loop and by the model call.",
			Also:    []string{"helix-ui.steps.closed"},
			Apply:   on.Parts(on.Type("start-step")).Repeat()},
		{Name: "last-step-never-finishes", Requirement: "helix-ui.steps.closed",
			Summary: "A step is finished when the next one starts, so that the last one isn't.",
			Apply:   on.Parts(on.Type("finish-step")).DropBefore(on.Type("finish"))},
		{Name: "one-step-for-all", Requirement: "helix-ui.steps.tool-turn",
			Summary: "What the model says after a tool belongs to the step of the call.",
			Also:    []string{"helix-ui.mapping.chunks"},
			Apply: alter.All(on.Parts(on.Type("finish-step")).DropBefore(on.Type("start-step")),
				on.Parts(on.Type("start-step").From(2)).Drop())},

		// These get failures wrong.
		{Name: "fails-in-silence", Requirement: "helix-ui.errors.told",
			Summary: "When the model fails, the stream ends.",
			Also:    []string{"helix-ui.errors.part", "helix-ui.flow.finish", "helix-ui.mapping.chunks"},
			Apply:   on.Parts(on.Type("error")).Drop()},
		{Name: "breaks-the-connection", Requirement: "helix-ui.errors.part",
			Summary: "What the model's connection does, the client's does too.",
			Also:    []string{"helix-ui.mapping.chunks"},
			Wrap:    breaksAtErrors},
		{Name: "apologises", Requirement: "helix-ui.errors.silent",
			Summary: "A text follows the error, for people.",
			Apply: on.Parts(on.Type("error")).Follow(func(helixui.Turn, helixui.Part) []helixui.Part {
				return text("sorry", "Sorry.")
			})},

		// These get calls wrong that wait for the client.
		{Name: "one-request-a-step", Requirement: "helix-ui.waiting.requested", Stateful: true,
			Summary: "Of the calls of one step only the first is asked for.",
			Apply:   on.Parts(on.Type("tool-approval-request").From(2)).Drop()},
		{Name: "runs-and-asks", Requirement: "helix-ui.waiting.unrun",
			Summary: "A tool runs while the user is asked.",
			Apply:   on.Parts(on.Type("tool-approval-request")).Follow(output("done"))},
		{Name: "tools-without-code-return-nothing", Requirement: "helix-ui.waiting.client-tools",
			Summary: "A tool that the server doesn't have returns null at once.",
			Apply: on.Parts(on.Type("tool-input-available"), alter.Each[helixui.Turn](func(p helixui.Part) bool {
				return p["toolName"] == "locate"
			})).Follow(output(nil))},
		{Name: "open-until-the-answer", Requirement: "helix-ui.waiting.finish",
			Summary: "The response stays open until the user has decided.",
			Wrap:    openUntilAnswered},
		{Name: "approved-calls-return-to-the-model-alone", Requirement: "helix-ui.waiting.approved",
			Summary: "An approved call runs, and only the model gets its output.",
			Apply:   on.Parts(on.Type("tool-output-available"), continues).Drop()},
		{Name: "every-answer-is-consent", Requirement: "helix-ui.waiting.denied",
			Summary: "An answer of the user is taken for consent, whatever it is.",
			Wrap:    onAnswers(func(m map[string]any) { replaced(m, "approved", false, true) })},
		{Name: "answers-begin-a-message", Requirement: "helix-ui.waiting.message",
			Summary: "Each response has a new message.",
			Apply: on.Parts(on.Type("start", "finish"), continues).EditIn(func(t helixui.Turn, p *helixui.Part) {
				(*p)["messageId"] = t.MessageID + "-2"
			})},
		{Name: "denials-end-the-run", Requirement: "helix-ui.waiting.continues",
			Summary: "A run whose call was denied is over.",
			Apply:   on.Parts(on.Type("start-step", "text-start", "text-delta", "text-end", "finish-step").After(on.Type("tool-output-denied"))).Drop()},
		{Name: "client-outputs-are-dropped", Requirement: "helix-ui.waiting.brought",
			Summary: "An output that the client brings is stored as null.",
			Wrap: onAnswers(func(m map[string]any) {
				if m["state"] == "output-available" {
					m["output"] = nil
				}
			})},
	}
}

// breaksAtErrors breaks the connection instead of sending an error part.
var breaksAtErrors = on.Streams(func(w *alter.Response, _ *http.Request) {
	w.Body = func(written []byte) []byte {
		if bytes.Contains(written, []byte(`"type":"error"`)) {
			panic(http.ErrAbortHandler)
		}
		return written
	}
})

// replaced gives a member another value where it has a certain one.
func replaced(m map[string]any, name string, before, after any) {
	if value, there := m[name]; there && value == before {
		m[name] = after
	}
}

// onAnswers changes the objects in the bodies of requests that have answers of the client.
func onAnswers(change func(map[string]any)) alter.Around {
	return alter.OnBodies(isTurn, func(body []byte) []byte {
		if !bytes.Contains(body, []byte("messageId")) {
			return body
		}
		return alter.Recode(body, func(v any) any {
			return alter.Walk(v, func(v any) any {
				if m, is := v.(map[string]any); is {
					change(m)
				}
				return v
			})
		})
	})
}

func isTurn(r *http.Request) bool { return r.Method == http.MethodPost && !alter.IsControl(r) }

// openUntilAnswered keeps back the end of a response with a request for approval.
var openUntilAnswered = alter.OnRequests(isTurn, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
	asked, open := false, false
	next.ServeHTTP(&alter.Response{ResponseWriter: w, Body: func(written []byte) []byte {
		asked = asked || bytes.Contains(written, []byte(`"tool-approval-request"`))
		end := bytes.Index(written, []byte(`"type":"finish"`))
		if open = open || asked && end >= 0; !open {
			return written
		}
		return written[:1+bytes.LastIndex(written[:max(end, 0)], []byte("\n"))]
	}}, r)
	if open {
		<-r.Context().Done()
	}
})
