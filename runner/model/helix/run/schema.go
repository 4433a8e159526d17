package run

import (
	"encoding/json"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// schema is the JSON schema of the output of a run; nil allows every value.
type schema struct{ *jsonschema.Schema }

// newSchema compiles the text of one.
func newSchema(text string) (*schema, error) {
	compiled, err := jsonschema.CompileString("schema:///output.json", text) // absolute, or a path of this machine is made of it
	if err != nil {
		return nil, fmt.Errorf("reading the schema of an output: %w", err)
	}
	return &schema{compiled}, nil
}

// fits reports whether a value, as encoding/json decodes it, is one that the schema allows.
func (s *schema) fits(v any) bool { return s == nil || s.Validate(v) == nil }

// decoded returns the value whose JSON text an output is, and whether it fits.
func (s *schema) decoded(output any) (v any, fits bool) {
	text, isText := output.(string)
	if !isText || json.Unmarshal([]byte(text), &v) != nil {
		return nil, false
	}
	return v, s.fits(v)
}
