package helixui

import "github.com/streamcert/streamcert/steps"

// scripted returns the step that asks an agent to do something.
func scripted(script string) string { return "a request with this script:\n" + script }

// setup returns a list of steps that reads like one.
func setup(texts ...string) []string { return texts }

const weather = `{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}`

func endings() []steps.Fixture {
	one := scripted(`[{"text": "Hello there."}]`)
	long := scripted(`[{"text": "Hello"}, {"finish": "length"}]`)
	fails := scripted(`[{"text": "It is"}, {"fail": "no model"}]`)
	return []steps.Fixture{
		{Then: "no exchange of this scenario breaks this rule", Of: "helix-ui.flow.start", Setup: setup(one), Mutant: "never-starts", Message: "before start"},
		{Then: `the finish reason of the response is "length"`, Setup: setup(long), Mutant: "always-stops", Message: `"stop"`},
		{Then: "the failure is told with an error part, a status of 400 or more, or a broken connection", Setup: setup(fails), Mutant: "fails-in-silence", Message: "a clean end"},
		{Then: "the failure is told with an error part", Setup: setup(fails), Mutant: "breaks-the-connection", Message: "an error part"},
	}
}

func contents() []steps.Fixture {
	one := scripted(`[{"text": "Hello there, you."}]`)
	thought := scripted(`[{"thinking": "hm hm hm"}, {"text": "Hello."}]`)
	live := scripted(`[{"text": "One. "}, {"await": "b"}, {"text": "Two."}]`)
	return []steps.Fixture{
		{Then: `the response has the text "Hello there, you."`, Setup: setup(one), Mutant: "loses-a-delta", Message: "Hello there,"},
		{Then: `the response has the reasoning "hm hm hm", or none`, Setup: setup(thought), Mutant: "trims-thoughts", Message: "hmhmhm"},
		{Then: `no text of the response holds "hm hm hm"`, Setup: setup(thought), Mutant: "thoughts-as-texts", Message: "hm hm hm"},
		{Then: `the response has the text "One. " so far`, Setup: setup(live), Mutant: "texts-at-once", Message: "One. ", TimesOut: true},
		{Then: `the response has the text "One. " so far`, Setup: setup(live),
			Other: setup(scripted(`[{"text": "Won. "}, {"await": "b"}, {"text": "Two."}]`)), Message: `want the text "One. " so far`},
	}
}

func callings() []steps.Fixture {
	call := scripted(`[` + weather + `, {"text": "Sunny."}]`)
	bad := scripted(`[{"tool": {"name": "weather", "arguments": "{\"city\":"}}, {"text": "Hm."}]`)
	failing := scripted(`[{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "error": "no such city"}}, {"text": "Hm."}]`)
	return []steps.Fixture{
		{Then: `the response calls "weather" with the input {"city": "Rome"}`, Setup: setup(call), Mutant: "inputs-as-text", Message: `\"city\"`},
		{Then: `the call returns {"sky": "sunny"}`, Setup: setup(call), Mutant: "outputs-in-an-envelope", Message: "value"},
		{Then: "the call fails, and the response ends with finish", Setup: setup(failing), Mutant: "failures-are-outputs", Message: "a failure of the call"},
		{Then: "the input of the call is said to be wrong, and the response ends with finish", Setup: setup(bad), Mutant: "bad-arguments-end-the-run", Message: "want tool-input-error"},
		{Then: "the text stands in a later step than the call", Setup: setup(call), Mutant: "one-step-for-all", Message: "start-step between"},
	}
}

func particles() []steps.Fixture {
	custom := scripted(`[{"chunk": {"type": "custom", "eventName": "progress", "data": {"done": 3}}}]`)
	child := scripted(`[{"chunk": {"type": "text_delta", "agentId": "child", "delta": "CHILD"}}]`)
	return []steps.Fixture{
		{Then: "the response has these parts in order:\n[{\"type\": \"data-progress\", \"data\": {\"done\": 3}}]", Setup: setup(custom), Mutant: "custom-events-are-left-out", Message: "data-progress"},
		{Then: "each part start of the response has the members that its list requires", Of: "helix-ui.flow.start",
			Setup: setup(scripted(`[{"text": "Hi"}]`)), Mutant: "never-starts", Message: "before start"},
		{Then: `the response has nothing of "CHILD"`, Setup: setup(child), Mutant: "everybody-speaks", Message: "CHILD"},
	}
}
