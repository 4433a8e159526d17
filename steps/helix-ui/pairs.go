package helixui

import "github.com/streamcert/streamcert/steps"

// scripted returns the step that asks an agent to do something.
func scripted(script string) string { return "a request with this script:\n" + script }

// scene returns a list of steps that reads like one.
func scene(texts ...string) []string { return texts }

const weather = `{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}`

func endings() []steps.Pair {
	one := scripted(`[{"text": "Hello there."}]`)
	long := scripted(`[{"text": "Hello"}, {"finish": "length"}]`)
	fails := scripted(`[{"text": "It is"}, {"fail": "no model"}]`)
	return []steps.Pair{
		{Then: "no exchange of this scenario breaks this rule", Of: "helix-ui.flow.start", Scene: scene(one), Mutant: "never-starts", Says: "before start"},
		{Then: `the finish reason of the response is "length"`, Scene: scene(long), Mutant: "always-stops", Says: `"stop"`},
		{Then: "the failure is told with an error part, a status of 400 or more, or a broken connection", Scene: scene(fails), Mutant: "fails-in-silence", Says: "a clean end"},
		{Then: "the failure is told with an error part", Scene: scene(fails), Mutant: "breaks-the-connection", Says: "an error part"},
	}
}

func contents() []steps.Pair {
	one := scripted(`[{"text": "Hello there, you."}]`)
	thought := scripted(`[{"thinking": "hm hm hm"}, {"text": "Hello."}]`)
	live := scripted(`[{"text": "One. "}, {"await": "b"}, {"text": "Two."}]`)
	return []steps.Pair{
		{Then: `the response has the text "Hello there, you."`, Scene: scene(one), Mutant: "loses-a-delta", Says: "Hello there,"},
		{Then: `the response has the reasoning "hm hm hm", or none`, Scene: scene(thought), Mutant: "trims-thoughts", Says: "hmhmhm"},
		{Then: `no text of the response holds "hm hm hm"`, Scene: scene(thought), Mutant: "thoughts-as-texts", Says: "hm hm hm"},
		{Then: `the response has the text "One. " so far`, Scene: scene(live), Mutant: "texts-at-once", Says: "One. ", Late: true},
		{Then: `the response has the text "One. " so far`, Scene: scene(live),
			Other: scene(scripted(`[{"text": "Won. "}, {"await": "b"}, {"text": "Two."}]`)), Says: `want the text "One. " so far`},
	}
}

func callings() []steps.Pair {
	call := scripted(`[` + weather + `, {"text": "Sunny."}]`)
	bad := scripted(`[{"tool": {"name": "weather", "arguments": "{\"city\":"}}, {"text": "Hm."}]`)
	failing := scripted(`[{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "error": "no such city"}}, {"text": "Hm."}]`)
	return []steps.Pair{
		{Then: `the response calls "weather" with the input {"city": "Rome"}`, Scene: scene(call), Mutant: "inputs-as-text", Says: `\"city\"`},
		{Then: `the call returns {"sky": "sunny"}`, Scene: scene(call), Mutant: "outputs-in-an-envelope", Says: "value"},
		{Then: "the call fails, and the response ends with finish", Scene: scene(failing), Mutant: "failures-are-outputs", Says: "a failure of the call"},
		{Then: "the input of the call is said to be wrong, and the response ends with finish", Scene: scene(bad), Mutant: "bad-arguments-end-the-run", Says: "want tool-input-error"},
		{Then: "the text stands in a later step than the call", Scene: scene(call), Mutant: "one-step-for-all", Says: "start-step between"},
	}
}

func particles() []steps.Pair {
	custom := scripted(`[{"chunk": {"type": "custom", "eventName": "progress", "data": {"done": 3}}}]`)
	child := scripted(`[{"chunk": {"type": "text_delta", "agentId": "child", "delta": "CHILD"}}]`)
	return []steps.Pair{
		{Then: "the response has these parts in order:\n[{\"type\": \"data-progress\", \"data\": {\"done\": 3}}]", Scene: scene(custom), Mutant: "custom-events-are-left-out", Says: "data-progress"},
		{Then: "each part start of the response has the members that its list requires", Of: "helix-ui.flow.start",
			Scene: scene(scripted(`[{"text": "Hi"}]`)), Mutant: "never-starts", Says: "before start"},
		{Then: `the response has nothing of "CHILD"`, Scene: scene(child), Mutant: "everybody-speaks", Says: "CHILD"},
	}
}
