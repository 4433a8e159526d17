package report

import (
	"encoding/json"
	"fmt"
	"io"
)

// WriteJSON writes the report as one indented document that schemas/report.json
// describes.
func WriteJSON(w io.Writer, r *Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r.filled()); err != nil {
		return fmt.Errorf("writing the report as JSON: %w", err)
	}
	return nil
}

// filled returns a copy in which lists that are empty are empty, not null.
func (r *Report) filled() *Report {
	out := *r
	fill(&out.Target.Without)
	fill(&out.Classes)
	fill(&out.Requirements)
	fill(&out.Scenarios)
	fill(&out.Notes)
	out.Classes = append([]Class{}, out.Classes...)
	for i := range out.Classes {
		fill(&out.Classes[i].Missing)
	}
	out.Requirements = append([]Requirement{}, out.Requirements...)
	for i := range out.Requirements {
		q := &out.Requirements[i]
		fill(&q.Capabilities)
		fill(&q.Findings)
		fill(&q.Scenarios)
	}
	return &out
}

func fill[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}
