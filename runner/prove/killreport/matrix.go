package killreport

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/spec"
)

// The matrix, and its style.
var (
	//go:embed matrix.html
	matrixBody string
	//go:embed matrix.css
	matrixStyle string
)

// matrix is the data of the page's template.
type matrix struct {
	*Report
	Version, Pack string
	Chapters      []matrixChapter
	Rows          []matrixRow
	Stateful      int
	Unexpected    int
	Unexplained   []string
}

type matrixChapter struct {
	Name string
	IDs  []string // without pack and chapter
}

type matrixRow struct {
	Result
	Cells []matrixCell
}

// matrixCell is one mutant and one requirement. The mark is empty where nothing
// was found and nothing was expected.
type matrixCell struct {
	Mark, Class, Title string
	First              bool // of its chapter
}

// Tab returns the report as a part of a page: mutants down, requirements across,
// and a mark where one broke the other.
func Tab(s *pack.Suite, r *Report) (report.Tab, error) {
	tab := report.Tab{ID: "mutants", Title: "Mutants", Count: fmt.Sprint(r.Mutants), Style: template.CSS(matrixStyle)}
	body, err := template.New("matrix").Parse(matrixBody)
	if err != nil {
		return tab, fmt.Errorf("reading the page of the matrix: %w", err)
	}
	var b strings.Builder
	if err := body.Execute(&b, matrixOf(s, r)); err != nil {
		return tab, fmt.Errorf("writing the matrix: %w", err)
	}
	tab.Body = template.HTML(b.String())
	return tab, nil
}

// WritePage writes the report as a separate page.
func WritePage(w io.Writer, s *pack.Suite, r *Report) error {
	tab, err := Tab(s, r)
	if err != nil {
		return err
	}
	return report.Page{
		Title: "streamcert " + s.Version() + ": mutants of " + s.Pack.Name,
		Head:  template.HTML("<h1>Broken servers, and who found them out</h1>"),
		Tabs:  []report.Tab{tab},
	}.Write(w)
}

// Read reads a report that WriteJSON wrote.
func Read(in io.Reader) (*Report, error) {
	var r Report
	if err := json.NewDecoder(in).Decode(&r); err != nil {
		return nil, fmt.Errorf("reading the report of mutants: %w", err)
	}
	return &r, nil
}

func matrixOf(s *pack.Suite, r *Report) matrix {
	m := matrix{Report: r, Version: s.Version(), Pack: s.Pack.Name, Unexplained: r.Generated.Unexplained()}
	var columns []spec.Requirement
	for _, q := range s.Book.Pack(s.Pack.Name) {
		if !q.Testable() {
			continue
		}
		columns = append(columns, q)
		if n := len(m.Chapters); n == 0 || m.Chapters[n-1].Name != q.Chapter {
			m.Chapters = append(m.Chapters, matrixChapter{Name: q.Chapter})
		}
		last := &m.Chapters[len(m.Chapters)-1]
		last.IDs = append(last.IDs, q.Slug)
	}
	results := slices.Clone(r.Results)
	at := func(id string) int {
		return slices.IndexFunc(columns, func(q spec.Requirement) bool { return q.ID == id })
	}
	slices.SortStableFunc(results, func(a, b Result) int { return at(a.Requirement) - at(b.Requirement) })
	for _, result := range results {
		row := matrixRow{Result: result}
		for i, q := range columns {
			cell := cellOf(result, q.ID, r.All)
			cell.First = i == 0 || columns[i-1].Chapter != q.Chapter
			row.Cells = append(row.Cells, cell)
		}
		m.Rows = append(m.Rows, row)
		m.Unexpected += len(result.Unexpected())
		if result.Stateful {
			m.Stateful++
		}
	}
	return m
}

// cellOf returns the cell of a mutant and a requirement. An expected violation is known to be missing only if its scenarios
// ran.
func cellOf(r Result, id string, ran bool) matrixCell {
	broke := slices.Contains(r.By, id)
	says := func(mark, class, what string) matrixCell {
		return matrixCell{Mark: mark, Class: class, Title: r.Name + " × " + id + ": " + what}
	}
	switch {
	case id == r.Requirement && broke:
		return says("●", "own", "killed, by the requirement that it breaks")
	case id == r.Requirement:
		return says("✕", "missed", "survived the requirement that it breaks")
	case slices.Contains(r.Also, id) && broke:
		return says("○", "also", "broken by necessity")
	case slices.Contains(r.Also, id) && ran:
		return says("·", "held", "held, though it was expected to break too")
	case broke:
		return says("△", "other", "broken, which nobody expected")
	}
	return matrixCell{}
}
