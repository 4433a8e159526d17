package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/streamcert/streamcert/schemas"
)

// Arguments returns the arguments of a call that the model changed, so that the server's schema accepts them. It is false
// for a call that was sent as its script states, and for one that wasn't sent.
func (p *Provider) Arguments(script string, tool int) (arguments string, changed bool) {
	s, _ := p.find(script)
	if s == nil {
		return "", false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	arguments, changed = s.fitted[tool]
	return arguments, changed
}

// fit returns a step whose calls have arguments that the schemas of a request accept, where the script leaves that to the
// schema. Calls that no schema can be met for stay as they are, and are noted.
func (p *Provider) fit(a stepRequest, step Step) Step {
	acts := slices.Clone(step.Actions)
	for i, action := range acts {
		call, is := action.(Call)
		at := slices.IndexFunc(a.Tools, func(t offeredTool) bool { return t.Function.Name == call.Name })
		if !is || !call.Fit || at < 0 {
			continue
		}
		arguments, err := fitArguments(a.Tools[at].Function.Parameters, call.Arguments)
		if err != nil {
			p.note(fmt.Sprintf("the schema of the tool %s was met by no arguments that the kit makes, and the call was sent as %s: %v", call.Name, call.Arguments, err))
			continue
		}
		if arguments == call.Arguments {
			continue
		}
		a.script.mu.Lock()
		if a.script.fitted == nil {
			a.script.fitted = map[int]string{}
		}
		a.script.fitted[call.Tool] = arguments
		a.script.mu.Unlock()
		call.Arguments = arguments
		acts[i] = call
	}
	step.Actions = acts
	return step
}

// mostSchemaValues limits the JSON values of a schema: the time to compile one grows with their square, and is some seconds
// for this many.
const mostSchemaValues = 10_000

// mostApplications limits how often the schemas of a tool are applied to values while arguments are made for one call.
const mostApplications = 20_000

// fitArguments returns arguments that a JSON schema accepts: the given ones if it does, else ones that keep as much of
// them as it allows. The error explains why there are none.
func fitArguments(schema json.RawMessage, arguments string) (string, error) {
	var document, value any
	if json.Unmarshal(schema, &document) != nil || json.Unmarshal([]byte(arguments), &value) != nil {
		return arguments, nil // no schema, or no arguments that one could be met by
	}
	if n := schemas.Values(document); n > mostSchemaValues {
		return "", fmt.Errorf("the schema has %d values, of at most %d", n, mostSchemaValues)
	}
	withoutUnsupportedPatterns(document)
	c := jsonschema.NewCompiler()
	budget := schemas.NewBudget(c)
	c.LoadURL = func(url string) (io.ReadCloser, error) { return nil, errors.New("the schema refers to " + url) }
	const name = "schema:///parameters.json" // absolute, or a path of this machine is made of it
	if err := c.AddResource(name, strings.NewReader(string(encode(document)))); err != nil {
		return "", fmt.Errorf("reading the schema: %w", err)
	}
	compiled, err := c.Compile(name)
	if err != nil {
		return "", fmt.Errorf("reading the schema: %w", err)
	}
	if spent := budget.Spend(mostApplications, func() {
		if compiled.Validate(value) == nil {
			return
		}
		fitted := instance(compiled, value, 0)
		if arguments = encodeJSON(fitted); compiled.Validate(fitted) != nil {
			err = fmt.Errorf("of %s: %w", arguments, compiled.Validate(fitted))
		}
	}); spent != nil {
		return "", spent
	}
	if err != nil {
		return "", err
	}
	return arguments, nil
}

// withoutUnsupportedPatterns removes patterns of JavaScript that Go can't read, such as those with lookahead.
func withoutUnsupportedPatterns(document any) {
	switch document := document.(type) {
	case map[string]any:
		if pattern, is := document["pattern"].(string); is {
			if _, err := regexp.Compile(pattern); err != nil {
				delete(document, "pattern")
			}
		}
		for _, v := range document {
			withoutUnsupportedPatterns(v)
		}
	case []any:
		for _, v := range document {
			withoutUnsupportedPatterns(v)
		}
	}
}
