package helix

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// schema is what the output of a run has to fit.
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

// checked compares the output of the run's agent with its schema. One that breaks it fails the run, unless it is the text
// of a value that fits and the server reads it.
func (r checks) checked(s *step, w *walk) {
	if r.schema.fits(*w.output) {
		return
	}
	if v, isUndecided := r.isUndecided(*w.output); isUndecided && r.parsed {
		w.output = &v
		return
	}
	f := &fault{rule: "helix.output.schema"}
	s.executedSteps = append(s.executedSteps, &executedStep{scriptStep: &scriptStep{kind: "error"}, fault: f, from: -1, to: -1})
	r.stopState.fatal = f
}

// isUndecided is the value that fits of which an output is the text.
func (r checks) isUndecided(output any) (v any, isUndecided bool) {
	text, isText := output.(string)
	if !isText || json.Unmarshal([]byte(text), &v) != nil {
		return nil, false
	}
	return v, r.schema.fits(v)
}

// reads finds out whether the server reads an output that is a JSON text: it then has sent one.
func (r checks) reads(all []*Produced) {
	if r.schema == nil || r.parsed || r.stopState.fatal == nil || r.stopState.fatal.rule != "helix.output.schema" {
		return
	}
	last := r.past[len(r.past)-1]
	output := r.script[last.index][len(r.script[last.index])-1].value
	if _, isUndecided := r.isUndecided(output); !isUndecided || !slices.ContainsFunc(all, func(p *Produced) bool { return p.kind() == "output" && rootsOf(all)[p.text("agentId")] }) {
		return
	}
	r.parsed, r.next, r.past, r.answers = true, last.index, r.past[:len(r.past)-1], last.answers
	r.follow()
}
