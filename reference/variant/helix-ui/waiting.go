package helixui

import (
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// waiting vary what becomes of calls that wait for the client.
func waiting() []Variant {
	return []Variant{
		{Name: "denials-are-failures", Freedom: "helix-ui.waiting.denied",
			Summary: "A call that the user denies has failed.",
			Apply: on.Parts(on.Type("tool-output-denied")).Edit(func(p *helixui.Part) {
				(*p)["type"], (*p)["errorText"] = "tool-output-error", "the user said no"
			})},
		{Name: "denials-are-outputs", Freedom: "helix-ui.waiting.denied",
			Summary: "A call that the user denies returns the text that helix has for it.",
			Apply: on.Parts(on.Type("tool-output-denied")).Edit(func(p *helixui.Part) {
				(*p)["type"], (*p)["output"] = "tool-output-available", "Tool call was not approved by the user."
			})},
		{Name: "requests-after-all-calls", Freedom: "helix-ui.waiting.requested",
			Summary: "The calls of a step come first, and then the requests for their approval.",
			Apply:   on.Parts(on.Type("tool-approval-request")).HoldUntil(on.Type("finish-step"))},
		{Name: "asks-nobody", Freedom: "helix-ui.waiting.requested", Without: []string{"approval", "clientTools"},
			Summary: "No call waits for the client, and the configuration leaves out the capabilities.",
			Apply: func(o helixui.Options) helixui.Options {
				o.NeverWaits = true
				return o
			}},
	}
}
