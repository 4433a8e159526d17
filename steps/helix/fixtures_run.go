package helix

import (
	"slices"

	"github.com/streamcert/streamcert/steps"
)

// scripted returns the step that starts a run of a script with a step a line.
func scripted(lines string) string { return "a run of this script:\n" + lines }

// ran returns a setup in which a scripted run has written all its chunks before the client attaches.
func ran(lines string) []string {
	return setup(scripted(lines), "the run is settled", "the client attaches")
}

// sayings lists self-tests of sentences on the chunks that a run produces.
func sayings() []steps.Fixture { return slices.Concat(producing(), speaking(), refusing()) }

func producing() []steps.Fixture {
	failed := ran(`[{"tool":{"name":"find_route","error":"no road"}},{"text":"By sea."}]`)
	asks := `[{"tool":{"name":"pay","result":"paid","approval":true}}]`
	return []steps.Fixture{
		{Then: "the client receives, in this order:\n" + `{"type":"tool_start","toolCallId":"$call"}` + "\n" + `{"type":"tool_end","toolCallId":"$call","error":"no road"}`,
			Setup: failed, Mutant: "error-of-tool-generalised", Message: "no such one among: tool_end"},
		{Then: "the client receives, in this order:\n" + `{"type":"tool_start","toolCallId":"$call"}` + "\n" + `{"type":"tool_end","toolCallId":"$call"}`,
			Setup: failed, Mutant: "end-has-id-of-its-own", Message: "no such one among: tool_end"},
		{Then: "a fresh client receives, in this order:\n" + `{"type":"tool_approval_request"}`,
			Setup: ran(asks), Mutant: "request-sent-live-only", Message: "no such one among: tool_start"},
		{Then: `the client receives no chunk with {"type":"tool_end"}`,
			Setup: ran(asks), Mutant: "ends-before-decision", Message: "want 0 chunks"},
		{Then: `the client receives no chunk with {"type":"end","finalOutput":{"days":4}}`,
			Setup: ran(`[{"text":"By sea."}]`), Other: ran(`[{"output":{"days":4}}]`),
			Message: "want 0 chunks"},
		{Then: `the client receives 2 chunks with {"type":"tool_end","toolName":"map"}`,
			Setup:  ran(`[{"tool":{"name":"map","result":1}},{"tool":{"name":"map","error":"lost"}}]`),
			Mutant: "failed-call-ends-twice", Message: "got 3"},
		{Then: `the client receives 1 chunk with {"type":"tool_end","toolName":"map"}`,
			Setup:  ran(`[{"tool":{"name":"find_route","result":1}},{"tool":{"name":"map","error":"lost"}}]`),
			Mutant: "failed-call-not-ended", Message: "got 0"},
		{Then: "the stream of the client finishes with the end frame",
			Setup:  ran(`[{"tool":{"name":"map","error":"lost"}},{"tool":{"name":"map","error":"lost"}},{"text":"No map."}]`),
			Mutant: "second-failure-in-row-fails-run", Message: "want an end frame, got a fail frame"},
		{Then: "the stream of the client finishes with the fail frame",
			Setup:  ran(`[{"error":{"message":"it broke"}}]`),
			Mutant: "fatal-error-ends-well", Message: "want a fail frame, got an end frame"},
		{Then: "the stream of the client has not finished",
			Setup:  ran(`[{"tool":{"name":"pick_day","client":true}}]`),
			Mutant: "client-tool-ends-at-once", Message: "want no terminal frame, got an end frame"},
		{Then: `the client receives the end of a call of "pay" that says "Tool call was not approved by the user"`,
			Setup:  setup(scripted(asks), "the waiting call is denied", "the run is settled", "the client attaches"),
			Mutant: "denied-ends-as-done", Message: "want a result or an error that says"},
	}
}

func speaking() []steps.Fixture {
	child := ran(`[{"text":"I ask. "},{"subagent":{"type":"scout","script":[[{"text":"By sea."}]]}},{"text":"By sea it is."}]`)
	thinks := ran(`[{"thinking":"Which way?"},{"tool":{"name":"map","result":1}},{"thinking":"By sea."}]`)
	errs := ran(`[{"error":{"message":"busy","code":"provider_overloaded","retryable":true}}]` + "\n" + `[{"text":"Again."},{"error":{"message":"it broke"}}]`)
	const busy = `{"error":{"message":"too busy","code":"provider_overloaded","retryable":true`
	return []steps.Fixture{
		{Then: `for the client the text of the agent is "I ask. By sea it is."`,
			Setup: child, Mutant: "child-text-under-parent", Message: `got "I ask. By sea.By sea it is."`},
		{Then: `for the client the text of sub-agent "scout" is "By sea."`,
			Setup: child, Mutant: "child-text-under-parent", Message: `got ""`},
		{Then: `for the client the reasoning of the agent is ["Which way?","By sea."]`,
			Setup: thinks, Mutant: "thoughts-joined", Message: `got ["Which way?By sea."]`},
		{Then: `for the client the reasoning of the agent is ["Which way?","By sea."]`,
			Setup: thinks, Mutant: "thought-keeps-last-increment", Message: `got [" way?"," sea."]`},
		{Then: `the client receives no error with another code than "framework_internal_error"`,
			Setup:  ran(`[{"error":{"message":"it broke"}}]`),
			Mutant: "unclassified-is-providers", Message: `want no code, or "framework_internal_error"`},
		{Then: "the errors that the client receives are of steps 1, 2 of the script",
			Setup: errs, Mutant: "errors-stay-in-first-step", Message: "want an error with step 2"},
		{Then: "for the client an error is recoverable exactly if the run goes on after it",
			Setup:  ran(`[` + busy + `}},` + busy + `,"last":true}}]`),
			Mutant: "recoverable-as-first-time", Message: "want recoverable false"},
	}
}

func refusing() []steps.Fixture {
	waits := setup(scripted(`[{"text":"Let me see."},{"await":"go"}]`), "the run is settled", "a resume of the run is asked for")
	interrupted := setup(waits[0], waits[1], "the run is interrupted", waits[2])
	return []steps.Fixture{
		{Then: "the call is refused",
			Setup: waits, Other: interrupted, Message: "want a refusal (4xx), got 202"},
		{Then: "the call is refused",
			Setup: waits, Mutant: "resume-of-running-accepted", Message: "want a refusal (4xx), got 202"},
		{Then: "the call is done, or leaves the stream of the run ended",
			Setup:  setup(scripted(`[{"text":"Let me see."}]`), "the run is settled", "the call retry of the run is asked for"),
			Mutant: "late-retry-empties-the-stream", Message: "want StreamInfo with the status ended", TimesOut: true},
	}
}
