package compare

import (
	"io"

	"github.com/streamcert/streamcert/runner/report"
)

// document is the JSON form of a comparison; schemas/compare.json describes it.
type document struct {
	Pack    string      `json:"pack,omitempty"`
	Before  string      `json:"before,omitempty"`
	After   string      `json:"after,omitempty"`
	Notes   []string    `json:"notes,omitempty"`
	Changes []changeDoc `json:"changes,omitempty"`
	Lost    []string    `json:"lost,omitempty"`
	Earned  []string    `json:"earned,omitempty"`
	Tables  []tableDoc  `json:"tables"`
}

type changeDoc struct {
	Requirement string         `json:"requirement"`
	Level       string         `json:"level"`
	Change      string         `json:"change"`
	Before      report.Verdict `json:"before,omitempty"`
	After       report.Verdict `json:"after,omitempty"`
	Was         string         `json:"was,omitempty"`
	Is          string         `json:"is,omitempty"`
}

type tableDoc struct {
	Pack    string   `json:"pack"`
	Servers []rowDoc `json:"servers"`
}

type rowDoc struct {
	Report  string            `json:"report"`
	Server  string            `json:"server"`
	Verdict report.Verdict    `json:"verdict"`
	Classes map[string]string `json:"classes"`
}

// WriteJSON writes the tables as one document, and the changes if r isn't nil.
func WriteJSON(w io.Writer, r *Result, tables []Table) error {
	doc := document{Tables: []tableDoc{}}
	if r != nil {
		doc.Pack, doc.Before, doc.After = r.After.Suite.Pack, r.Before.Name, r.After.Name
		doc.Notes, doc.Lost, doc.Earned = r.Notes, r.Lost, r.Earned
		for _, l := range r.lists() {
			for _, c := range l.Changes {
				doc.Changes = append(doc.Changes, changeDoc{c.ID, c.Level, l.ID, c.Before, c.After, c.Was, c.Is})
			}
		}
	}
	for _, t := range tables {
		out := tableDoc{Pack: t.Pack, Servers: []rowDoc{}}
		for _, row := range t.Rows {
			classes := map[string]string{}
			for i, c := range row.Cells {
				classes[t.Classes[i]] = c.Text
			}
			out.Servers = append(out.Servers, rowDoc{row.Name, row.Server, row.Verdict, classes})
		}
		doc.Tables = append(doc.Tables, out)
	}
	return report.WriteDocument(w, "the comparison", doc)
}
