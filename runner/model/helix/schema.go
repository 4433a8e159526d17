package helix

import (
	"encoding/json"
	"slices"
)

// schema is as much of a JSON Schema as the outputs of histories are given.
type schema struct {
	Type       string             `json:"type"`
	Enum       []any              `json:"enum"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	Minimum    *float64           `json:"minimum"`
	MinItems   int                `json:"minItems"`
	MaxLength  *int               `json:"maxLength"`
}

// fits reports whether a value is one that the schema allows.
func (s *schema) fits(v any) bool {
	if s == nil {
		return true
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(one any) bool { return equal(one, v) }) {
		return false
	}
	if s.Type != "" && s.Type != typeOf(v) && !(s.Type == "integer" && isWhole(v)) {
		return false
	}
	switch v := v.(type) {
	case float64:
		return s.Minimum == nil || v >= *s.Minimum
	case string:
		return s.MaxLength == nil || len([]rune(v)) <= *s.MaxLength
	case []any:
		return len(v) >= s.MinItems && !slices.ContainsFunc(v, func(item any) bool { return !s.Items.fits(item) })
	case map[string]any:
		for _, name := range s.Required {
			if _, there := v[name]; !there {
				return false
			}
		}
		for name, of := range s.Properties {
			if member, there := v[name]; there && !of.fits(member) {
				return false
			}
		}
	}
	return true
}

func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

func isWhole(v any) bool {
	n, ok := v.(float64)
	return ok && n == float64(int64(n))
}

// checked compares the output of the run's agent with its schema. One that breaks it fails the run, unless it is the text
// of a value that fits and the server reads it.
func (r *Run) checked(s *step, w *walk) {
	if r.schema.fits(*w.output) {
		return
	}
	if v, held := r.held(*w.output); held && r.parsed {
		w.output = &v
		return
	}
	f := &fault{rule: "helix.output.schema"}
	s.deeds = append(s.deeds, &deed{act: &act{kind: "error"}, fault: f, from: -1, to: -1})
	r.halt.fatal = f
}

// held is the value that fits of which an output is the text.
func (r *Run) held(output any) (v any, held bool) {
	text, isText := output.(string)
	if !isText || json.Unmarshal([]byte(text), &v) != nil {
		return nil, false
	}
	return v, r.schema.fits(v)
}

// reads finds out whether the server reads an output that is a JSON text: it then has sent one.
func (r *Run) reads(all []*Produced) {
	if r.schema == nil || r.parsed || r.halt.fatal == nil || r.halt.fatal.rule != "helix.output.schema" {
		return
	}
	last := r.past[len(r.past)-1]
	output := r.script[last.index][len(r.script[last.index])-1].value
	if _, held := r.held(output); !held || !slices.ContainsFunc(all, func(p *Produced) bool { return p.kind() == "output" && rootsOf(all)[p.text("agentId")] }) {
		return
	}
	r.parsed, r.next, r.past = true, last.index, r.past[:len(r.past)-1]
	r.follow()
}
