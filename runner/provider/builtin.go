package provider

// fixed returns the answer to a request without a marker.
func fixed() Script {
	return Script{Steps: []Step{{Actions: []Action{Text("This is the answer to a request without a script.")}}}}
}

// builtIn are scripts that are always there, by the names in their markers: for a user who observes a server, or tries a
// client.
func builtIn() map[string]*playing {
	weather := func(tool int, arguments string) Call { return Call{Name: "weather", Arguments: arguments, Tool: tool} }
	after := Step{Actions: []Action{Text("It is sunny in Rome.")}}
	tools := []Tool{{Result: []byte(`{"city":"Rome","sky":"sunny"}`)}, {Error: pointer("no such city")}}
	faults := func(f Fault) Script { return Script{Steps: []Step{{Fault: &f}}} }
	one := func(acts ...Action) Script { return Script{Steps: []Step{{Actions: acts}}} }
	out := map[string]*playing{}
	for name, s := range map[string]Script{
		"text":      one(Text("Hello there.")),
		"empty":     one(),
		"long":      one(Text(spaced("word", 200))),
		"reasoning": one(Thinking("Let me think of it."), Text("It is 42.")),
		"refusal":   one(Refusal("I can't help with that.")),
		"tool":      {Steps: []Step{{Actions: []Action{weather(0, `{"city":"Rome"}`)}}, after}, Tools: tools},
		"parallel": {Steps: []Step{{Actions: []Action{Text("Looking."), weather(0, `{"city":"Rome"}`), weather(1, `{"city":"fail"}`)}}, after},
			Tools: tools},
		"badargs":  {Steps: []Step{{Actions: []Action{weather(0, `{"city":`)}}, after}, Tools: tools},
		"length":   {Steps: []Step{{Actions: []Action{Text("Too lo")}, Finish: "length"}}},
		"filter":   {Steps: []Step{{Actions: []Action{Text("That")}, Finish: "content_filter"}}},
		"stall":    one(Text("Wait"), Stall(0)),
		"cut":      one(Text("Hel"), Disconnect{}),
		"clean":    one(Text("Hel"), Close{}),
		"broken":   one(Text("Hel"), Break{Broken}),
		"bytes":    {Steps: []Step{{Actions: []Action{Thinking("Ærlig talt 😀."), Text("Én byte om gangen: 😀 🏔")}}}, Split: 1},
		"error400": faults(BadRequest),
		"error401": faults(WrongKey),
		"error429": faults(RateLimited),
		"error500": faults(Broken),
	} {
		out[name] = &playing{Script: s, name: name}
	}
	return out
}

// pointer returns the address of a copy.
func pointer(text string) *string { return &text }

// spaced returns a word n times.
func spaced(word string, n int) string {
	text := word
	for range n - 1 {
		text += " " + word
	}
	return text
}
