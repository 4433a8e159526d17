package draw

import (
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
)

// subAgentOutcomes lists bad ends of a sub-agent: errors and stop reasons.
var subAgentOutcomes = []string{"unknown", "fault", "gives up", "refusal", "abort", "error", "content_filter", "broken"}

// nearlyEqual lists pairs of values that aren't equal.
var nearlyEqual = [][2]any{
	{"a", "A"}, {1.0, "1"}, {false, 0.0}, {"", nil}, {map[string]any{}, []any{}}, {"x", "x "}, {"\u00e9", "e\u0301"}, {[]any{1.0, 2.0}, []any{2.0, 1.0}},
	{map[string]any{"a": 1.0}, map[string]any{"a": 1.0, "b": nil}}, {"10", "9"}, {[]any{nil}, []any{}}, {1e21, 1e22}, {"null", nil},
}

// alikes lists values that resemble another kind: texts like JSON values, and values like parts of a chunk.
var alikes = []any{
	`{"a":[1,null]}`, map[string]any{"error": "none"}, `[{}]`, map[string]any{"success": false, "result": 1.0}, "12", map[string]any{"approved": false}, "true",
	map[string]any{"type": "error", "error": "no", "recoverable": false}, ` {"a":1} `, map[string]any{"output": nil, "n": 1.0}, map[string]any{"value": nil},
}

// noObjects lists arguments of a model that are neither an object nor the text of one, but resemble it.
var noObjects = []any{
	`{"a":1} as you asked`, `{"a":1}{"b":2}`, "```json\n{\"a\":1}\n```", `{"a":1,}`, `{'a':1}`, `{"a":1`, `{a:1}`, `{"a":NaN}`, `{"a":1} // so`, `[{"a":1}]`,
	[]any{map[string]any{"a": 1.0}}, `a=1&b=2`, `{}}`, `({"a":1})`,
}

// pointed lists endings of keys of a state that a JSON pointer has to escape, or that resemble an index.
var pointed = []string{"/", "~", "~1", "~0", "a/b", "m~n", "a/b/c", "~~", "//", "~01/~10/", "/-", "-", "0", "%2F", "\"", ".", " "}

// inherited lists members that every object of JavaScript has. Branches don't set them, since concurrent branches set
// different keys.
var inherited = []string{"__proto__", "constructor"}

// key returns a key of the state, in two of three cases a known one.
func (w *writing) key() string {
	if name := inherited[w.named/7%len(inherited)]; w.named%7 == 0 && !w.concurrently && !slices.Contains(w.keys, name) {
		w.keys = append(w.keys, name)
	}
	if len(w.keys) == 0 || w.r.IntN(3) == 0 {
		key := w.name(fmt.Sprintf("key-%d", w.runs))
		if w.r.IntN(3) == 0 {
			key += campaign.Pick(w.r, pointed...) + campaign.Pick(w.r, append(pointed, "", "", "~/~")...)
		}
		w.keys = append(w.keys, key)
	}
	return campaign.Pick(w.r, w.keys...)
}
