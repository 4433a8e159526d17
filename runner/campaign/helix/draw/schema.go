package draw

import (
	"encoding/json"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
)

// promised is a schema and an output that matches it, violates it, or is the JSON text of a value.
type promised struct{ schema, output string }

// promises lists some of each kind.
var promises = []promised{
	{`{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}`, `{"n":1,"more":null}`},
	{`{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}`, `{"n":"1"}`},
	{`{"type":"object","required":["n"]}`, `{"m":1}`},
	{`{"type":"object","required":["n"]}`, `"{\u0022n\u0022:[1,null]}"`},
	{`{"type":"object"}`, `"none"`},
	{`{"type":"object"}`, `[]`},
	{`{"type":"string"}`, `"7"`},
	{`{"type":"string"}`, `"{\u0022n\u0022:1}"`},
	{`{"type":"string"}`, `7`},
	{`{"type":"string","maxLength":3}`, `"four"`},
	{`{"type":"string","maxLength":3}`, `"\ud83d\ude00\ud83d\ude00\ud83d\ude00"`},
	{`{"type":"number","minimum":0}`, `-1`},
	{`{"type":"number","minimum":0}`, `0`},
	{`{"type":"integer"}`, `"12"`},
	{`{"type":"boolean"}`, `false`},
	{`{"type":"null"}`, `null`},
	{`{"type":"array","items":{"type":"string"},"minItems":1}`, `["a",1]`},
	{`{"type":"array","items":{"type":"string"},"minItems":1}`, `[""]`},
	{`{"type":"array","minItems":1}`, `[]`},
	{`{"enum":["a",null,0]}`, `null`},
	{`{"enum":["a",null,0]}`, `false`},
	{`{"properties":{"a":{"properties":{"b":{"type":"string"}}}}}`, `{"a":{"b":null}}`},
	{`{"title":"anything"}`, `"{\u0022n\u0022:1}"`},
	{`{"type":"object"}`, `null`}, // a falsy output violates its schema too
	{`{"type":"object","required":["n"]}`, `false`},
	{`{"type":"array"}`, `""`},
	{`{"type":"string"}`, `0`},
}

// promise replaces the output of a script's last step by one of promises and returns its schema; "" if the script has
// no output.
func promise(w *writing, script string) (with, schema string) {
	var steps []scriptSteps
	if json.Unmarshal([]byte(script), &steps) != nil {
		return script, ""
	}
	last := steps[len(steps)-1]
	if end, _ := last[len(last)-1].(map[string]any); end["output"] == nil {
		return script, ""
	}
	p := campaign.Pick(w.r, promises...)
	last[len(last)-1] = one("output", json.RawMessage(p.output))
	return asText(steps), p.schema
}

// storedStates returns short sessions on one stream, one for each of promises. All schemas have the same title.
func storedStates(w *writing) (out []program.Operation) {
	for _, p := range promises {
		script := asText(scriptSteps{scriptSteps{one("text", w.emitted()), one("output", json.RawMessage(p.output))}})
		out = append(out, program.Operation{Kind: program.Start, Script: script, Schema: titled(p.schema)}, program.Operation{Kind: program.Reset})
	}
	return append(out, w.begins(program.Operation{Kind: program.Start}))
}

// titled returns a schema with a title added.
func titled(schema string) string {
	members := map[string]any{}
	if json.Unmarshal([]byte(schema), &members) != nil {
		return schema
	}
	members["title"] = "Answer"
	return asText(members)
}
