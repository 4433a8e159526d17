package aep

import "github.com/streamcert/streamcert/steps"

// agentScript returns the step that asks an agent to do something.
func agentScript(script string) string { return "a request with this script:\n" + script }

// agentScriptOf returns the same for a request with a name.
func agentScriptOf(name, script string) string {
	return `request "` + name + "\" with this script:\n" + script
}

// agentRequest returns a request with another body.
func agentRequest(body string) string { return "this request:\n" + body }

// from is one user's message.
const from = `{"messages": [{"role": "user", "content": [{"type": "text", "text": "Plan the trip"}]}]`

func agentsRespond() []steps.Fixture {
	one := agentScript(`[{"text": "Hello there."}]`)
	fails := func(code string) string { return agentScript(`[{"text": "It is"}, {"fail": "` + code + `"}]`) }
	return []steps.Fixture{
		{Then: "no exchange of this scenario breaks this rule", Of: "aep.done.same-thread",
			Setup: setup(one, "the request has been answered"), Mutant: "done-names-message-as-thread", Message: "another thread"},
		{Then: "the response begins with metadata", Setup: setup(one), Mutant: "metadata-after-first-start", Message: "want metadata"},
		{Then: "the response ends with done", Setup: setup(one), Other: setup(fails("agent_error")), Message: `"agent_error"`},
		{Then: "the response ends with aborted",
			Setup:  setup(agentScript(`[{"await": "b"}]`), "the request has begun", "the request is cancelled"),
			Mutant: "cancelled-is-done", Message: `"done"`},
		{Then: `the response ends with the error "agent_error"`, Setup: setup(fails("agent_error")),
			Other: setup(fails("tool_error")), Message: `"tool_error"`},
		{Then: `the response times out with the error "stream_timeout"`,
			Setup: setup("a request to an agent whose streams time out, with this script:\n[{\"hang\": true}]"), Mutant: "timeout-is-agents", Message: `"agent_error"`},
		{Then: `the response times out with the error "stream_timeout", and no sooner than it may`,
			Setup:  setup("a request to an agent whose streams time out, with this script:\n[{\"hang\": true}]"),
			Mutant: "timeout-in-another-unit", Message: "no end before"},
		{Then: `the finish reason of the response is "stop"`, Setup: setup(one), Mutant: "end-turn", Message: "end_turn"},
		{Then: "3 comments come in the response, one each heartbeat of at most 15 s",
			Setup: setup(agentScript(`[{"await": "never"}]`)), Other: setup(agentScript(`[{"text": "Soon."}]`)), Message: "in 3 heartbeats"},
		{Then: `requests "one" and "two" have ids of their own`,
			Setup: setup(agentScriptOf("one", `[]`), agentScriptOf("two", `[]`)), Mutant: "constant-request-id", Message: "a requestId of its own"},
		{Then: `requests "one" and "two" are on two threads`,
			Setup: setup(agentScriptOf("one", `[]`), agentScriptOf("two", `[]`)), Mutant: "one-thread-for-all", Message: "another thread"},
		{Then: `requests "one" and "two" are on the same thread`,
			Setup:  setup(agentScriptOf("one", `[]`), `request "two" on the same thread with this script:`+"\n[]"),
			Mutant: "thread-per-response", Message: "want the thread"},
	}
}

func agentsSpeak() []steps.Fixture {
	spaced := agentScript(`[{"text": "  Hello there. "}]`)
	thought := agentScript(`[{"thinking": "hmhm"}, {"text": "Hello there."}]`)
	live := setup(agentScript(`[{"text": "One. "}, {"await": "b"}, {"text": "Two."}]`), "the request has begun")
	return []steps.Fixture{
		{Then: `the response has the text "  Hello there. "`, Setup: setup(spaced), Mutant: "trims-deltas", Message: "  Hello there. "},
		{Then: `the response has the text "Hello there."`, Setup: setup(agentScript(`[{"text": "Hello there."}]`)),
			Other: setup(agentScript(`[{"text": "Hello where."}]`)), Message: "where"},
		{Then: `the response has the text "One. " so far`, Setup: live, Mutant: "all-at-once", Message: "One. ", TimesOut: true},
		{Then: `the response has the text "One. " so far`, Setup: live,
			Other: setup(agentScript(`[{"text": "Won. "}, {"await": "b"}, {"text": "Two."}]`), "the request has begun"), Message: `want the text "One. " so far`},
		{Then: `the response has a text of the JSON ["Plan the trip"]`,
			Setup: setup(agentRequest(from + `, "context": {"conformance": {"script": [{"echo": "messages"}]}}}`)),
			Other: setup(agentRequest(from + `, "context": {"conformance": {"script": [{"echo": "history"}]}}}`)), Message: "[]"},
		{Then: `the response has the history []`,
			Setup: setup(agentScript(`[{"echo": "history"}]`)),
			Other: setup(agentScript(`[{"echo": "messages"}]`)), Message: "Plan the trip"},
		{Then: `the response has the history [{"user": "Plan the trip"}, {"agent": "It is", "unfinished": true}]`,
			Setup: setup(agentScript(`[{"text": "It is"}, {"fail": "agent_error"}]`), "the request has been answered",
				`request "two" on the same thread with this script:`+"\n"+`[{"echo": "history"}]`),
			Mutant: "unsaid-is-remembered", Message: "It is never"},
		{Then: `the response has the thinking "hmhm"`, Setup: setup(thought), Mutant: "drops-thinking", Message: "hmhm"},
		{Then: `no text of the response holds "hmhm"`, Setup: setup(thought), Mutant: "thinking-as-text", Message: "hmhm"},
		{Then: `no text of the response holds "hmhm"`, Setup: setup(thought), Mutant: "done-puts-thinking-into-text", Message: "texts in done"},
		{Then: `the response holds nothing of "CARD4711"`,
			Setup:  setup(agentScript(`[{"tool": {"name": "find", "arguments": {}, "result": {"card": "CARD4711"}, "summary": "one"}}]`)),
			Mutant: "summary-is-the-result", Message: "CARD4711"},
	}
}

