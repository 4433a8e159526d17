package features

import (
	"bytes"
	"testing"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// pickles parses a feature and returns its rows without their positions.
func pickles(t *testing.T, src []byte) []*messages.Pickle {
	t.Helper()
	newID := (&messages.Incrementing{}).NewId
	doc, err := gherkin.ParseGherkinDocument(bytes.NewReader(src), newID)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return gherkin.Pickles(*doc, "", newID)
}

// TestSource: the sources of a file's rows have the same content as the file.
func TestSource(t *testing.T) {
	for _, pack := range []string{"helix", "aep"} {
		scenarios, err := Load(FS, pack)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string][]*messages.Pickle{}
		for _, sc := range scenarios {
			all, ok := files[sc.File]
			if !ok {
				src, err := FS.ReadFile(sc.File)
				if err != nil {
					t.Fatal(err)
				}
				all = pickles(t, src)
			}
			var got []*messages.Pickle
			for _, row := range sc.Rows {
				got = append(got, pickles(t, row.Source())...)
			}
			want := all[:min(len(sc.Rows), len(all))]
			files[sc.File] = all[len(want):]
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(messages.Pickle{}, "Id", "AstNodeIds", "Location", "Tags"),
				cmpopts.IgnoreFields(messages.PickleStep{}, "Id", "AstNodeIds")); diff != "" {
				t.Errorf("%s (-file +source):\n%s", sc.Location(), diff)
			}
		}
	}
}

// TestSourceOfEverything is a file with everything that a feature may have.
func TestSourceOfEverything(t *testing.T) {
	const file = `# language: en
@feature
Feature: F
  Words
  about it.

  Background:
    Given a

  # a note
  @plain
  Scenario: plain
    When b

  @r1 @r2
  Rule: R
    Background: of the rule
      Given c
        | d | e |

    @outline
    Scenario Outline: row <n>
      Then f <n>
        """
        @x <n>
        """
      @some
      Examples:
        | n |
        | 1 |
      Examples: more
        | n |
        | 2 |
    @last
    Scenario: last
      Then g

  Rule: S
    Example: alone
      Then h`
	scenarios, err := parse("p", "p/c/f.feature", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, sc := range scenarios {
		for _, row := range sc.Rows {
			said := pickles(t, row.Source())
			if len(said) != 1 {
				t.Fatalf("the source of a row has %d:\n%s", len(said), row.Source())
			}
			got = append(got, spoken(said[0]))
		}
	}
	want := []string{"plain: a b", "row 1: a c e f 1 @x 1", "row 2: a c e f 2 @x 2", "last: a c e g", "alone: a h"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// spoken returns the name, steps and arguments of a row on one line.
func spoken(p *messages.Pickle) string {
	line := p.Name + ":"
	for _, st := range p.Steps {
		line += " " + st.Text
		if st.Argument != nil && st.Argument.DocString != nil {
			line += " " + st.Argument.DocString.Content
		}
		if st.Argument != nil && st.Argument.DataTable != nil {
			line += " " + st.Argument.DataTable.Rows[0].Cells[1].Value
		}
	}
	return line
}
