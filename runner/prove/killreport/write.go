package killreport

import (
	"fmt"
	"io"
	"strings"

	"github.com/streamcert/streamcert/runner/report"
)

// WriteJSON writes the report as one document.
func (r *Report) WriteJSON(w io.Writer) error { return report.WriteDocument(w, "the report", r) }

// WriteConsole writes what a person wants to know: every mutant that was not
// found out as it should be, every requirement without a kill, and the counts.
func (r *Report) WriteConsole(w io.Writer) error {
	var b strings.Builder
	stateful := 0
	for _, m := range r.Results {
		if m.Stateful {
			stateful++
		}
		switch m.Outcome {
		case Survived:
			what := fmt.Sprintf("breaks %s, and nothing noticed", m.Requirement)
			if m.Alike {
				what = "answers every scenario as the reference does: it breaks nothing"
			}
			fmt.Fprintf(&b, "survived: %s\n  %s\n  %s\n", m.Name, what, m.Summary)
			for _, row := range m.Unproven {
				fmt.Fprintf(&b, "  not proven: %s\n", row)
			}
		case KilledByOther:
			fmt.Fprintf(&b, "killed by another: %s\n  breaks %s, but only %s noticed\n  %s\n", m.Name, m.Requirement, strings.Join(m.By, ", "), m.Summary)
		default:
			if m.Tries > 1 {
				fmt.Fprintf(&b, "killed at try %d: %s\n", m.Tries, m.Name)
			}
			continue
		}
		fmt.Fprintf(&b, "  look at it: streamcert serve --mutant %s\n\n", m.Name)
	}
	for _, id := range r.Requirements.Without {
		fmt.Fprintf(&b, "without a kill: %s\n", id)
	}
	if r.All {
		for _, note := range r.Notes {
			fmt.Fprintf(&b, "note: %s\n", note)
		}
	}
	r.generatedLines(&b)
	r.Dominators.lines(&b)
	fmt.Fprintf(&b, "%d mutants (%d stateful): %d killed, %d killed by another requirement, %d survived; %d of %d testable requirements have a kill; %.1f s\n",
		r.Mutants, stateful, r.Killed, r.KilledByOther, len(r.Survived), r.Requirements.Killed, r.Requirements.Testable, r.Seconds)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// generatedLines writes what became of the generated mutants, if they were made.
func (r *Report) generatedLines(b *strings.Builder) {
	g := r.Generated
	if g.Total == 0 {
		return
	}
	for _, name := range g.Unexplained() {
		fmt.Fprintf(b, "survived: %s\n", name)
	}
	excluded := 0
	for _, e := range g.Excluded {
		excluded += e.Count
	}
	fmt.Fprintf(b, "%d generated mutants: %d killed (%.2f %%), %d survived, %d of them for a reason; %d changes excluded by %d rules\n",
		g.Total, g.Killed, 100*float64(g.Killed)/float64(g.Total), len(g.Survived), len(g.Survived)-len(g.Unexplained()), excluded, len(g.Excluded))
}
