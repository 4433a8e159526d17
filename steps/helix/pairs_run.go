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
func sayings() []steps.Pair { return slices.Concat(producing(), speaking(), refusing()) }

func producing() []steps.Pair {
	failed := ran(`[{"tool":{"name":"find_route","error":"no road"}},{"text":"By sea."}]`)
	asks := `[{"tool":{"name":"pay","result":"paid","approval":true}}]`
	return []steps.Pair{
		{Then: "the client receives, in this order:\n" + `{"type":"tool_start","toolCallId":"$call"}` + "\n" + `{"type":"tool_end","toolCallId":"$call","error":"no road"}`,
			Scene: failed, Mutant: "error-of-tool-generalised", Says: "no such one among: tool_end"},
		{Then: "the client receives, in this order:\n" + `{"type":"tool_start","toolCallId":"$call"}` + "\n" + `{"type":"tool_end","toolCallId":"$call"}`,
			Scene: failed, Mutant: "end-has-id-of-its-own", Says: "no such one among: tool_end"},
		{Then: "a fresh client receives, in this order:\n" + `{"type":"tool_approval_request"}`,
			Scene: ran(asks), Mutant: "request-sent-live-only", Says: "no such one among: tool_start"},
		{Then: `the client receives no chunk with {"type":"tool_end"}`,
			Scene: ran(asks), Mutant: "ends-before-decision", Says: "want 0 chunks"},
		{Then: `the client receives no chunk with {"type":"end","finalOutput":{"days":4}}`,
			Scene: ran(`[{"text":"By sea."}]`), Other: ran(`[{"output":{"days":4}}]`),
			Says: "want 0 chunks"},
		{Then: `the client receives 2 chunks with {"type":"tool_end","toolName":"map"}`,
			Scene:  ran(`[{"tool":{"name":"map","result":1}},{"tool":{"name":"map","error":"lost"}}]`),
			Mutant: "failed-call-ends-twice", Says: "got 3"},
		{Then: `the client receives 1 chunk with {"type":"tool_end","toolName":"map"}`,
			Scene:  ran(`[{"tool":{"name":"find_route","result":1}},{"tool":{"name":"map","error":"lost"}}]`),
			Mutant: "failed-call-not-ended", Says: "got 0"},
		{Then: "the stream of the client finishes with the end frame",
			Scene:  ran(`[{"tool":{"name":"map","error":"lost"}},{"tool":{"name":"map","error":"lost"}},{"text":"No map."}]`),
			Mutant: "second-failure-in-row-fails-run", Says: "want an end frame, got a fail frame"},
		{Then: "the stream of the client finishes with the fail frame",
			Scene:  ran(`[{"error":{"message":"it broke"}}]`),
			Mutant: "fatal-error-ends-well", Says: "want a fail frame, got an end frame"},
		{Then: "the stream of the client has not finished",
			Scene:  ran(`[{"tool":{"name":"pick_day","client":true}}]`),
			Mutant: "client-tool-ends-at-once", Says: "want no terminal frame, got an end frame"},
		{Then: `the client receives the end of a call of "pay" that says "Tool call was not approved by the user"`,
			Scene:  setup(scripted(asks), "the waiting call is denied", "the run is settled", "the client attaches"),
			Mutant: "denied-ends-as-done", Says: "want a result or an error that says"},
	}
}

func speaking() []steps.Pair {
	child := ran(`[{"text":"I ask. "},{"subagent":{"type":"scout","script":[[{"text":"By sea."}]]}},{"text":"By sea it is."}]`)
	thinks := ran(`[{"thinking":"Which way?"},{"tool":{"name":"map","result":1}},{"thinking":"By sea."}]`)
	errs := ran(`[{"error":{"message":"busy","code":"provider_overloaded","retryable":true}}]` + "\n" + `[{"text":"Again."},{"error":{"message":"it broke"}}]`)
	const busy = `{"error":{"message":"too busy","code":"provider_overloaded","retryable":true`
	return []steps.Pair{
		{Then: `for the client the text of the agent is "I ask. By sea it is."`,
			Scene: child, Mutant: "child-text-under-parent", Says: `got "I ask. By sea.By sea it is."`},
		{Then: `for the client the text of sub-agent "scout" is "By sea."`,
			Scene: child, Mutant: "child-text-under-parent", Says: `got ""`},
		{Then: `for the client the reasoning of the agent is ["Which way?","By sea."]`,
			Scene: thinks, Mutant: "thoughts-joined", Says: `got ["Which way?By sea."]`},
		{Then: `for the client the reasoning of the agent is ["Which way?","By sea."]`,
			Scene: thinks, Mutant: "thought-keeps-last-increment", Says: `got [" way?"," sea."]`},
		{Then: `the client receives no error with another code than "framework_internal_error"`,
			Scene:  ran(`[{"error":{"message":"it broke"}}]`),
			Mutant: "unclassified-is-providers", Says: `want no code, or "framework_internal_error"`},
		{Then: "the errors that the client receives are of steps 1, 2 of the script",
			Scene: errs, Mutant: "errors-stay-in-first-step", Says: "want an error with step 2"},
		{Then: "for the client an error is recoverable exactly if the run goes on after it",
			Scene:  ran(`[` + busy + `}},` + busy + `,"last":true}}]`),
			Mutant: "recoverable-as-first-time", Says: "want recoverable false"},
	}
}

func refusing() []steps.Pair {
	waits := setup(scripted(`[{"text":"Let me see."},{"await":"go"}]`), "the run is settled", "a resume of the run is asked for")
	interrupted := setup(waits[0], waits[1], "the run is interrupted", waits[2])
	return []steps.Pair{
		{Then: "the call is refused",
			Scene: waits, Other: interrupted, Says: "want a refusal (4xx), got 202"},
		{Then: "the call is refused",
			Scene: waits, Mutant: "resume-of-running-accepted", Says: "want a refusal (4xx), got 202"},
		{Then: "the call is done, or leaves the stream of the run ended",
			Scene:  setup(scripted(`[{"text":"Let me see."}]`), "the run is settled", "the call retry of the run is asked for"),
			Mutant: "late-retry-empties-the-stream", Says: "want StreamInfo with the status ended", Late: true},
	}
}
