package site

import (
	"html/template"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// numbered matches the code of a rule of the inventory: its group and its number.
var numbered = regexp.MustCompile(`^(.+)-([0-9]{2})$`)

// readRationale files the rows of a rationale under their code and under the ids that they name. A row is shown on pages
// of the pack, so its links are made for one of those.
func (b *book) readRationale(pack string) {
	doc := b.docs[pack+"/rationale.md"]
	if doc == nil {
		return
	}
	m := b.markdown(doc, pack+"/-.html")
	heading := ""
	for n := doc.root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			at, _ := h.AttributeString("id")
			text, _ := at.([]byte)
			heading = string(text)
		}
		if n.Kind() != extast.KindTable {
			continue
		}
		for row := n.FirstChild(); row != nil; row = row.NextSibling() {
			if row.Kind() == extast.KindTableRow {
				b.row(m, pack, heading, row)
			}
		}
	}
}

// row files one row. One whose cells can't be rendered is left out.
func (b *book) row(m *markdown, pack, heading string, row ast.Node) {
	r := reason{Code: m.doc.text(row.FirstChild()), To: pack + "/rationale.html#" + heading}
	if at, ok := row.AttributeString("id"); ok {
		r.To = pack + "/rationale.html#" + string(at.([]byte))
	}
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		cell, err := m.inline(c)
		if err != nil {
			return
		}
		if c != row.FirstChild() && strings.TrimSpace(string(cell)) != "" {
			r.Cells = append(r.Cells, cell)
		}
	}
	b.reasons[pack+" "+r.Code] = append(b.reasons[pack+" "+r.Code], r)
	named := map[string]bool{}
	_ = ast.Walk(row, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Kind() == ast.KindCodeSpan && entering {
			if id := m.doc.text(n); b.requirement(id) != "" && !named[id] {
				named[id] = true
				b.reasons[id] = append(b.reasons[id], r)
			}
		}
		return ast.WalkContinue, nil
	})
}

// origin returns the entry of a pack's rationale for an origin code: its row, or the row of its group.
func (b *book) origin(pack, code string) reason {
	for _, r := range b.reasons[pack+" "+code] {
		return r
	}
	if m := numbered.FindStringSubmatch(code); m != nil {
		for _, r := range b.reasons[pack+" "+m[1]] {
			about := template.HTML("")
			if len(r.Cells) > 1 {
				about = r.Cells[1]
			}
			return reason{Code: code, To: r.To, Cells: []template.HTML{"rule " + template.HTML(strings.TrimLeft(m[2], "0")) + " of the inventory on " + about}}
		}
	}
	return reason{Code: code, To: pack + "/rationale.html"}
}
