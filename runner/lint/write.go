package lint

import (
	"fmt"
	"io"

	"github.com/streamcert/streamcert/runner/report"
)

// WriteConsole prints a line for each problem and one that counts.
func (r Report) WriteConsole(w io.Writer) error {
	for _, p := range r.Problems {
		if _, err := fmt.Fprintln(w, report.OneLine(p.String())); err != nil {
			return fmt.Errorf("writing the problems: %w", err)
		}
	}
	sources := "sources not read"
	if r.Sources > 0 {
		sources = count(r.Sources, "source file")
	}
	_, err := fmt.Fprintf(w, "%s, %s (%s), %s, %d untestable, %s, %s\n", count(r.Requirements, "requirement"),
		count(r.Scenarios, "scenario"), count(r.Rows, "row"), count(r.Mutants, "mutant"), r.Untestable,
		sources, count(len(r.Problems), "problem"))
	if err != nil {
		return fmt.Errorf("writing the problems: %w", err)
	}
	return nil
}

// WriteJSON prints the document that schemas/lint.json describes.
func (r Report) WriteJSON(w io.Writer) error {
	document := struct {
		Requirements int       `json:"requirements"`
		Scenarios    int       `json:"scenarios"`
		Sources      int       `json:"sources"`
		Problems     []Problem `json:"problems"`
	}{r.Requirements, r.Scenarios, r.Sources, r.Problems}
	if document.Problems == nil {
		document.Problems = []Problem{}
	}
	return report.WriteDocument(w, "the problems", document)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
