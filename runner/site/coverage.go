package site

import (
	"path"

	"github.com/streamcert/streamcert/spec"
)

// coverView is the part of a chapter on the page of coverage.
type coverView struct {
	Chapter spec.Chapter
	To      string     // address of the chapter
	Rows    []coverRow // one for each requirement, in the order of the chapter
	Sum     coverRow   // of Rows
}

// coverRow counts the tests of a requirement.
type coverRow struct {
	spec.Requirement
	To                                           string
	Requirements, Testable                       int // of a sum
	Scenarios, Rows, Mutants, Variants, Exchange int
	Schemas, ReferenceLines, JudgeLines          int
}

// add adds a requirement to a sum.
func (r *coverRow) add(o coverRow) {
	r.Requirements++
	if o.Requirement.Testable() {
		r.Testable++
	}
	r.Scenarios += o.Scenarios
	r.Rows += o.Rows
	r.Mutants += o.Mutants
	r.Variants += o.Variants
	r.Exchange += o.Exchange
	r.Schemas += o.Schemas
	r.ReferenceLines += o.ReferenceLines
	r.JudgeLines += o.JudgeLines
}

// coverage makes a page for each pack that counts the tests of each requirement.
func coverage(b *book) error {
	for _, p := range b.packs {
		name := p.Suite.Pack.Name
		out := page{Path: name + "/coverage.html", Title: "Coverage · " + name, Kind: "coverage", Pack: name}
		var all []coverView
		total := coverRow{}
		for _, c := range b.spec.Chapters(name) {
			v := coverView{Chapter: c, To: b.address(c.File)}
			for _, q := range b.spec.Pack(name) {
				if q.File != c.File {
					continue
				}
				row := b.covered(q)
				v.Rows = append(v.Rows, row)
				v.Sum.add(row)
				total.add(row)
			}
			if len(v.Rows) == 0 {
				continue
			}
			out.Toc = append(out.Toc, entryOfContents{2, "chapter-" + c.Name, c.Title, ""})
			all = append(all, v)
		}
		total.Requirements = len(b.spec.Pack(name))
		body, err := b.part(out.Path, "coverage.html", struct {
			Pack     string
			Total    coverRow
			Chapters []coverView
		}{name, total, all})
		if err != nil {
			return err
		}
		out.Body = body
		b.index = append(b.index, entry{"Coverage", "page" + where(name), path.Clean(out.Path), "page"})
		if err := b.layout(out); err != nil {
			return err
		}
	}
	return nil
}

// covered counts the tests of a requirement. A mutant counts for the requirement that it breaks on purpose.
func (b *book) covered(q spec.Requirement) coverRow {
	e := b.known[q.ID]
	row := coverRow{
		Requirement: q, To: b.requirement(q.ID), Scenarios: len(e.Scenarios), Variants: len(b.variants[q.ID]),
		Schemas: len(e.Keywords), ReferenceLines: len(e.ReferenceLines), JudgeLines: len(e.JudgeLines),
	}
	for _, sc := range e.Scenarios {
		row.Rows += len(sc.Rows)
	}
	for _, m := range e.Mutants {
		if m.Requirement == q.ID {
			row.Mutants++
		}
	}
	if e.Golden != "" {
		row.Exchange = 1
	}
	return row
}
