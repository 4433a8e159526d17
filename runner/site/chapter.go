package site

import (
	"fmt"
	"html/template"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// chapters makes the pages of the packs that are nothing but Markdown: their indexes, and their chapters with all that is
// known of each requirement.
func chapters(b *book) error {
	for _, p := range b.packs {
		name := p.Suite.Pack.Name
		files := []string{name + "/README.md"}
		for _, c := range b.spec.Chapters(name) {
			files = append(files, c.File)
		}
		for _, file := range files {
			if b.docs[file] == nil {
				continue // lint reports it
			}
			if err := b.written(file, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// written makes the page of a document of the specification.
func (b *book) written(file, pack string) error {
	doc := b.docs[file]
	p := page{Path: b.address(file), Title: doc.title(), Kind: "chapter", Pack: pack}
	if path.Base(file) == "README.md" {
		p.Kind = "index"
	} else if pack != "" {
		p.Title += " · " + pack
	}
	body, err := b.body(doc, &p)
	if err != nil {
		return err
	}
	p.Body = body
	return b.layout(p)
}

// body makes HTML of a document and fills the contents of its page.
func (b *book) body(doc *document, p *page) (template.HTML, error) {
	m := b.markdown(doc, p.Path)
	var out strings.Builder
	under := 1 // the rank of the last heading
	for n := doc.root.FirstChild(); n != nil; n = n.NextSibling() {
		id, nodes := doc.block(n)
		if q, ok := b.spec.Get(id); ok {
			card, err := b.rule(m, q, min(under+1, 4), nodes)
			if err != nil {
				return "", err
			}
			out.WriteString(string(card))
			p.Toc = append(p.Toc, entryOfContents{4, q.ID, q.Slug, levelClass(q.Level)})
			for range nodes {
				n = n.NextSibling()
			}
			continue
		}
		if h, ok := n.(*ast.Heading); ok {
			under = h.Level
		}
		if h, ok := n.(*ast.Heading); ok && h.Level > 1 && h.Level < 4 {
			at, _ := h.AttributeString("id")
			anchor := fmt.Sprintf("%s", at)
			p.Toc = append(p.Toc, entryOfContents{h.Level, anchor, doc.text(h), ""})
			b.index = append(b.index, entry{doc.text(h), doc.title() + where(p.Pack), p.Path + "#" + anchor, "section"})
		}
		part, err := m.render(n)
		if err != nil {
			return "", err
		}
		out.WriteString(string(part))
	}
	b.index = append(b.index, entry{doc.title(), "page" + where(p.Pack), p.Path, "page"})
	return template.HTML(out.String()), nil
}

// start makes the first page. The text before its first diagram is next to the diagram, as an introduction on one screen.
func start(b *book) error {
	doc := b.docs["README.md"]
	p := page{Path: "index.html", Title: "The specification", Kind: "start"}
	m := b.markdown(doc, p.Path)
	var before, after []ast.Node
	var drawn ast.Node
	for n := doc.root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			at, _ := h.AttributeString("id")
			b.index = append(b.index, entry{doc.text(h), "Overview", fmt.Sprintf("index.html#%s", at), "section"})
		}
		block, ok := n.(*ast.FencedCodeBlock)
		switch {
		case drawn == nil && ok && string(block.Language(doc.source)) == "mermaid":
			drawn = n
		case drawn == nil:
			before = append(before, n)
		default:
			after = append(after, n)
		}
	}
	if drawn == nil {
		before, after = nil, before
	}
	rest, err := m.render(after...)
	if err != nil {
		return err
	}
	if drawn != nil {
		words, err := m.render(before...)
		if err != nil {
			return err
		}
		picture, err := m.render(drawn)
		if err != nil {
			return err
		}
		p.Body = `<section class="screen"><div>` + words + `</div>` + picture + `</section>`
	}
	p.Body += rest
	return b.layout(p)
}

// transcripts makes the page on the notation of exchanges.
func transcripts(b *book) error { return b.written(formatFile, "") }

// rationales makes the pages on where every rule comes from.
func rationales(b *book) error {
	for _, p := range b.packs {
		if file := p.Suite.Pack.Name + "/rationale.md"; b.docs[file] != nil {
			if err := b.written(file, p.Suite.Pack.Name); err != nil {
				return err
			}
		}
	}
	return nil
}
