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

// count returns a number of things, in words.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Problem is one inconsistency of the kit.
type Problem struct {
	File    string `json:"file"` // from the root of the kit: a file, or the folder of a package
	Line    int    `json:"line"` // from 1; 0 for the complete file
	Message string `json:"message"`
	Check   string `json:"-"` // name of the check that found it
}

// String returns the problem as editors read it: file:line: message.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message)
}

// Report counts the files that were read and lists their problems.
type Report struct {
	Requirements int // of all roles, tombstones included
	Scenarios    int
	Rows         int // of outlines, one for each other scenario
	Mutants      int
	Untestable   int       // requirements that say so
	Sources      int       // Go files that were read; 0 if the sources aren't known
	Problems     []Problem // by file, line and message; each once
}
