package aep

import "github.com/streamcert/streamcert/steps"

// agentScript returns the step that asks an agent to do something.
func agentScript(script string) string { return "a request with this script:\n" + script }

// agentScriptOf returns the same for a request with a name.
func agentScriptOf(name, script string) string {
	return `request "` + name + "\" with this script:\n" + script
}

// agentRequest returns a request with a body of its own.
func agentRequest(body string) string { return "this request:\n" + body }

// from is one user's message.
const from = `{"messages": [{"role": "user", "content": [{"type": "text", "text": "Plan the trip"}]}]`

func agentsRespond() []steps.Pair {
	one := agentScript(`[{"text": "Hello there."}]`)
	fails := func(code string) string { return agentScript(`[{"text": "It is"}, {"fail": "` + code + `"}]`) }
	return []steps.Pair{
		{Then: "no exchange of this scenario breaks this rule", Of: "aep.done.same-thread",
			Scene: scene(one, "the request has been answered"), Mutant: "done-names-message-as-thread", Says: "another thread"},
		{Then: "the response begins with metadata", Scene: scene(one), Mutant: "metadata-after-first-start", Says: "want metadata"},
		{Then: "the response ends with done", Scene: scene(one), Other: scene(fails("agent_error")), Says: `"agent_error"`},
		{Then: "the response ends with aborted",
			Scene:  scene(agentScript(`[{"await": "b"}]`), "the request has begun", "the request is cancelled"),
			Mutant: "cancelled-is-done", Says: `"done"`},
		{Then: `the response ends with the error "agent_error"`, Scene: scene(fails("agent_error")),
			Other: scene(fails("tool_error")), Says: `"tool_error"`},
		{Then: `the response times out with the error "stream_timeout"`,
			Scene: scene("a request to an agent whose streams time out, with this script:\n[{\"hang\": true}]"), Mutant: "timeout-is-agents", Says: `"agent_error"`},
		{Then: `the response times out with the error "stream_timeout", and no sooner than it may`,
			Scene:  scene("a request to an agent whose streams time out, with this script:\n[{\"hang\": true}]"),
			Mutant: "timeout-in-another-unit", Says: "no end before"},
		{Then: `the finish reason of the response is "stop"`, Scene: scene(one), Mutant: "end-turn", Says: "end_turn"},
		{Then: "3 comments come in the response, one each heartbeat of at most 15 s",
			Scene: scene(agentScript(`[{"await": "never"}]`)), Other: scene(agentScript(`[{"text": "Soon."}]`)), Says: "in 3 heartbeats"},
		{Then: `requests "one" and "two" have ids of their own`,
			Scene: scene(agentScriptOf("one", `[]`), agentScriptOf("two", `[]`)), Mutant: "constant-request-id", Says: "a requestId of its own"},
		{Then: `requests "one" and "two" are on two threads`,
			Scene: scene(agentScriptOf("one", `[]`), agentScriptOf("two", `[]`)), Mutant: "one-thread-for-all", Says: "another thread"},
		{Then: `requests "one" and "two" are on the same thread`,
			Scene:  scene(agentScriptOf("one", `[]`), `request "two" on the same thread with this script:`+"\n[]"),
			Mutant: "thread-per-response", Says: "want the thread"},
	}
}

func agentsSpeak() []steps.Pair {
	spaced := agentScript(`[{"text": "  Hello there. "}]`)
	thought := agentScript(`[{"thinking": "hmhm"}, {"text": "Hello there."}]`)
	live := scene(agentScript(`[{"text": "One. "}, {"await": "b"}, {"text": "Two."}]`), "the request has begun")
	return []steps.Pair{
		{Then: `the response has the text "  Hello there. "`, Scene: scene(spaced), Mutant: "trims-deltas", Says: "  Hello there. "},
		{Then: `the response has the text "Hello there."`, Scene: scene(agentScript(`[{"text": "Hello there."}]`)),
			Other: scene(agentScript(`[{"text": "Hello where."}]`)), Says: "where"},
		{Then: `the response has the text "One. " so far`, Scene: live, Mutant: "all-at-once", Says: "One. ", Late: true},
		{Then: `the response has the text "One. " so far`, Scene: live,
			Other: scene(agentScript(`[{"text": "Won. "}, {"await": "b"}, {"text": "Two."}]`), "the request has begun"), Says: `want the text "One. " so far`},
		{Then: `the response has a text of the JSON ["Plan the trip"]`,
			Scene: scene(agentRequest(from + `, "context": {"conformance": {"script": [{"echo": "messages"}]}}}`)),
			Other: scene(agentRequest(from + `, "context": {"conformance": {"script": [{"echo": "history"}]}}}`)), Says: "[]"},
		{Then: `the response has the history []`,
			Scene: scene(agentScript(`[{"echo": "history"}]`)),
			Other: scene(agentScript(`[{"echo": "messages"}]`)), Says: "Plan the trip"},
		{Then: `the response has the history [{"user": "Plan the trip"}, {"agent": "It is", "unfinished": true}]`,
			Scene: scene(agentScript(`[{"text": "It is"}, {"fail": "agent_error"}]`), "the request has been answered",
				`request "two" on the same thread with this script:`+"\n"+`[{"echo": "history"}]`),
			Mutant: "unsaid-is-remembered", Says: "It is never"},
		{Then: `the response has the thinking "hmhm"`, Scene: scene(thought), Mutant: "drops-thinking", Says: "hmhm"},
		{Then: `no text of the response holds "hmhm"`, Scene: scene(thought), Mutant: "thinking-as-text", Says: "hmhm"},
		{Then: `no text of the response holds "hmhm"`, Scene: scene(thought), Mutant: "done-puts-thinking-into-text", Says: "texts in done"},
		{Then: `the response holds nothing of "CARD4711"`,
			Scene:  scene(agentScript(`[{"tool": {"name": "find", "arguments": {}, "result": {"card": "CARD4711"}, "summary": "one"}}]`)),
			Mutant: "summary-is-the-result", Says: "CARD4711"},
	}
}