func agentsCall() []steps.Fixture {
	call := func(arguments string) string {
		return agentScript(`[{"tool": {"name": "clock", "arguments": ` + arguments + `, "result": "noon", "summary": "noon"}}]`)
	}
	failing := agentScript(`[{"tool": {"name": "clock", "arguments": {}, "error": "no clock"}}]`)
	return []steps.Fixture{
		{Then: `the response has a tool_call of "clock"`, Setup: setup(call("{}")), Mutant: "hides-tool-calls", Message: "1 calls"},
		{Then: `the response has a tool_call of "clock"`, Setup: setup(call("{}")),
			Other: setup(agentScript(`[{"tool": {"name": "calendar", "arguments": {}, "result": "noon"}}]`)), Message: `want a call of "clock"`},
		{Then: `the calls of the response have the arguments [{"zone":1}]`, Setup: setup(call(`{"zone":1}`)),
			Mutant: "arguments-as-a-map-of-texts", Message: `"zone":"1"`},
		{Then: "the response has 1 tool_result block", Setup: setup(failing), Mutant: "no-result-of-failed-tool", Message: "got 0"},
	}
}

func agentFixtures() []steps.Fixture {
	asking := func(payload string) string {
		return agentScript(`[{"continue": {"kind": "approval", "payload": ` + payload + `}}]`)
	}
	return []steps.Fixture{
		{Then: `the response has a continuation for [{"kind": "approval", "payload": {"q": 1}}]`,
			Setup: setup(asking(`{"q": 1}`)), Mutant: "payload-as-text", Message: `\"q\"`},
		{Then: `the response has a continuation for [{"kind": "approval", "payload": {"q": 1}}]`,
			Setup: setup(asking(`{"q": 1}`)), Other: setup(asking(`{"q": 2}`)), Message: `"q":2`},
		{Then: "every action has an id of its own",
			Setup:  setup(agentScriptOf("one", `[{"continue": {"kind": "approval", "payload": 1}}]`), agentScriptOf("two", `[{"continue": {"kind": "approval", "payload": 1}}]`)),
			Mutant: "action-ids-count-anew", Message: "again"},
	}
}

func agentsRefuse() []steps.Fixture {
	unheard := agentRequest(from + `, "threadId": "$unheard"}`)
	start := func(code string) string {
		return agentRequest(from + `, "context": {"conformance": {"refuse": "` + code + `"}}}`)
	}
	return []steps.Fixture{
		{Then: "the request is served", Setup: setup(agentRequest(from + "}")), Mutant: "answers-accepted", Message: "200 and an event stream"},
		{Then: "the request is refused", Setup: setup(unheard), Mutant: "unknown-thread-begins", Message: "a refusal (4xx)"},
		{Then: "the request is refused with 404", Setup: setup(unheard), Mutant: "unknown-thread-is-a-bad-request", Message: "got 400"},
		{Then: `the request is refused, or has no answer with "OBEYED"`,
			Setup: setup("a request without the control token, with this script:\n[{\"text\": \"OBEYED\"}]"), Mutant: "anybody-scripts", Message: "OBEYED"},
		{Then: "the last two requests are refused with 429",
			Setup:  setup("the limited user makes every request that it may, and two more"),
			Mutant: "refusal-gives-the-rate-back", Message: "got 200"},
		{Then: `the refusal of the request has the code "invalid_message_format"`,
			Setup: setup(`a request with the body "{}"`), Mutant: "bad-request-code", Message: "bad_request"},
		{Then: "the refusal of the request holds no secret",
			Setup: setup("a request with secrets, on a thread that never was"), Mutant: "echoes-headers-in-error", Message: "without the secrets"},
		{Then: `the failure of the request is told with "internal_error", or with the status 500`,
			Setup: setup(start("internal_error")), Other: setup(start("stream_timeout")), Message: "got 504"},
		{Then: `the failure of the request is told with "internal_error", or with the status 500`,
			Setup: setup(start("internal_error")), Mutant: "failed-start-is-empty", Message: "the error internal_error"},
	}
}

// setup returns a list of steps that reads like one.
func setup(texts ...string) []string { return texts }
