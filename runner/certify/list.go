package certify

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/report"
)

// Listing describes a run without making it. Its JSON form is the output of certify --list.
type Listing struct {
	Pack         string              `json:"pack"`
	Requirements []ListedRequirement `json:"requirements"` // in the order of the plan
	Scenarios    int                 `json:"scenarios"`    // rows that would run
}

// ListedRequirement is a requirement that was selected.
type ListedRequirement struct {
	ID    string `json:"id"`
	Level string `json:"level"` // as the spec has it
	// Reason is why none of it would run, "" if some would.
	Reason    string           `json:"reason,omitempty"`
	Scenarios []ListedScenario `json:"scenarios"` // rows that would run; empty if Reason is set
}

// ListedScenario is a scenario that would run.
type ListedScenario struct {
	Title    string   `json:"title"` // as written, with the <placeholders> of an outline
	Location string   `json:"place"` // features/….feature:line
	Rows     []string `json:"rows"`  // titles of those that would run, one for a scenario without examples
}

// List returns a description of what [Run] would do, and sends nothing. Errors are those of a selection.
func List(s *pack.Suite, o Options) (*Listing, error) {
	plan, err := NewPlan(s, o.Target, o.Only, o.Seed)
	if err != nil {
		return nil, err
	}
	skips, err := newSkips(s, o.Skip)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(plan.Scenarios, func(a, b features.Scenario) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	selected := &selection{s, o, plan, skips}
	out := &Listing{Pack: s.Pack.Name, Requirements: []ListedRequirement{}}
	for _, q := range plan.Requirements {
		listed := ListedRequirement{ID: q.ID, Level: string(q.Level), Scenarios: listed(selected, q.ID)}
		for _, sc := range listed.Scenarios {
			out.Scenarios += len(sc.Rows)
		}
		switch {
		case plan.NotClaimed[q.ID] != "":
			listed.Reason = "not claimed: " + selected.notClaimed(plan.NotClaimed[q.ID])
		case q.Untestable != "":
			listed.Reason = "untestable: " + q.Untestable
		case len(listed.Scenarios) > 0:
		case selected.skipped(q.ID) > 0 || skips.requirements[q.ID]:
			listed.Reason = "skipped"
		default:
			listed.Reason = "no scenario of its own: it is judged in the others"
		}
		out.Requirements = append(out.Requirements, listed)
	}
	return out, nil
}

// WriteJSON writes the listing as one indented document.
func (l *Listing) WriteJSON(w io.Writer) error { return report.WriteDocument(w, "the list as JSON", l) }

// Write writes the listing for people.
func (l *Listing) Write(w io.Writer) error {
	var b []byte
	for _, q := range l.Requirements {
		b = fmt.Appendf(b, "%s (%s)\n", q.ID, q.Level)
		if q.Reason != "" {
			b = fmt.Appendf(b, "  %s\n", q.Reason)
		}
		for _, sc := range q.Scenarios {
			b = fmt.Appendf(b, "  %s  %s\n", sc.Location, sc.Title)
			for _, row := range sc.Rows {
				if row != sc.Title {
					b = fmt.Appendf(b, "      %s\n", row)
				}
			}
		}
	}
	b = fmt.Appendf(b, "\npack %s: %d requirements, %d scenarios\n", l.Pack, len(l.Requirements), l.Scenarios)
	if _, err := io.WriteString(w, report.Printable(string(b))); err != nil {
		return fmt.Errorf("writing the list: %w", err)
	}
	return nil
}

// listed returns the scenarios of a requirement that would run.
func listed(s *selection, id string) []ListedScenario {
	out := []ListedScenario{}
	for _, sc := range s.plan.Scenarios {
		if sc.Requirement != id || s.rowsOf(sc) == 0 {
			continue
		}
		one := ListedScenario{Title: sc.Title, Location: "features/" + sc.Location()}
		for _, row := range sc.Rows {
			if s.wanted(sc, row.Title) {
				one.Rows = append(one.Rows, row.Title)
			}
		}
		out = append(out, one)
	}
	return out
}
