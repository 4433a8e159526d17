package features

import (
	"bytes"

	messages "github.com/cucumber/messages/go/v34"
)

// Source returns a feature with only the row, as a scenario or as an outline with one example, and the backgrounds before
// it: the text that a Gherkin parser needs to run the row alone. Tags are left out; [Scenario.Tags] has them.
func (r Row) Source() []byte { return r.source }

// excerptsOf cuts a feature file into one source a row, by the AST id of the example, or of the scenario where it has
// none.
func excerptsOf(src []byte, f *messages.Feature) map[string][]byte {
	e := excerpter{lines: bytes.SplitAfter(src, []byte{'\n'}), out: map[string][]byte{}}
	e.feature(f)
	return e.out
}

type excerpter struct {
	lines [][]byte
	out   map[string][]byte
}

func (e *excerpter) feature(f *messages.Feature) {
	head := []byte("Feature: " + f.Name + "\n")
	for i, c := range f.Children {
		next := len(e.lines) + 1
		if i+1 < len(f.Children) {
			next = beginningOf(f.Children[i+1])
		}
		switch {
		case c.Background != nil:
			head = append(head, e.between(int(c.Background.Location.Line), next)...)
		case c.Scenario != nil:
			e.scenario(c.Scenario, head, next)
		case c.Rule != nil:
			e.rule(c.Rule, head, next)
		}
	}
}

// rule cuts the scenarios of a rule that ends before a line.
func (e *excerpter) rule(r *messages.Rule, head []byte, end int) {
	head = append(bytes.Clone(head), "Rule: "+r.Name+"\n"...)
	for i, c := range r.Children {
		next := end
		if i+1 < len(r.Children) {
			if sc := r.Children[i+1].Scenario; sc != nil {
				next = firstLine(sc.Tags, sc.Location)
			}
		}
		switch {
		case c.Background != nil:
			head = append(head, e.between(int(c.Background.Location.Line), next)...)
		case c.Scenario != nil:
			e.scenario(c.Scenario, head, next)
		}
	}
}

func (e *excerpter) scenario(sc *messages.Scenario, head []byte, end int) {
	line := int(sc.Location.Line)
	if len(sc.Examples) == 0 {
		e.out[sc.Id] = append(bytes.Clone(head), e.between(line, end)...)
		return
	}
	steps := e.between(line, firstLine(sc.Examples[0].Tags, sc.Examples[0].Location))
	for _, examples := range sc.Examples {
		for _, row := range examples.TableBody {
			table := [][]byte{head, steps, []byte("Examples:\n"), e.line(examples.TableHeader), e.line(row)}
			e.out[row.Id] = bytes.Join(table, nil)
		}
	}
}

// line returns the line of a row of a table.
func (e *excerpter) line(row *messages.TableRow) []byte { return e.lines[row.Location.Line-1] }

// between returns the lines from one, included, to another, left out; both are
// 1-based.
func (e *excerpter) between(from, to int) []byte {
	return bytes.Join(e.lines[from-1:to-1], nil)
}

// beginningOf returns the line on which a child of a feature begins, its tags included.
func beginningOf(c *messages.FeatureChild) int {
	switch {
	case c.Scenario != nil:
		return firstLine(c.Scenario.Tags, c.Scenario.Location)
	case c.Rule != nil:
		return firstLine(c.Rule.Tags, c.Rule.Location)
	}
	return int(c.Background.Location.Line)
}

func firstLine(tags []*messages.Tag, at *messages.Location) int {
	if len(tags) > 0 {
		return int(tags[0].Location.Line)
	}
	return int(at.Line)
}
