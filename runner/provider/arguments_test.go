package provider

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// locationSchema is the schema that the AI SDK makes of z.object({location: z.string()}).
const locationSchema = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"location":{"type":"string"}},"required":["location"],"additionalProperties":false}`

// rome are the arguments that scenarios give a call.
const rome = `{"city":"Rome","days":[1,2.5,null],"exact":true}`

// fits are schemas with arguments and the adapted ones; want "" means any valid value.
var fits = []struct{ name, schema, given, want string }{
	{"no schema", ``, rome, rome},
	{"unsound arguments", locationSchema, `{"city":`, `{"city":`},
	{"a schema that accepts them", `{"type":"object"}`, rome, rome},
	{"strict", locationSchema, rome, `{"location":"Rome"}`},
	{"strict, and accepted", locationSchema, `{"location":"Oslo"}`, `{"location":"Oslo"}`},
	{"optional members", `{"properties":{"city":{"type":"string"},"unit":{"type":"string"}},"required":["city"],"additionalProperties":false}`, rome, `{"city":"Rome"}`},
	{"an enum", `{"type":"object","properties":{"unit":{"enum":["c","f"]}},"required":["unit"]}`, `{}`, `{"unit":"c"}`},
	{"a constant", `{"type":"object","properties":{"kind":{"const":"place"}},"required":["kind"]}`, `{}`, `{"kind":"place"}`},
	{"a number", `{"type":"object","properties":{"days":{"type":"number"}},"required":["days"],"additionalProperties":false}`, rome, `{"days":1}`},
	{"bounds", `{"type":"object","properties":{"n":{"type":"integer","exclusiveMinimum":10,"maximum":20,"multipleOf":7}},"required":["n"]}`, `{}`, `{"n":14}`},
	{"a fraction", `{"type":"object","properties":{"n":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}},"required":["n"]}`, `{}`, `{"n":0.5}`},
	{"a nested object", `{"type":"object","properties":{"at":{"type":"object","properties":{"lat":{"type":"number"},"name":{"type":"string"}},"required":["lat","name"],"additionalProperties":false}},"required":["at"]}`,
		`{}`, `{"at":{"lat":1,"name":"Rome"}}`},
	{"an array", `{"type":"object","properties":{"days":{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":2}},"required":["days"],"additionalProperties":false}`, rome, `{"days":["Rome","Rome"]}`},
	{"a tuple", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"at":{"type":"array","items":[{"type":"string"},{"type":"boolean"}],"minItems":2}},"required":["at"]}`, `{}`, `{"at":["Rome",true]}`},
	{"a union", `{"type":"object","properties":{"at":{"anyOf":[{"type":"null"},{"type":"string","maxLength":2}]}},"required":["at"]}`, `{"at":"Rome"}`, `{"at":null}`},
	{"a nullable text", `{"type":"object","properties":{"at":{"type":["null","string"]}},"required":["at"]}`, `{}`, `{"at":"Rome"}`},
	{"lengths", `{"type":"object","properties":{"a":{"type":"string","minLength":8},"b":{"type":"string","maxLength":2}},"required":["a","b"]}`, `{}`, `{"a":"Romeeeee","b":"Ro"}`},
	{"a format", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"at":{"type":"string","format":"date-time"}},"required":["at"]}`, `{}`, ``},
	{"a pattern of JavaScript", `{"type":"object","properties":{"at":{"type":"string","format":"email","pattern":"^(?!\\.).*@.*$"}},"required":["at"]}`, `{}`, `{"at":"rome@example.org"}`},
	{"a reference", `{"type":"object","properties":{"at":{"$ref":"#/$defs/at"}},"required":["at"],"$defs":{"at":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}`, `{}`, `{"at":{"name":"Rome"}}`},
	{"all of", `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"boolean"}},"required":["b"]}]}`, `{}`, `{"a":"Rome","b":true}`},
}

func TestArgumentsFitTheSchema(t *testing.T) {
	for _, c := range fits {
		got, err := fitArguments(json.RawMessage(c.schema), c.given)
		if err != nil || c.want != "" && got != c.want {
			t.Errorf("%s: got %s, %v; want %s", c.name, got, err, c.want)
		}
	}
}

// multiplying is a schema that refers to a text twice as often at each of 24 levels.
func multiplying() string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/0","$defs":{`)
	for i := range 24 {
		fmt.Fprintf(&b, `"%d":{"allOf":[{"$ref":"#/$defs/%d"},{"$ref":"#/$defs/%d"}]},`, i, i+1, i+1)
	}
	return b.String() + `"24":{"type":"string"}}}`
}

