package vocabulary

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

// Sentence is a sentence that steps may use.
type Sentence struct {
	Keywords  []string   `json:"keywords"`          // Given, When, Then: those that it may follow
	Text      string     `json:"text"`              // with {name} for an argument, [x] for an optional part, (x|y) for a choice
	Arguments []Argument `json:"arguments"`         // in the order of the text
	DocString bool       `json:"docString"`         // a doc string follows it
	Shared    bool       `json:"shared"`            // every pack has it
	Example   string     `json:"example,omitempty"` // a step that uses it; "" where no feature does
	Location  string     `json:"place,omitempty"`   // of the example, features/FILE:LINE
	Pattern   string     `json:"pattern"`           // a regular expression that matches the text of a step
}

// Argument is a value in a sentence.
type Argument struct {
	Name  string `json:"name"`  // in the text
	Takes string `json:"takes"` // such as "a number"
}

// Of lists the sentences of a vocabulary in the order of their registration, each once, with an example from the scenarios.
func Of(definitions []steps.Definition, scenarios []features.Scenario) []Sentence {
	var out []Sentence
	for i := range definitions {
		d := &definitions[i]
		pattern := d.Pattern.String()
		at := slices.IndexFunc(out, func(s Sentence) bool { return s.Pattern == pattern })
		if at < 0 {
			at = len(out)
			out = append(out, Sentence{DocString: d.Block, Shared: d.Shared, Pattern: pattern})
		}
		s := &out[at]
		s.Keywords = append(s.Keywords, d.Keyword.String())
		if s.Example == "" {
			s.Example, s.Location = example(d, scenarios)
			s.Text, s.Arguments = written(d, s.Example)
		}
	}
	return out
}

// example returns the first step that a definition matches, and its location.
func example(d *steps.Definition, scenarios []features.Scenario) (text, location string) {
	for _, sc := range scenarios {
		for _, row := range sc.Rows {
			for _, step := range row.Steps {
				if d.Matches(step) {
					return step.Text, fmt.Sprintf("features/%s:%d", sc.File, step.Line)
				}
			}
		}
	}
	return "", ""
}

// Write writes sentences for people.
func Write(w io.Writer, sentences []Sentence) error {
	var b strings.Builder
	for _, s := range sentences {
		fmt.Fprintf(&b, "%s %s\n", strings.Join(s.Keywords, "/"), s.Text)
		for _, a := range s.Arguments {
			fmt.Fprintf(&b, "    {%s} takes %s\n", a.Name, a.Takes)
		}
		if s.DocString {
			b.WriteString("    a doc string follows\n")
		}
		if s.Example == "" {
			b.WriteString("    no feature uses it\n")
		} else {
			fmt.Fprintf(&b, "    e.g. %s (%s)\n", s.Example, s.Location)
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the sentences: %w", err)
	}
	return nil
}

// slash matches a slash of an expression, which would end one in JavaScript, and escaped characters.
var slash = regexp.MustCompile(`\\.|/`)

// Script writes sentences as step definitions of JavaScript that do nothing: editors read the expressions.
func Script(w io.Writer, sentences []Sentence) error {
	var b strings.Builder
	b.WriteString("// The sentences of the feature files, for editors. Written by `streamcert steps --format js`.\n" +
		"const { Given, When, Then } = require('@cucumber/cucumber');\n")
	for _, s := range sentences {
		pattern := slash.ReplaceAllStringFunc(s.Pattern, func(m string) string {
			if m == "/" {
				return `\/`
			}
			return m
		})
		fmt.Fprintf(&b, "%s(/%s/, () => {});\n", s.Keywords[0], pattern)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the sentences: %w", err)
	}
	return nil
}
