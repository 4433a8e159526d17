package prove

import (
	"fmt"
	"io"
	"strings"

	"github.com/streamcert/streamcert/runner/report"
)

// WriteJSON writes the report as one document.
func (r *IdleReport) WriteJSON(w io.Writer) error { return report.WriteDocument(w, "the report", r) }

// WriteConsole writes a summary: the requirements that passed vacuously, the chapters that each server showed, and the
// counts.
func (r *IdleReport) WriteConsole(w io.Writer) error {
	var b strings.Builder
	for _, one := range r.Results {
		if len(one.Vacuous) == 0 {
			continue
		}
		fmt.Fprintf(&b, "passes by absence: %s\n  %s\n", one.Name, one.Summary)
		for _, id := range one.Vacuous {
			fmt.Fprintf(&b, "  - %s is pass, and the server never shows what it is about\n", id)
		}
		fmt.Fprintf(&b, "  look at it: streamcert-lab idle --only %s --seed %d\n\n", one.Name, r.Seed)
	}
	r.table(&b)
	fmt.Fprintf(&b, "%d idle servers: %d vacuous passes; seed %d; %.1f s\n", r.Servers, r.Vacuous, r.Seed, r.Seconds)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// table writes how many requirements of each chapter passed on each server. A column
// is headed by the number of its server, which the lines above the table name.
func (r *IdleReport) table(b *strings.Builder) {
	wide := len("requirements")
	for _, c := range r.Shows {
		wide = max(wide, len(c.Name))
	}
	for i, one := range r.Results {
		fmt.Fprintf(b, "%3d  %s: %s\n", i+1, one.Name, one.Summary)
	}
	fmt.Fprintf(b, "\nrequirements that pass, by chapter and server; · is none\n%*s", wide+5, "of")
	for i := range r.Results {
		fmt.Fprintf(b, "%5d", i+1)
	}
	b.WriteString("\n")
	for _, c := range r.Shows {
		fmt.Fprintf(b, "%-*s%5d", wide, c.Name, c.Requirements)
		for _, one := range r.Results {
			if n := one.Shown[c.Name]; n > 0 {
				fmt.Fprintf(b, "%5d", n)
			} else {
				b.WriteString("    ·")
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}
