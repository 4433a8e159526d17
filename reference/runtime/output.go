package runtime

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/streamcert/streamcert/schemas"
)

// SchemaError is the error of an invalid output schema.
type SchemaError struct{ err error }

func (e *SchemaError) Error() string { return "the output schema can't be used: " + e.err.Error() }
func (e *SchemaError) Unwrap() error { return e.err }

// outputSchema validates an agent's output; nil accepts every output.
type outputSchema struct {
	schema *jsonschema.Schema // compiled
	budget *schemas.Budget    // of the compiler
	raw    json.RawMessage    // as the client gave it
}

// source returns the JSON of the schema, nil for none.
func (s *outputSchema) source() json.RawMessage {
	if s == nil {
		return nil
	}
	return s.raw
}

// mostSchemaValues limits the colons and commas of a schema, and so its members and items: the time to compile one grows
// with their square, and is some seconds for this many.
const mostSchemaValues = 20_000

func newOutputSchema(raw json.RawMessage) (*outputSchema, error) {
	if raw == nil {
		return nil, nil
	}
	if n := bytes.Count(raw, []byte(":")) + bytes.Count(raw, []byte(",")); n > mostSchemaValues {
		return nil, &SchemaError{fmt.Errorf("it has more than %d members and items", mostSchemaValues)}
	}
	const name = "schema:///output.json" // absolute, or the compiler makes a path of this machine of it
	compiler := jsonschema.NewCompiler()
	budget := schemas.NewBudget(compiler)
	compiler.Draft = jsonschema.Draft2020
	compiler.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("a schema has to be in one piece") }
	if err := compiler.AddResource(name, bytes.NewReader(raw)); err != nil {
		return nil, &SchemaError{err}
	}
	schema, err := compiler.Compile(name)
	if err != nil {
		return nil, &SchemaError{err}
	}
	return &outputSchema{schema, budget, raw}, nil
}

// check reports why an output breaks the schema. No output breaks none.
func (s *outputSchema) check(output json.RawMessage) error {
	if s == nil || output == nil {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(output))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return fmt.Errorf("reading the output of an agent: %w", err)
	}
	var broken *jsonschema.ValidationError
	var err error
	if spent := s.budget.Spend(schemas.Applications(value), func() { err = s.schema.Validate(value) }); spent != nil {
		err = spent
	}
	switch {
	case errors.As(err, &broken):
		for len(broken.Causes) > 0 {
			broken = broken.Causes[0]
		}
		at := cmp.Or(broken.InstanceLocation, "/")
		return &Error{Message: "the output breaks its schema at " + at + ": " + broken.Message, Code: codeValidation}
	case err != nil:
		return &Error{Message: "the output can't be checked: " + err.Error(), Code: codeValidation}
	}
	return nil
}