func agentsCall() []steps.Pair {
	call := func(arguments string) string {
		return agentScript(`[{"tool": {"name": "clock", "arguments": ` + arguments + `, "result": "noon", "summary": "noon"}}]`)
	}
	failing := agentScript(`[{"tool": {"name": "clock", "arguments": {}, "error": "no clock"}}]`)
	return []steps.Pair{
		{Then: `the response has a tool_call of "clock"`, Scene: scene(call("{}")), Mutant: "hides-tool-calls", Says: "1 calls"},
		{Then: `the response has a tool_call of "clock"`, Scene: scene(call("{}")),
			Other: scene(agentScript(`[{"tool": {"name": "calendar", "arguments": {}, "result": "noon"}}]`)), Says: `want a call of "clock"`},
		{Then: `the calls of the response have the arguments [{"zone":1}]`, Scene: scene(call(`{"zone":1}`)),
			Mutant: "arguments-as-a-map-of-texts", Says: `"zone":"1"`},
		{Then: "the response has 1 tool_result block", Scene: scene(failing), Mutant: "no-result-of-failed-tool", Says: "got 0"},
	}
}

func agentsAct() []steps.Pair {
	asking := func(payload string) string {
		return agentScript(`[{"continue": {"kind": "approval", "payload": ` + payload + `}}]`)
	}
	return []steps.Pair{
		{Then: `the response has a continuation for [{"kind": "approval", "payload": {"q": 1}}]`,
			Scene: scene(asking(`{"q": 1}`)), Mutant: "payload-as-text", Says: `\"q\"`},
		{Then: `the response has a continuation for [{"kind": "approval", "payload": {"q": 1}}]`,
			Scene: scene(asking(`{"q": 1}`)), Other: scene(asking(`{"q": 2}`)), Says: `"q":2`},
		{Then: "every action has an id of its own",
			Scene:  scene(agentScriptOf("one", `[{"continue": {"kind": "approval", "payload": 1}}]`), agentScriptOf("two", `[{"continue": {"kind": "approval", "payload": 1}}]`)),
			Mutant: "action-ids-count-anew", Says: "again"},
	}
}

func agentsRefuse() []steps.Pair {
	unheard := agentRequest(from + `, "threadId": "$unheard"}`)
	start := func(code string) string {
		return agentRequest(from + `, "context": {"conformance": {"refuse": "` + code + `"}}}`)
	}
	return []steps.Pair{
		{Then: "the request is served", Scene: scene(agentRequest(from + "}")), Mutant: "answers-accepted", Says: "200 and an event stream"},
		{Then: "the request is refused", Scene: scene(unheard), Mutant: "unknown-thread-begins", Says: "a refusal (4xx)"},
		{Then: "the request is refused with 404", Scene: scene(unheard), Mutant: "unknown-thread-is-a-bad-request", Says: "got 400"},
		{Then: `the request is refused, or has no answer with "OBEYED"`,
			Scene: scene("a request without the control token, with this script:\n[{\"text\": \"OBEYED\"}]"), Mutant: "anybody-scripts", Says: "OBEYED"},
		{Then: "the last two requests are refused with 429",
			Scene:  scene("the limited user makes every request that it may, and two more"),
			Mutant: "refusal-gives-the-rate-back", Says: "got 200"},
		{Then: `the refusal of the request has the code "invalid_message_format"`,
			Scene: scene(`a request with the body "{}"`), Mutant: "bad-request-code", Says: "bad_request"},
		{Then: "the refusal of the request holds no secret",
			Scene: scene("a request with secrets, on a thread that never was"), Mutant: "echoes-headers-in-error", Says: "without the secrets"},
		{Then: `the failure of the request is told with "internal_error", or with the status 500`,
			Scene: scene(start("internal_error")), Other: scene(start("stream_timeout")), Says: "got 504"},
		{Then: `the failure of the request is told with "internal_error", or with the status 500`,
			Scene: scene(start("internal_error")), Mutant: "failed-start-is-empty", Says: "the error internal_error"},
	}
}

// scene returns a list of steps that reads like one.
func scene(texts ...string) []string { return texts }