// TestArgumentsThatNothingFits: a schema that no arguments meet, and one that can't be read, end in an error.
func TestArgumentsThatNothingFits(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"at":{"type":"string","pattern":"^[0-9]{4}$"}},"required":["at"]}`: "at",
		`{"type":"object","properties":{"at":{"$ref":"https://example.org/at.json"}},"required":["at"]}`:   "refers to https://example.org/at.json",
		`{"type":5}`:  "reading the schema",
		multiplying(): "its references multiply",
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"required":["a"]}}}`: "a",
		`false`: "not allowed",
	} {
		if got, err := fitArguments(json.RawMessage(schema), rome); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %s, %v; want an error with %q", schema, got, err, want)
		}
	}
}

// TestCallsFit: a call is sent with arguments that the schema of the request accepts, streamed and not, and repeatedly; a
// call whose bytes count, and one of a tool that isn't offered, are unchanged. The sent arguments are recorded.
func TestCallsFit(t *testing.T) {
	p := serve(t, Options{})
	call := func(name string, n int, fit bool) Step {
		return Step{Actions: []Action{Call{Name: name, Arguments: rome, Tool: n, Fit: fit}}}
	}
	name := p.Add("fit", Script{Steps: []Step{call("weather", 0, true), call("weather", 1, false), call("other", 2, true)}, Tools: make([]Tool, 3)})
	tools := []any{map[string]any{"type": "function", "function": map[string]any{"name": "weather", "parameters": json.RawMessage(locationSchema)}}}
	messages := user("hello " + Marker(name))
	var sent []string
	for n := range 3 {
		for range 2 {
			heard := listen(requestCompletion(t, p, messages, map[string]any{"tools": tools}).Body)
			_, arguments, _ := strings.Cut(heard.Calls[0], " {")
			sent = append(sent, "{"+arguments)
		}
		got, changed := p.Arguments(name, n)
		if changed != (n == 0) || changed && got != `{"location":"Rome"}` {
			t.Errorf("call %d: %s, changed %v", n, got, changed)
		}
		messages = slices.Concat(messages, []map[string]any{{"role": "assistant", "content": ""}})
	}
	fitted := `{"location":"Rome"}`
	if diff := cmp.Diff([]string{fitted, fitted, rome, rome, rome, rome}, sent); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var whole struct {
		Choices []struct {
			Message struct {
				Calls []struct{ Function struct{ Arguments string } } `json:"tool_calls"`
			}
		}
	}
	answer := requestCompletion(t, p, user("hello "+Marker(name)), map[string]any{"tools": tools, "stream": false})
	if err := json.NewDecoder(answer.Body).Decode(&whole); err != nil || whole.Choices[0].Message.Calls[0].Function.Arguments != fitted {
		t.Errorf("%+v, %v", whole, err)
	}
	if notes := p.Notes(); len(notes) > 0 {
		t.Errorf("notes: %q", notes)
	}
}

func TestCallsThatNothingFitsAreNoted(t *testing.T) {
	p := serve(t, Options{})
	name := p.Add("fit", Script{Steps: []Step{{Actions: []Action{Call{Name: "weather", Arguments: rome, Fit: true}}}}, Tools: make([]Tool, 1)})
	tools := []any{map[string]any{"type": "function", "function": map[string]any{"name": "weather", "parameters": false}}}
	heard := listen(requestCompletion(t, p, user(Marker(name)), map[string]any{"tools": tools}).Body)
	if !strings.HasSuffix(heard.Calls[0], rome) {
		t.Errorf("sent %q", heard.Calls)
	}
	if notes := p.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "the schema of the tool weather") {
		t.Errorf("notes: %q", notes)
	}
}
